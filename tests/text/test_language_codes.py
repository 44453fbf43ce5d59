"""The language that a sender states for a document is one that there is."""

from __future__ import annotations

import pytest

from careline.errors import BadRequest
from careline.knowledge.register import Upload, read_facts
from careline.text.languages import stated_language


@pytest.mark.parametrize(("stated", "code"), [("nl", "nl"), ("NL", "nl"), ("nl-BE", "nl"), ("de_AT", "de"), ("", "")])
def test_a_code_is_taken_without_its_country(stated: str, code: str) -> None:
    assert stated_language(stated) == code
    assert read_facts(Upload("t", "a.md", b"", facts={"language": stated})).language == code


@pytest.mark.parametrize("stated", ["xx", "dutch", "n", "12", "../nl"])
def test_a_code_that_there_is_not_is_refused_without_repeating_it(stated: str) -> None:
    with pytest.raises(BadRequest, match="language: no such code") as refused:
        stated_language(stated)
    assert stated not in str(refused.value).split()
