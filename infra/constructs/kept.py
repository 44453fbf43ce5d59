"""What becomes of a resource when its stack goes."""

from __future__ import annotations

import aws_cdk as cdk

from infra.settings import StageSettings


def kept(settings: StageSettings) -> cdk.RemovalPolicy:
    """Production keeps what holds data, but for what a first deploy made that then failed: it is empty, and a second
    deploy could not make it again under its name."""
    return cdk.RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if settings.keep_data else cdk.RemovalPolicy.DESTROY
