"""Both documents say what is configured, what is off, and where only the hospital knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from careline.records.record_kind import KINDS
from careline.settings import Settings
from careline.tenants.tenant_records import Tenant
from careline_local.cli.main import main
from careline_local.compliance.documents import GAP, article_30, impact_assessment
from careline_local.compliance.processing import OF_THE_LIBRARY, WORDS, Processing, conditions, processing

ROOT = Path(__file__).resolve().parents[3]


def found(tenant: Tenant | None = None, **variables: str) -> Processing:
    settings = Settings.load({f"CARELINE_{name}": value for name, value in variables.items()})
    return processing(settings, tenant or Tenant("default"))


def test_every_measure_stands_where_it_is_said_to_and_every_risk_has_measures() -> None:
    made = found()
    assert all((ROOT / measure.where).is_file() for measure in made.measures.values())
    assert all(name in made.measures for risk in made.risks for name in risk.measures)
    reduced = {name for risk in made.risks for name in risk.measures}
    assert reduced == set(made.measures)


def test_every_condition_is_used_and_known() -> None:
    needed = {one["needs"] for one in yaml.safe_load(WORDS.read_text())["measures"].values()}
    assert needed == set(conditions(Settings.load({})))


def test_every_kind_of_record_about_people_has_its_time_limit() -> None:
    assert OF_THE_LIBRARY <= set(KINDS)
    listed = {kept.record for kept in found().kept}
    assert listed == {name.replace("_", " ") for name in KINDS if name not in OF_THE_LIBRARY}


def test_time_limits_are_those_of_the_hospital() -> None:
    text = article_30(found(Tenant("default", retention_days={"conversations": 17})))
    assert "17 days after its last turn" in text
    assert "400 days after it began" in text
    assert "`conversations` days" not in text


@pytest.mark.parametrize(
    ("off", "on", "measure"),
    [
        ({"PHI_MODE": "off"}, {}, "detection"),
        ({}, {"LOGIN": "required"}, "roles"),
        ({}, {"TOKEN": "a-long-enough-token"}, "roles"),
        ({}, {"STORAGE": "aws"}, "network"),
        ({"STORAGE": "aws"}, {"STORAGE": "aws", "HEADS_BUCKET": "heads"}, "noted_heads"),
        ({}, {"NOTED_HEADS": "/mnt/heads"}, "noted_heads"),
    ],
)
def test_a_measure_is_on_where_its_setting_is(off: dict[str, str], on: dict[str, str], measure: str) -> None:
    assert not found(**off).measures[measure].is_on
    assert found(**on).measures[measure].is_on


def test_what_is_off_reduces_no_risk_and_is_listed_as_lacking() -> None:
    text = impact_assessment(found(PHI_MODE="off"))
    says = found().measures["detection"].what
    assert "OFF: needs `CARELINE_PHI_MODE`, which is off" in text
    assert f"- {says}: needs" in text
    (risk,) = [line for line in text.splitlines() if line.startswith("| What a caller says about their health")]
    assert says not in risk


def test_what_only_the_hospital_knows_is_marked_in_both() -> None:
    made = found(MODEL="openai")
    for text, least in ((article_30(made), 6), (impact_assessment(made), 4)):
        assert text.count(GAP) >= least
    for known in ("legal basis", "data protection officer", "country", "processor (article 28)"):
        assert f"{known}" in article_30(made)


def test_the_hospital_is_named_when_it_is_known() -> None:
    assert "Sint-Anna." in article_30(found(Tenant("default", names={"nl": "Sint-Anna"}, default_language="nl")))
    assert f"{GAP} name of the hospital" in article_30(found())


@pytest.mark.parametrize("document", ["article-30", "dpia"])
def test_the_command_prints_a_page_and_json(tmp_path: Path, document: str) -> None:
    tmp_path.chmod(0o700)
    run = CliRunner()
    page = run.invoke(main, ["--home", str(tmp_path), "compliance", document])
    assert page.exit_code == 0
    assert page.stdout.startswith("# ")
    values = run.invoke(main, ["--home", str(tmp_path), "compliance", document, "--json"])
    assert json.loads(values.stdout)["recipients"] == []
