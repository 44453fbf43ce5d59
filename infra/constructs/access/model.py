"""The model that writes answers and the secret of its key: what a function is told of them, and what it may do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Literal

from aws_cdk import SecretValue, Stack
from aws_cdk import aws_kms as kms
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from careline.engines.aws.secrets import PLACEHOLDER
from careline.search.relevance import RelevanceFit, read_fit
from infra.constructs.function import CarelineFunction
from infra.constructs.packages import ROOT
from infra.constructs.reviewed import reviewed
from infra.settings import EmbeddingSettings, StageSettings

CALL = ("bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream")
"""What Bedrock's OpenAI-compatible endpoint `bedrock-runtime` asks of whoever calls it, without and with streaming."""
Use = Literal["answers", "documents", "vectors"]
"""What a function asks a model for: an answer, a look at passages of a document, or vectors, which the model in the
image makes where no other is chosen."""


class ModelAccess(Construct):
    """A function that writes or screens is told where the model is, and may read its key or call it. Others
    know nothing of it."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings, key: kms.IKey) -> None:
        super().__init__(scope, construct_id)
        self._stage, self._settings, self._key = settings, settings.model, key
        self._secret = self._make_secret() if self._settings.kind == "openai" else None
        self._fit = None if self._settings.embedding is None else _measured(self._settings.embedding)

    def embedder(self) -> dict[str, str]:
        """The settings of every function that knows vectors, where another model makes them."""
        chosen = self._settings.embedding
        if chosen is None:
            return {}
        return {
            "CARELINE_EMBEDDER": "openai",
            "CARELINE_OPENAI_EMBEDDING_MODEL": chosen.name,
            "CARELINE_OPENAI_EMBEDDING_DIMENSIONS": str(chosen.dimensions),
        }

    def relevance(self) -> dict[str, str]:
        """The setting of whoever answers or searches: what was measured with the model of the vectors."""
        return {} if self._fit is None else {"CARELINE_RELEVANCE": json.dumps(asdict(self._fit))}

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
            "vectors": model.embedding is not None,
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


def _measured(chosen: EmbeddingSettings) -> RelevanceFit:
    """Raises: ValueError where the model was not measured."""
    name = f"{chosen.name}/{chosen.dimensions}"
    advice = f"`careline calibrate --out {chosen.fit}` measures it with your key (docs/operations.md)"
    try:
        fit = read_fit((ROOT / chosen.fit).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{name} was never measured: there is no {chosen.fit}; {advice}") from None
    if fit.embedder != name:
        raise ValueError(f"{chosen.fit} was measured with {fit.embedder}, not with {name}; {advice}")
    return fit


def _area(region: str) -> str:
    """What data must not leave, of `eu-central-1` `eu`."""
    return region.partition("-")[0]
