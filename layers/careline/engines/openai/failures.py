"""Says in Careline's errors what went wrong at an endpoint. What it answered is not repeated: it may quote a caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from careline.errors import (
    EmbedderRefused,
    EmbedderUnavailable,
    ModelKeyMissing,
    ModelUnavailable,
    SecretMissing,
    SecretUnavailable,
)

if TYPE_CHECKING:
    import httpx2
    import openai

UNREADABLE = "the language model sent something that cannot be read"
"""Said of an answer that is no JSON, or of another shape; what it holds is not repeated."""
NO_KEY = "there is no key of the language model yet: `aws secretsmanager put-secret-value` puts it in"
UNSIGNED = "cannot be signed; see that this process has AWS credentials and a region"
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses of faults that may pass; others, such as a wrong key, come back however often one asks."""
THROTTLED = 429
WHAT_TO_DO = {
    401: "its key is wrong or no longer valid; put the right one in",
    403: "this process may not use the model; on Bedrock see that its role allows bedrock:InvokeModel and "
    "bedrock:InvokeModelWithResponseStream on it, and that the account has access to the model in this region",
    404: "there is no such model at this address; see CARELINE_OPENAI_MODEL and the region",
}
"""What somebody has to do where asking again will not help, by status."""


def model_failure(
    problem: openai.OpenAIError | httpx2.HTTPError, kind: type[ModelUnavailable] = ModelUnavailable
) -> ModelUnavailable:
    """The error of a language model that was to be asked."""
    import openai

    if isinstance(problem, openai.APIStatusError):
        return _by_status(problem, kind)
    secret = _secret(problem)
    if isinstance(secret, SecretMissing):
        return ModelKeyMissing(NO_KEY, kind="no_key", passing=False)
    if secret is not None:
        return kind(f"the language model's key cannot be read ({secret.message})", retry_after=5, kind="secret")
    if isinstance(problem, openai.APIError):
        name = type(problem).__name__
        return kind(f"the language model cannot be reached ({name})", retry_after=5, kind=name)
    if isinstance(problem, openai.OpenAIError):
        return kind(f"requests to the language model {UNSIGNED}", kind="credentials", passing=False)
    name = type(problem).__name__
    return kind(f"the language model cannot be reached ({name})", retry_after=5, kind=name)


def _by_status(problem: openai.APIStatusError, kind: type[ModelUnavailable]) -> ModelUnavailable:
    status = problem.status_code
    if status == THROTTLED:
        said = "the language model refuses more requests for now"
        return kind(said, retry_after=_retry_after(problem), kind="status", answered=status)
    to_do = f": {WHAT_TO_DO[status]}" if status in WHAT_TO_DO else ""
    said = f"the language model answered with status {status}{to_do}"
    return kind(said, retry_after=5, kind="status", answered=status, passing=status in PASSING)


def embedder_failure(problem: openai.OpenAIError) -> EmbedderUnavailable:
    """The error of an embedding model that was to be asked."""
    import openai

    secret = _secret(problem)
    if isinstance(secret, SecretMissing):
        return EmbedderUnavailable(NO_KEY, kind="no_key")
    if secret is not None:
        return EmbedderUnavailable(f"the embedding model's key cannot be read ({secret.message})", kind="secret")
    if not isinstance(problem, openai.APIError):
        return EmbedderUnavailable(f"requests to the embedding model {UNSIGNED}", kind="credentials")
    status = problem.status_code if isinstance(problem, openai.APIStatusError) else None
    name, to_do = type(problem).__name__, f": {WHAT_TO_DO[status]}" if status in WHAT_TO_DO else ""
    if status is not None and status not in PASSING:
        return EmbedderRefused(f"the embedding model refuses ({name}){to_do}", answered=status)
    return EmbedderUnavailable(f"the embedding model does not answer ({name})", answered=status)


def _secret(problem: BaseException) -> SecretUnavailable | None:
    """What became of the secret that was to be shown, if that is why nobody was asked."""
    cause = problem.__cause__
    return cause if isinstance(cause, SecretUnavailable) else None


def _retry_after(problem: openai.APIStatusError) -> int:
    value = problem.response.headers.get("retry-after", "")
    return int(value) if value.isdecimal() else 20
