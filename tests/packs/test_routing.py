"""The routing policy: what may leave the trust boundary, for every combination of circumstances there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.errors import PackInvalid
from careline.packs.routing import Circumstances, Policy, read_policy

PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"
BOTH = [read_policy(PACKS / name / "routing.yaml") for name in ("hospital_line", "clinical_assistant")]

circumstances = st.builds(
    Circumstances,
    phi=st.sampled_from(["clear", "found", "assumed", "off"]),
    mode=st.sampled_from(["hybrid", "local_only", "cloud_only"]),
    covered=st.booleans(),
    cloud_only_phi=st.sampled_from(["redact", "refuse"]),
    tier=st.sampled_from(["standard", "preferred", "someone else's"]),
    complexity=st.sampled_from(["simple", "complex"]),
    channel=st.sampled_from(["chat", "voice"]),
    region=st.sampled_from(["same", "elsewhere"]),
    budget_left=st.floats(0, 1),
)


def now(**chosen: Any) -> Circumstances:
    """An ordinary chat question; what a test is about is named in it."""
    usual: dict[str, Any] = {
        "phi": "clear", "mode": "hybrid", "covered": False, "cloud_only_phi": "refuse", "tier": "standard",
        "complexity": "complex", "channel": "chat", "region": "same", "budget_left": 1.0,
    }  # fmt: skip
    return Circumstances(**{**usual, **chosen})


@given(circumstances, st.sampled_from(BOTH))
def test_personal_data_never_leaves_unredacted_without_an_agreement(at: Circumstances, policy: Policy) -> None:
    rule = policy.decide(at)
    if at.phi in {"found", "assumed"} and not at.covered and rule.use in {"cloud", "cloud_small"}:
        assert rule.redact
        assert at.phi == "found", "what nobody could find cannot be redacted"


@given(circumstances, st.sampled_from(BOTH))
def test_local_only_means_that_nothing_leaves(at: Circumstances, policy: Policy) -> None:
    if at.mode == "local_only":
        assert policy.decide(at).use == "local"


@pytest.mark.parametrize(
    ("chosen", "rule", "use"),
    [
        ({"phi": "found"}, "personal-data-stays", "local"),
        ({"phi": "assumed"}, "personal-data-stays", "local"),
        ({"phi": "found", "mode": "cloud_only"}, "cloud-only-refused", "refuse"),
        ({"phi": "assumed", "mode": "cloud_only", "cloud_only_phi": "redact"}, "cloud-only-refused", "refuse"),
        ({"phi": "found", "mode": "cloud_only", "cloud_only_phi": "redact"}, "cloud-only-redacted", "cloud"),
        ({"phi": "found", "covered": True}, "provider-is-covered", "cloud"),
        ({"region": "elsewhere"}, "data-stays-in-its-region", "local"),
        ({"budget_left": 0.0}, "budget-is-spent", "local"),
        ({"budget_left": 0.05}, "budget-runs-out", "cloud_small"),
        ({"tier": "preferred", "complexity": "simple"}, "preferred-users-get-the-best", "cloud"),
        ({"channel": "voice"}, "a-caller-waits-for-the-first-word", "cloud_small"),
        ({"complexity": "simple"}, "simple-questions", "cloud_small"),
        ({}, "otherwise", "cloud"),
    ],
)
def test_the_public_line_routes_by_the_first_rule_that_fits(chosen: dict[str, Any], rule: str, use: str) -> None:
    decided = BOTH[0].decide(now(**chosen))
    assert (decided.name, decided.use) == (rule, use)


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        ("[{name: all, use: cloud}]", "all: would send personal data to the cloud unredacted"),
        ("[{name: stays, when: {phi: [found]}, use: local}, {name: all, use: cloud}]", "all: would send"),
        ("[{name: a, when: {phi: [assumed]}, use: cloud, redact: true}, {name: b, use: local}]", "a: would send"),
        ("[{name: only, when: {channel: [voice]}, use: local}]", "only: the last rule must have no condition"),
        ("[{name: all, use: elsewhere}]", "rules.0.use"),
        ("[{name: all, when: {weather: [rain]}, use: local}]", "rules.0.when.weather"),
        ("[]", "rules: List should have at least 1 item"),
    ],
)
def test_a_policy_that_could_leak_or_decides_nothing_is_refused(tmp_path: Path, rules: str, complaint: str) -> None:
    file = tmp_path / "routing.yaml"
    file.write_text(f"rules: {rules}\n")
    with pytest.raises(PackInvalid, match=complaint.replace("(", r"\(")):
        read_policy(file)


def test_a_pack_without_a_policy_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(PackInvalid, match=r"routing\.yaml is missing"):
        read_policy(tmp_path / "routing.yaml")
