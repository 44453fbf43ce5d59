"""So many a minute for each key, counted with a clock that stands still until it is moved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.access.rate_limit import RateLimit
from careline.errors import TooManyRequests
from careline.identity import Role
from tests.access.doors import code, door
from tests.fakes import SettableClock


def taken(limit: RateLimit, key: str, times: int) -> int:
    """How many of so many tries are let through."""
    return sum(not limit.wait(key) and not limit.count(key) for _ in range(times))  # type: ignore[func-returns-value]


def test_a_minutes_share_may_be_used_at_once_and_comes_back_bit_by_bit() -> None:
    clock = SettableClock()
    limit = RateLimit(6, clock)
    assert taken(limit, "a", 10) == 6
    clock.move(9)
    assert taken(limit, "a", 10) == 0
    clock.move(1.5)
    assert taken(limit, "a", 10) == 1
    clock.move(600)
    assert taken(limit, "a", 10) == 6


@pytest.mark.parametrize("per_minute", [1, 7, 9, 11, 13, 29, 61, 97, 600])
def test_a_minutes_share_is_whole_whatever_it_is_divided_by(per_minute: int) -> None:
    assert taken(RateLimit(per_minute, SettableClock()), "a", per_minute + 5) == per_minute


def test_keys_do_not_use_up_each_others_share_and_no_limit_is_none() -> None:
    clock = SettableClock()
    limit = RateLimit(1, clock)
    assert [taken(limit, key, 2) for key in "abc"] == [1, 1, 1]
    assert taken(RateLimit(0, clock), "a", 1000) == 1000


def test_the_seconds_to_wait_are_enough_and_told() -> None:
    clock = SettableClock()
    limit = RateLimit(30, clock)
    taken(limit, "a", 30)
    with pytest.raises(TooManyRequests, match="wait") as refused:
        limit.take("a", "wait")
    assert refused.value.retry_after
    clock.move(refused.value.retry_after)
    limit.take("a", "wait")


def test_no_number_of_keys_fills_the_memory() -> None:
    limit = RateLimit(1, SettableClock(), kept=50)
    for n in range(1000):
        limit.count(str(n))
    assert sum(limit.wait(str(n)) > 0 for n in range(1000)) == 50


@given(st.lists(st.tuples(st.floats(0, 120), st.integers(0, 50)), max_size=20), st.integers(1, 100))
def test_nobody_gets_more_than_two_shares_in_any_minute(steps: list[tuple[float, int]], per_minute: int) -> None:
    clock = SettableClock()
    limit, began = RateLimit(per_minute, clock), clock.elapsed()
    got = [(clock.elapsed(), taken(limit, "a", tries)) for pause, tries in steps if not clock.move(pause)]  # type: ignore[func-returns-value]
    for start, _ in got:
        within = sum(number for at, number in got if start <= at <= start + 59)
        assert within <= 2 * per_minute
    assert sum(number for _, number in got) <= per_minute * ((clock.elapsed() - began) / 60 + 1) + 1


def test_questions_and_changes_are_counted_for_each_login_and_for_its_hospital() -> None:
    limits = {"questions_per_minute": 2, "tenant_questions_per_minute": 3, "writes_per_minute": 1}
    with door(**limits) as at:

        def ask(token: str) -> int:
            return at.as_(token, "POST", "/v1/query", json={"text": "goeiedag"}).status_code

        caller, user = at.tokens[Role.CALLER], at.tokens[Role.USER]
        assert [ask(caller) for _ in range(3)] == [200, 200, 429]
        assert [ask(user) for _ in range(2)] == [200, 429], "three of the hospital's"
        assert ask(at.others[Role.CALLER]) == 200
        owner = at.tokens[Role.OWNER]
        assert at.as_(owner, "DELETE", "/v1/documents/none").status_code == 404
        refused = at.as_(owner, "DELETE", "/v1/documents/none")
        assert code(refused) == (429, "TOO_MANY_REQUESTS")
        clock = at.installation.engines.clock
        assert refused.headers["retry-after"] == str(60 - clock.now().second), "when the next minute begins"
        assert at.as_(owner, "GET", "/v1/documents").status_code == 200, "reading is not counted"
        at.installation.engines.clock.move(60)  # type: ignore[attr-defined]
        assert ask(caller) == 200


def test_whoever_needs_no_login_is_not_counted() -> None:
    with door(login="auto", questions_per_minute=1, writes_per_minute=1) as at:
        assert [at.client.post("/v1/query", json={"text": "goeiedag"}).status_code for _ in range(3)] == [200] * 3
