"""The model that writes answers and the secret of its key: what a function is told of them, and what it may do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from aws_cdk import SecretValue, Stack
from aws_cdk import aws_kms as kms
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from careline.engines.aws.secrets import PLACEHOLDER
from infra.constructs.function import CarelineFunction
from infra.constructs.reviewed import reviewed
from infra.settings import StageSettings

CALL = ("bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream")
"""What Bedrock's OpenAI-compatible endpoint `bedrock-runtime` asks of whoever calls it, without and with streaming."""
Use = Literal["answers", "documents"]
"""What a function asks a model for: an answer, or a look at passages of a document. Vectors are made by the model in
the image, to which relevance is fitted."""


class ModelAccess(Construct):
    """A function that writes or screens is told where the model is, and may read its key or call it. Others
    know nothing of it."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings, key: kms.IKey) -> None:
        super().__init__(scope, construct_id)
        self._stage, self._settings, self._key = settings, settings.model, key
        self._secret = self._make_secret() if self._settings.kind == "openai" else None

    def endpoint(self, *uses: Use) -> dict[str, str]:
        """The settings of whoever asks the endpoint for one of these, where anybody does."""
        model = self._settings
        if not self._is_asked(uses):
            return {}
        chosen = {
            **({"CARELINE_OPENAI_MODEL": model.name} if model.name else {}),
            **({"CARELINE_OPENAI_DOCUMENT_SCREEN_MODEL": model.screens_documents} if model.screens_documents else {}),
        }
        if self._secret is not None:
            return {**chosen, "CARELINE_OPENAI_API_KEY_SECRET": self._secret.secret_arn}
        return {**chosen, "CARELINE_OPENAI_AUTH": "aws", "CARELINE_OPENAI_AWS_REGION": self._region}

    def writer(self) -> dict[str, str]:
        """The settings of whoever has answers written, beside those of the endpoint: where they may be written."""
        if self._settings.kind == "none":
            return {"CARELINE_MODEL": "extractive"}
        areas = {_area(region) for region in (self._region, *self._settings.profile_regions)}
        routed = {
            "CARELINE_REGION": _area(self._stage.region),
            "CARELINE_CLOUD_REGION": areas.pop() if len(areas) == 1 else "several",
        }
        return {
            "CARELINE_MODEL": "openai",
            "CARELINE_CLOUD_COVERED": str(self._settings.is_covered).lower(),
            **(routed if self._settings.kind == "bedrock" else {}),
        }

    def let_call(self, function: CarelineFunction, *uses: Use) -> None:
        """Reading the key, or calling this very model where that is done by the function's role."""
        if not self._is_asked(uses):
            return
        if self._secret is not None:
            function.may("secretsmanager:GetSecretValue", on=[self._secret.secret_arn])
            function.may("kms:Decrypt", on=[self._key.key_arn])
        else:
            function.may(*CALL, on=self._arns())

    def _is_asked(self, uses: Sequence[Use]) -> bool:
        model = self._settings
        asked: dict[Use, bool] = {
            "answers": True,
            "documents": model.screens_documents is not None,
        }
        return model.kind != "none" and any(asked[use] for use in uses)

    @property
    def _region(self) -> str:
        return self._settings.region or self._stage.region

    def _arns(self) -> list[str]:
        """The model in each region that it may be run in, and the inference profile that chooses among these."""
        stack, model = Stack.of(self), self._settings
        assert model.name is not None
        name = model.name.partition(".")[2] if model.profile_regions else model.name
        regions = model.profile_regions or (self._region,)
        run = [f"arn:{stack.partition}:bedrock:{region}::foundation-model/{name}" for region in regions]
        chosen = f"arn:{stack.partition}:bedrock:{self._region}:{stack.account}:inference-profile/{model.name}"
        return [*run, *([chosen] if model.profile_regions else [])]

    def _make_secret(self) -> secretsmanager.Secret:
        """Made with a text that everybody can see is no key: until a person puts one in, answers are quoted."""
        secret = secretsmanager.Secret(
            Stack.of(self),
            "ModelKey",
            secret_name=f"{self._stage.prefix}/model-key",
            encryption_key=self._key,
            secret_string_value=SecretValue.unsafe_plain_text(PLACEHOLDER),
        )
        reviewed(secret, SMG4="The vendor of the model issues this key by hand; there is no call to renew it.")
        return secret


def _area(region: str) -> str:
    """What data must not leave, of `eu-central-1` `eu`."""
    return region.partition("-")[0]
