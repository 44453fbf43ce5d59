"""The fit of the embedding model that an installation has: the shipped one's, or what `careline calibrate` measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from careline.errors import SettingsInvalid
from careline.search.relevance import RelevanceFit, read_fit, shipped_fit
from careline.settings import Settings

FILE = "relevance.yaml"


def embedding_model(settings: Settings) -> str:
    """Its `Embedder.name`."""
    if settings.engines.embedder == "embedded":
        return shipped_fit().embedder
    return f"{settings.openai.embedding_model}/{settings.openai.embedding_dimensions}"


def fit_file(settings: Settings) -> Path:
    """Where `careline calibrate` writes when nothing else is said."""
    return settings.home.expanduser() / FILE


def measured_fit(settings: Settings) -> RelevanceFit:
    """What was measured with the embedding model. Raises: SettingsInvalid where nothing was, as nobody guesses."""
    if settings.engines.embedder == "embedded":
        return shipped_fit()
    name, told = embedding_model(settings), settings.engines.relevance
    advice = f"run `careline calibrate` with {name}, which measures what its nearness is worth"
    try:
        if told and told.lstrip().startswith("{"):
            fit = read_fit(told)
        else:
            fit = read_fit((Path(told) if told else fit_file(settings)).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsInvalid(f"CARELINE_EMBEDDER: {name} was never measured here; {advice}") from None
    except (OSError, ValueError) as error:
        why = f"its file cannot be read ({type(error).__name__})" if isinstance(error, OSError) else str(error)
        raise SettingsInvalid(f"CARELINE_RELEVANCE: {why}; {advice}") from None
    if fit.embedder != name:
        raise SettingsInvalid(f"CARELINE_RELEVANCE: it was measured with {fit.embedder}; {advice}")
    return fit


def guessed_fit(settings: Settings) -> RelevanceFit:
    """The shipped model's weights under this model's name, for who answers nothing by them: whoever reads records, and
    whoever measures."""
    return replace(shipped_fit(), embedder=embedding_model(settings))
