"""A circuit breaker by itself: whatever callers do in whatever order, it opens, probes and closes as it should."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, precondition, rule

from careline.circuit.circuit import FAILURES, LEASE, PAUSE, SUCCESSES, Circuit, Verdict
from tests.fakes import NOW

VERDICTS: list[Verdict] = ["worked", "failed", "unknown"]


def failed(times: int, circuit: Circuit | None = None) -> Circuit:
    circuit = circuit or Circuit()
    for _ in range(times):
        circuit = circuit.after("failed", "", NOW)
    return circuit


def test_five_failures_in_a_row_open_it_and_four_do_not() -> None:
    assert failed(4).state == "closed"
    assert failed(5).state == "open"


def test_a_success_between_them_begins_the_count_anew() -> None:
    assert failed(4, failed(4).after("worked", "", NOW)).state == "closed"


def test_a_call_that_was_given_up_neither_counts_nor_forgives() -> None:
    assert failed(1, failed(4).after("unknown", "", NOW)).state == "open"


def test_nobody_asks_for_sixty_seconds_and_then_one_does() -> None:
    opened = failed(5)
    assert opened.waits(NOW + PAUSE - timedelta(seconds=1)) == timedelta(seconds=1)
    assert opened.waits(NOW + PAUSE) == timedelta(0)
    assert opened.probed("a", NOW + PAUSE).waits(NOW + PAUSE) == LEASE


def test_two_probes_that_work_close_it_and_one_does_not() -> None:
    after_one = failed(5).probed("a", NOW + PAUSE).after("worked", "a", NOW + PAUSE)
    assert (after_one.state, after_one.waits(NOW + PAUSE)) == ("half_open", timedelta(0))
    assert after_one.probed("b", NOW + PAUSE).after("worked", "b", NOW + PAUSE) == Circuit()


def test_a_probe_that_fails_opens_it_for_another_sixty_seconds() -> None:
    later = NOW + PAUSE
    again = failed(5).probed("a", later).after("failed", "a", later)
    assert (again.state, again.waits(later)) == ("open", PAUSE)


def test_a_probe_whose_process_is_gone_is_waited_for_no_longer_than_its_lease() -> None:
    later = NOW + PAUSE
    taken_over = failed(5).probed("a", later).probed("b", later + LEASE)
    assert taken_over.after("worked", "a", later + LEASE) == taken_over


def test_what_is_kept_comes_back_as_it_was() -> None:
    for one in (Circuit(), failed(3), failed(5), failed(5).probed("a", NOW + PAUSE)):
        assert Circuit.from_json(one.to_json()) == one


class Callers(RuleBasedStateMachine):
    """Many callers at once, whose calls end in any order, late ones too."""

    calls = Bundle("calls")

    def __init__(self) -> None:
        super().__init__()
        self.circuit, self.now, self.number = Circuit(), NOW, 0
        self.in_a_row = 0
        self.probes_worked = 0

    @rule(seconds=st.integers(1, 90))
    def time_passes(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @precondition(lambda self: not self.circuit.waits(self.now))
    @rule(target=calls)
    def a_call_begins(self) -> str:
        if self.circuit.state == "closed":
            return ""
        self.number += 1
        self.circuit = self.circuit.probed(str(self.number), self.now)
        return str(self.number)

    @rule(probe=consumes(calls), verdict=st.sampled_from(VERDICTS))
    def a_call_ends(self, probe: str, verdict: Verdict) -> None:
        before, was_live = self.circuit, bool(probe) and probe == self.circuit.probe
        self.circuit = before.after(verdict, probe, self.now)
        if before.state == "closed" and not probe:
            self.in_a_row = {"worked": 0, "failed": self.in_a_row + 1, "unknown": self.in_a_row}[verdict]
            assert (self.circuit.state == "open") == (self.in_a_row >= FAILURES)
        elif was_live:
            self.probes_worked = {"worked": self.probes_worked + 1, "failed": 0, "unknown": self.probes_worked}[verdict]
            assert (self.circuit.state == "closed") == (self.probes_worked >= SUCCESSES)
            assert (self.circuit.state == "open") == (verdict == "failed")
        else:
            # It belongs to a time that is over.
            assert self.circuit == before
        if self.circuit.state != before.state:
            self.in_a_row = self.probes_worked = 0

    @invariant()
    def at_most_one_probe_is_waited_for(self) -> None:
        if self.circuit.probe:
            assert self.circuit.state == "half_open"
            assert self.circuit.probe_until is not None

    @invariant()
    def nobody_waits_for_ever(self) -> None:
        assert self.circuit.waits(self.now) <= PAUSE
        assert self.circuit.waits(self.now + PAUSE) == timedelta(0)

    @invariant()
    def it_is_kept_whole(self) -> None:
        assert Circuit.from_json(self.circuit.to_json()) == self.circuit


TestCallers = Callers.TestCase
TestCallers.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
