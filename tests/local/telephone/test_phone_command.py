"""`careline phone` makes a trunk and a rule at LiveKit that are as they should be, as often as it is run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from livekit.protocol.sip import SIP_MEDIA_ENCRYPT_ALLOW, SIP_MEDIA_ENCRYPT_REQUIRE

from careline.carriers import carriers
from careline_local.cli.main import main
from tests.emulators.livekit_sip import EmulatedLiveKit, emulated_livekit

NUMBER = "+3211901000"
NAME = "careline-default"


@pytest.fixture
def livekit(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmulatedLiveKit]:
    with emulated_livekit() as served:
        for name, value in served.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("LIVEKIT_TOKEN", raising=False)
        yield served


def run(*arguments: str, code: int = 0) -> str:
    done = CliRunner().invoke(main, ["phone", *arguments])
    assert done.exit_code == code, done.output
    return done.output


def told(*arguments: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json", code=code))
    return found


def test_a_line_is_made_of_a_trunk_that_lets_twilio_in_and_a_rule_that_names_the_workers(
    livekit: EmulatedLiveKit,
) -> None:
    run("setup", "--number", "+32 11 90 10 00", "--agent", "careline-prod-voice")
    (trunk,), (rule,) = livekit.trunks.values(), livekit.rules.values()
    assert (trunk.name, list(trunk.numbers)) == (NAME, [NUMBER])
    assert list(trunk.allowed_addresses) == list(carriers()["twilio"].signals.values())
    assert trunk.media.encryption == SIP_MEDIA_ENCRYPT_REQUIRE
    assert not trunk.krisp_enabled
    assert trunk.max_call_duration.seconds == 2 * 60 * 60
    assert list(rule.trunk_ids) == [trunk.sip_trunk_id]
    assert [agent.agent_name for agent in rule.room_config.agents] == ["careline-prod-voice"]


def test_the_number_of_a_caller_is_in_no_rooms_name(livekit: EmulatedLiveKit) -> None:
    run("setup", "--number", NUMBER)
    (rule,) = livekit.rules.values()
    assert rule.rule.WhichOneof("rule") == "dispatch_rule_callee"
    assert rule.rule.dispatch_rule_callee.randomize, "two callers are not in one room"


def test_a_second_time_changes_nothing(livekit: EmulatedLiveKit) -> None:
    run("setup", "--number", NUMBER)
    before = list(livekit.changes)
    assert "as they should be" in run("setup", "--number", NUMBER)
    assert livekit.changes == before == ["CreateSIPInboundTrunk", "CreateSIPDispatchRule"]


def test_a_number_that_the_line_has_is_lost_only_where_that_is_said(livekit: EmulatedLiveKit) -> None:
    run("setup", "--number", NUMBER)
    assert "--drop-numbers" in run("setup", "--number", "+3211902000", code=1)
    (trunk,) = livekit.trunks.values()
    assert list(trunk.numbers) == [NUMBER]
    run("setup", "--number", NUMBER, "--number", "+3211902000")
    run("setup", "--number", "+3211902000", "--drop-numbers")
    (trunk,) = livekit.trunks.values()
    assert list(trunk.numbers) == ["+3211902000"]


def test_what_is_there_is_mended_and_what_the_line_says_nothing_of_stays(livekit: EmulatedLiveKit) -> None:
    trunk = livekit.add_trunk(name=NAME, numbers=["+3211999999"], auth_username="carrier", krisp_enabled=True)
    trunk.headers["X-Kept"] = "yes"
    trunk.media.media_timeout.seconds = 20
    run("setup", "--number", NUMBER, "--drop-numbers")
    (mended,) = livekit.trunks.values()
    assert mended.sip_trunk_id == trunk.sip_trunk_id
    assert (list(mended.numbers), mended.krisp_enabled) == ([NUMBER], False)
    assert (mended.auth_username, dict(mended.headers)) == ("carrier", {"X-Kept": "yes"})
    assert (mended.media.media_timeout.seconds, mended.media.encryption) == (20, SIP_MEDIA_ENCRYPT_REQUIRE)
    assert livekit.changes == ["UpdateSIPInboundTrunk", "CreateSIPDispatchRule"]


def test_a_rule_of_another_kind_is_mended(livekit: EmulatedLiveKit) -> None:
    trunk = livekit.add_trunk(name=NAME, numbers=[NUMBER])
    rule = livekit.add_rule(name=NAME, trunk_ids=[trunk.sip_trunk_id])
    rule.rule.dispatch_rule_direct.room_name = "everybody"
    rule.attributes["kept"] = "yes"
    run("setup", "--number", NUMBER)
    (mended,) = livekit.rules.values()
    assert mended.rule.WhichOneof("rule") == "dispatch_rule_callee"
    assert dict(mended.attributes) == {"kept": "yes"}


def test_a_dry_run_shows_the_changes_and_makes_none(livekit: EmulatedLiveKit) -> None:
    livekit.add_trunk(name=NAME, numbers=["+3211999999"], auth_password="nobody's to see")
    shown = run("setup", "--number", NUMBER, "--dry-run")
    assert f"numbers: +3211999999 → {NUMBER}" in shown
    assert "dispatch rule careline-default: would be made" in shown
    assert "nobody's to see" not in shown
    assert livekit.changes == []


def test_the_check_ends_with_1_until_the_line_is_made(livekit: EmulatedLiveKit) -> None:
    assert [change["what"] for change in told("check", "--number", NUMBER, code=1)["changes"]] == [
        "trunk", "dispatch rule",
    ]  # fmt: skip
    run("setup", "--number", NUMBER)
    assert told("check", "--number", NUMBER) == {"ok": True, "changes": [], "in_the_way": []}
    livekit.rules.clear()
    assert [change["what"] for change in told("check", "--number", NUMBER, code=1)["changes"]] == ["dispatch rule"]


def test_a_trunk_that_takes_the_numbers_calls_is_named_and_nothing_is_changed(livekit: EmulatedLiveKit) -> None:
    livekit.add_trunk(name="old line", numbers=[NUMBER])
    assert f"old line already takes calls of {NUMBER}" in run("setup", "--number", NUMBER, code=1)
    assert livekit.changes == []
    assert told("check", "--number", NUMBER, code=1)["in_the_way"]


def test_a_trunk_without_numbers_takes_every_call(livekit: EmulatedLiveKit) -> None:
    livekit.add_trunk(name="all")
    assert "already takes calls of every number" in run("setup", "--number", NUMBER, code=1)


def test_another_rule_of_the_same_trunk_is_named(livekit: EmulatedLiveKit) -> None:
    trunk = livekit.add_trunk(name=NAME, numbers=[NUMBER])
    livekit.add_rule(name="by hand", trunk_ids=[trunk.sip_trunk_id])
    assert "by hand already takes calls of this trunk" in run("setup", "--number", NUMBER, code=1)


def test_two_trunks_of_a_name_are_not_guessed_between(livekit: EmulatedLiveKit) -> None:
    for number in ("+3211999998", "+3211999999"):
        livekit.add_trunk(name=NAME, numbers=[number])
    assert "2 trunks named careline-default" in run("setup", "--number", NUMBER, code=1)


@pytest.mark.parametrize(
    ("number", "said"),
    [("011 90 10 00", "with a plus and its country"), ("+32 11 90", "no number +32 11 90"), ("+", "no telephone")],
)
def test_a_number_that_cannot_be_called_is_refused_before_livekit_is_asked(
    livekit: EmulatedLiveKit, number: str, said: str
) -> None:
    assert said in run("setup", "--number", number, code=1)
    assert livekit.calls == []


@pytest.mark.parametrize(("allowed", "said"), [("0.0.0.0/0", "is everybody"), ("twilio.com", "is no network")])
def test_everybody_is_not_let_in(livekit: EmulatedLiveKit, allowed: str, said: str) -> None:
    assert said in run("setup", "--number", NUMBER, "--allow", allowed, code=1)
    assert livekit.calls == []


def test_another_carrier_is_let_in_without_encryption_where_that_is_said(livekit: EmulatedLiveKit) -> None:
    run("setup", "--number", NUMBER, "--allow", "192.0.2.0/24", "--unencrypted")
    (trunk,) = livekit.trunks.values()
    assert list(trunk.allowed_addresses) == ["192.0.2.0/24"]
    assert trunk.media.encryption == SIP_MEDIA_ENCRYPT_ALLOW


def test_what_to_enter_at_twilio_is_told_in_the_order_of_its_console(livekit: EmulatedLiveKit) -> None:
    sheet = told("setup", "--number", NUMBER, "--sip-host", "abc.sip.livekit.cloud", "--dry-run")["twilio"]
    values = {entry["where"]: entry["value"] for entry in sheet}
    assert values["Origination > Origination URI"] == "sip:abc.sip.livekit.cloud;transport=tls;edge=dublin"
    assert values["General > Secure Trunking"] == "enabled"
    assert values["General > Call Transfer (SIP REFER)"] == "enabled"
    assert values["Numbers > Add"] == NUMBER
    assert "Numbers > Emergency address" in values
    shown = run("setup", "--number", NUMBER, "--sip-host", "abc.sip.livekit.cloud", "--dry-run")
    assert "sip:abc.sip.livekit.cloud;transport=tls;edge=dublin" in shown


def test_a_key_that_livekit_does_not_know_is_told(livekit: EmulatedLiveKit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVEKIT_API_SECRET", "another secret, of 32 signs or more")
    assert "LiveKit refused it (unauthenticated)" in run("check", "--number", NUMBER, code=3)


def test_a_livekit_that_does_not_answer_is_told_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVEKIT_URL", "ws://127.0.0.1:9")
    monkeypatch.setenv("LIVEKIT_API_KEY", "key")
    monkeypatch.setenv("LIVEKIT_API_SECRET", "a secret of tests, of 32 signs or more")
    assert "LIVEKIT_URL: ws://127.0.0.1:9 does not answer" in run("check", "--number", NUMBER, code=3)


def test_without_a_key_the_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIVEKIT_URL", raising=False)
    assert "LIVEKIT_URL: not set" in run("check", "--number", NUMBER, code=2)


def test_the_addresses_of_a_carrier_name_their_source_and_the_day_they_were_read() -> None:
    for carrier in carriers().values():
        assert carrier.source.startswith("https://")
        assert len(carrier.read) == len("2026-11-29")
        assert carrier.signals
