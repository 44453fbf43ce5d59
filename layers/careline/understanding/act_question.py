"""What is searched for where somebody asks to have something done: how it is done."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml

from careline.safety.requested_acts import RequestedAct
from careline.text.asked_words import said_to_be_about


def way_to(act: RequestedAct, request: str, language: str) -> str:
    """The question how one gets there, with what the request names; empty where the request itself is searched for."""
    question = _questions().get(language, {}).get(act.kind)
    return "" if question is None else question.format(topic=said_to_be_about(request, language)).strip()


@cache
def _questions() -> Mapping[str, Mapping[str, str]]:
    text = files("careline.understanding").joinpath("act_questions.yaml").read_text("utf-8")
    content: Mapping[str, Mapping[str, str]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content
