"""Sets up where spans go: nowhere, to a collector that speaks OTLP over HTTP, or to X-Ray's own OTLP endpoint.

The SDK of OpenTelemetry is imported where spans go somewhere, and nowhere else.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from careline.errors import SettingsInvalid
from careline.settings import TraceSettings
from careline.tracing import sending

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from requests import PreparedRequest, Session

IN_LAMBDA = "AWS_LAMBDA_FUNCTION_NAME"
"""A variable of Lambda, which stops a process between two pieces of work."""
COLLECTOR = "http://127.0.0.1:4318/v1/traces"
"""Where a collector listens that runs beside the process, such as the layer of the AWS Distro for OpenTelemetry."""
SEND_SECONDS, IN_LAMBDA_SECONDS = 3, 1.0
"""Patience with whoever takes the spans: of one request, and of what an invocation waits for at its end."""


def begin(function: str, settings: TraceSettings | None = None) -> None:
    """Send spans of this process as `function`. Raises: SettingsInvalid where the packages for it are not there."""
    settings = settings or TraceSettings.load()
    if settings.exporter == "off":
        return
    try:
        from opentelemetry import trace
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

        from careline.runtime.span_ids import SystemIds
    except ImportError:
        raise SettingsInvalid("CARELINE_TRACES_EXPORTER needs the packages of requirements/cloud.txt") from None
    # Nothing is read from the machine or from variables that are none of ours: what is told of a process is its name.
    resource = Resource({"service.name": f"careline-{function}", "service.namespace": "careline"})
    sampler = ParentBased(TraceIdRatioBased(settings.share))
    provider = TracerProvider(resource=resource, sampler=sampler, id_generator=SystemIds())
    provider.add_span_processor(BatchSpanProcessor(exporter_of(settings)))
    trace.set_tracer_provider(provider)
    if IN_LAMBDA in os.environ:
        # The SDK takes a limit here and does not keep to it.
        sending.send_with(provider.force_flush, IN_LAMBDA_SECONDS)


def exporter_of(settings: TraceSettings) -> SpanExporter:
    """What sends spans where the settings say."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    if settings.exporter == "otlp":
        return OTLPSpanExporter(endpoint=settings.endpoint or COLLECTOR, timeout=SEND_SECONDS)
    session, region = _signing()
    endpoint = settings.endpoint or f"https://xray.{region}.amazonaws.com/v1/traces"
    return OTLPSpanExporter(endpoint=endpoint, session=session, timeout=SEND_SECONDS)


def _signing() -> tuple[Session, str]:
    """A session whose requests are signed for X-Ray by the process's AWS credentials, and the region."""
    import requests
    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.session import Session as Credentials

    held = Credentials()
    region = str(held.get_config_variable("region") or "")
    if not region:
        raise SettingsInvalid("CARELINE_TRACES_EXPORTER=xray needs a region: AWS_REGION")

    def sign(request: PreparedRequest) -> PreparedRequest:
        # Read anew for each request: they are replaced while the process runs.
        signer: Any = SigV4Auth(held.get_credentials(), "xray", region)
        signed = AWSRequest(method=request.method, url=request.url, data=request.body)
        signed.headers["content-type"] = request.headers.get("content-type", "")
        signer.add_auth(signed)
        request.headers.update(dict(signed.headers.items()))
        return request

    session = requests.Session()
    session.auth = sign
    return session, region
