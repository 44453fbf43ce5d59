"""`careline pack compile` makes of a pack's own examples what tells its labels, with the embedding that turns have."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from careline.engines.embedded.embedder import ASKED, E5Embedder
from careline.packs.intent_examples import COMPILED, IntentExample, shipped_examples
from careline.packs.packs import load_pack
from careline.understanding.intents.own_head import FittedLabel
from careline.understanding.intents.pack_classifier import pack_classifier
from careline_local import pack_intents
from careline_local.bench.understanding import own_labels
from careline_local.cli.main import main
from careline_local.cli.pack import how_told

EXAMPLES = Path(__file__).parents[1] / "evaluation" / "own_labels" / "shop_and_blood"
FEW = 8
"""Shipped examples of a label and language that are embedded here: the whole takes half a minute."""


def few_of(name: str) -> list[IntentExample]:
    shipped = shipped_examples(name)
    groups = {(one.label, one.language) for one in shipped}
    of = ((one for one in shipped if (one.label, one.language) == group) for group in sorted(groups))
    return [one for each in of for one in islice(each, FEW)]


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped packs with two labels added, compiled against a few of the shipped examples."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pack_intents, "shipped_examples", few_of)
        return own_labels.with_labels(EXAMPLES, tmp_path_factory.mktemp("own") / "packs")


def test_of_what_was_never_read_most_has_its_added_label(packs: Path) -> None:
    shares = [one for one in own_labels.told(EXAMPLES, packs) if "surely" not in one.name]
    assert sum(one.right for one in shares) / sum(one.of for one in shares) >= 0.8


def test_what_is_asked_every_day_keeps_its_shipped_label(packs: Path) -> None:
    pack, embedder = load_pack(packs / own_labels.PACK), E5Embedder()
    classifier = pack_classifier(pack)
    assert classifier is not None
    asked = {
        "wat zijn de bezoekuren van de materniteit": "visiting_hours",
        "quanto si paga per parcheggiare tutto il giorno": "tariff",
        "on which days does doctor Maes see patients": "doctor_schedule_query",
        "le numéro de la dermatologie": "department_contact/phone",
    }
    told = {text: classifier.labels(embedder.embed(ASKED, [text])[0], pack.intents)[0].name for text in asked}
    assert told == asked


def test_the_command_writes_the_file_says_how_well_and_leaves_other_packs_alone(
    packs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pack_intents, "shipped_examples", few_of)
    (packs / own_labels.PACK / COMPILED).unlink()
    done = CliRunner().invoke(main, ["pack", "compile", "--json", str(packs)])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert [Path(one).relative_to(packs).as_posix() for one in told["compiled"]] == [
        "clinical_assistant/compiled.json.gz", "hospital_line/compiled.json.gz", "hospital_line/intents.npz",
    ]  # fmt: skip
    assert [(one["name"], one["examples"]) for one in told["intents"]["hospital_line"]] == [
        ("blood_donation", 24), ("gift_shop", 24),
    ]  # fmt: skip
    assert load_pack(packs / own_labels.PACK).own_intents is not None


def test_examples_that_were_taken_out_again_take_the_file_with_them(packs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "clinical_assistant"
    folder.mkdir()
    (folder / "pack.yaml").write_bytes((packs / "clinical_assistant" / "pack.yaml").read_bytes())
    (folder / COMPILED).write_bytes(b"older")
    assert pack_intents.compile_intents(folder) is None
    assert not (folder / COMPILED).exists()


def test_few_examples_that_the_others_tell_ask_for_more() -> None:
    assert "write more" in how_told(FittedLabel("shop", 12, 5, 0))
    assert "write more" not in how_told(FittedLabel("shop", 12, 6, 0))


def test_what_is_unread_stands_in_no_file_of_examples() -> None:
    unread = yaml.safe_load((EXAMPLES / "unread.yaml").read_text("utf-8")).values()
    read = [yaml.safe_load(file.read_text("utf-8")) for file in (EXAMPLES / "intents").glob("*.yaml")]
    asked, given = ({text for by in of for texts in by.values() for text in texts} for of in (unread, read))
    assert (len(asked), len(given)) == (80, 48)
    assert asked.isdisjoint(given)
