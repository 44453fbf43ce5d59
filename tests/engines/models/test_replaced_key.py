"""A key in Secrets Manager: read when it is first needed, replaced without a deployment, and absent without harm."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import pytest

from careline.circuit.circuit import FAILURES
from careline.circuit.circuits import Circuits
from careline.circuit.guarded import GuardedEmbedder
from careline.engines.openai.client import with_secret
from careline.engines.openai.embedder import OpenAIEmbedder
from careline.engines.openai.model import ModelTimeouts, OpenAIModel, Prices
from careline.errors import EmbedderUnavailable, ModelKeyMissing, ModelUnavailable, SecretMissing, SecretUnavailable
from tests.builders import some_ids
from tests.emulators.openai import MODEL, Endpoint, serving
from tests.engines.models.test_openai_wire import text_of
from tests.fakes import FakeTable, SettableClock

pytest.importorskip("aws_lambda_powertools")
pytest.importorskip("moto")
from careline.engines.aws.secrets import PLACEHOLDER, ReadOnce, StoredSecret

OLD, NEW = "sk-old-4b1d", "sk-new-9c2e"


class Watch:
    """Seconds that tests move."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class Counted:
    """A client of Secrets Manager that counts what it is asked for, and may be out of order."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.calls = 0
        self.broken = False
        self.meanwhile: Callable[[], object] = lambda: None
        """What is done while it is asked."""

    def get_secret_value(self, **asked: Any) -> Any:
        self.calls += 1
        found = self._real.get_secret_value(**asked)
        self.meanwhile()
        if self.broken:
            raise self._real.exceptions.InternalServiceError({"Error": {"Code": "InternalServiceError"}}, "Get")
        return found


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    import boto3
    from moto import mock_aws

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        made = boto3.client("secretsmanager", region_name="eu-west-1")
        made.create_secret(Name="model-key", SecretString=OLD)
        yield made


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def asked(manager: Any) -> Counted:
    return Counted(manager)


@pytest.fixture
def secret(asked: Counted, watch: Watch) -> StoredSecret:
    return StoredSecret("model-key", asked, watch)


@pytest.fixture
async def model(endpoint: Endpoint, secret: StoredSecret) -> AsyncIterator[OpenAIModel]:
    async with with_secret(endpoint.url, secret) as opened:
        yield OpenAIModel(opened, MODEL, Prices(), ModelTimeouts(first=5, next=5))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as opened:
        opened.accepted = (OLD,)
        yield opened


def put(manager: Any, text: str) -> None:
    manager.put_secret_value(SecretId="model-key", SecretString=text)


async def test_nothing_is_read_before_it_is_needed_and_then_once(
    model: OpenAIModel, asked: Counted, endpoint: Endpoint
) -> None:
    assert asked.calls == 0
    await text_of(model)
    await text_of(model)
    assert asked.calls == 1
    assert endpoint.keys == [f"Bearer {OLD}"] * 2


async def test_a_key_that_was_replaced_is_fetched_when_the_old_one_is_refused(
    model: OpenAIModel, manager: Any, endpoint: Endpoint
) -> None:
    await text_of(model)
    put(manager, NEW)
    endpoint.accepted = (NEW,)
    assert await text_of(model) == "Bezoek mag tot 20 uur [1]."
    assert endpoint.keys == [f"Bearer {OLD}", f"Bearer {OLD}", f"Bearer {NEW}"]


async def test_a_key_that_stays_wrong_is_not_fetched_with_each_question(
    model: OpenAIModel, asked: Counted, watch: Watch, endpoint: Endpoint
) -> None:
    endpoint.accepted = (NEW,)
    for _ in range(3):
        with pytest.raises(ModelUnavailable, match="401"):
            await text_of(model)
    assert asked.calls == 2
    watch.seconds += 11
    with pytest.raises(ModelUnavailable, match="401"):
        await text_of(model)
    assert asked.calls == 3


@pytest.mark.parametrize("text", [PLACEHOLDER, " ", f"{PLACEHOLDER}\n"])
async def test_where_nobody_has_put_a_key_in_nobody_is_asked_and_it_is_said(
    model: OpenAIModel, manager: Any, watch: Watch, endpoint: Endpoint, text: str
) -> None:
    put(manager, text)
    with pytest.raises(ModelKeyMissing, match="put-secret-value") as raised:
        await text_of(model)
    assert (raised.value.was_asked, raised.value.kind, endpoint.requests) == (False, "no_key", [])
    put(manager, OLD)
    watch.seconds += 11
    assert await text_of(model) == "Bezoek mag tot 20 uur [1]."


async def test_an_embedder_without_a_key_is_not_there_and_asks_nobody(
    manager: Any, secret: StoredSecret, endpoint: Endpoint
) -> None:
    put(manager, PLACEHOLDER)
    async with with_secret(endpoint.url, secret) as opened:
        with pytest.raises(EmbedderUnavailable, match="no key") as raised:
            await OpenAIEmbedder(lambda: opened, "text-embedding-3-large", 64).embed_query("tekst")
    assert (raised.value.was_asked, raised.value.kind, endpoint.requests) == (False, "no_key", [])


@pytest.mark.parametrize("is_missing", [True, False])
async def test_an_embedder_whose_key_cannot_be_had_opens_no_circuit(
    manager: Any, secret: StoredSecret, asked: Counted, endpoint: Endpoint, is_missing: bool
) -> None:
    put(manager, PLACEHOLDER)
    asked.broken = not is_missing
    circuits = Circuits(FakeTable(), SettableClock(), some_ids())
    async with with_secret(endpoint.url, secret) as opened:
        embedder = GuardedEmbedder(OpenAIEmbedder(lambda: opened, "text-embedding-3-large", 64), circuits)
        for _ in range(FAILURES + 1):
            with pytest.raises(EmbedderUnavailable) as raised:
                await embedder.embed_query("tekst")
            assert raised.value.kind == ("no_key" if is_missing else "secret")
    assert (circuits.paused(), endpoint.requests) == (frozenset(), [])


async def test_what_was_read_serves_on_while_the_manager_is_out_of_order(
    secret: StoredSecret, asked: Counted, watch: Watch
) -> None:
    assert await secret.read() == OLD
    asked.broken, watch.seconds = True, watch.seconds + 11
    assert await secret.renew() == OLD


async def test_a_manager_that_is_out_of_order_is_asked_once_in_half_a_minute(
    secret: StoredSecret, asked: Counted, watch: Watch, manager: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("careline.engines.aws.secrets.MAX_AGE_SECONDS", -1)
    assert await secret.read() == OLD
    asked.broken = True
    assert [await secret.read() for _ in range(5)] == [OLD] * 5
    assert asked.calls == 2
    watch.seconds += 29
    assert await secret.read() == OLD
    assert asked.calls == 2
    asked.broken = False
    put(manager, NEW)
    watch.seconds += 2
    assert await secret.read() == NEW


@pytest.mark.parametrize("is_broken", [False, True])
def test_while_one_reads_nobody_waits_who_has_the_last_value(
    secret: StoredSecret, asked: Counted, monkeypatch: pytest.MonkeyPatch, is_broken: bool
) -> None:
    monkeypatch.setattr("careline.engines.aws.secrets.MAX_AGE_SECONDS", -1)
    assert secret.value() == OLD
    others: list[str] = []

    def ask_beside() -> None:
        # Within the reading of somebody else: who waited for its end would wait for ever.
        others.extend(pool.submit(secret.value).result(30) for _ in range(3))

    with ThreadPoolExecutor(1) as pool:
        asked.meanwhile, asked.broken = ask_beside, is_broken
        assert secret.value() == OLD
    assert (others, asked.calls) == ([OLD] * 3, 2)


def test_those_who_wait_for_the_first_value_share_one_reading_also_where_it_fails(
    secret: StoredSecret, asked: Counted
) -> None:
    beside: list[Future[str]] = []

    def ask_beside() -> None:
        beside.extend(pool.submit(secret.value) for _ in range(3))
        # They are given the time to begin, so that each would read if it did so by itself.
        assert not wait(beside, 0.5).done

    with ThreadPoolExecutor(3) as pool:
        asked.meanwhile, asked.broken = ask_beside, True
        with pytest.raises(SecretUnavailable):
            secret.value()
        assert {type(one.exception(30)) for one in beside} == {SecretUnavailable}
    assert asked.calls == 1


def test_who_was_refused_while_another_reads_is_given_what_took_its_place_since(
    secret: StoredSecret, asked: Counted, manager: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("careline.engines.aws.secrets.MAX_AGE_SECONDS", -1)
    assert secret.value() == OLD
    beside: list[Future[str]] = []

    def renew_beside() -> None:
        asked.meanwhile = lambda: None
        put(manager, NEW)
        beside.append(pool.submit(asyncio.run, secret.renew()))
        assert not wait(beside, 0.5).done

    with ThreadPoolExecutor(1) as pool:
        asked.meanwhile = renew_beside
        assert secret.value() == OLD
        assert beside[0].result(30) == NEW


async def test_a_key_that_could_not_be_read_is_not_read_on_the_event_loop(
    secret: StoredSecret, asked: Counted, watch: Watch
) -> None:
    once = ReadOnce(secret.value, watch)
    asked.broken = True
    with pytest.raises(SecretUnavailable):
        await asyncio.to_thread(once)
    watch.seconds += 6
    asked.broken = False
    with pytest.raises(SecretUnavailable, match=r"InternalServiceError$"):
        once()
    assert asked.calls == 1
    assert await asyncio.to_thread(once) == once() == OLD


def test_what_is_read_once_tells_a_failure_again_without_another_reading(
    secret: StoredSecret, asked: Counted, watch: Watch
) -> None:
    once = ReadOnce(secret.value, watch)
    asked.broken = True
    for _ in range(3):
        with pytest.raises(SecretUnavailable, match=r"InternalServiceError$") as raised:
            once()
        assert raised.value.retry_after == 5
    assert asked.calls == 1
    asked.broken = False
    watch.seconds += 6
    assert [once(), once()] == [OLD, OLD]
    assert asked.calls == 2


def test_what_is_read_once_is_there_as_soon_as_somebody_has_put_it_in(
    secret: StoredSecret, manager: Any, watch: Watch
) -> None:
    once = ReadOnce(secret.value, watch)
    put(manager, PLACEHOLDER)
    with pytest.raises(SecretMissing):
        once()
    put(manager, OLD)
    watch.seconds += 11
    assert once() == OLD


async def test_a_secret_that_was_never_read_names_the_vendors_code_and_nothing_else(
    asked: Counted, secret: StoredSecret
) -> None:
    asked.broken = True
    with pytest.raises(SecretUnavailable, match=r"InternalServiceError$") as raised:
        await secret.read()
    assert not isinstance(raised.value, SecretMissing)
    asked.broken = False
    assert await secret.read() == OLD


async def test_no_key_stands_in_an_error(model: OpenAIModel, endpoint: Endpoint) -> None:
    endpoint.accepted = (NEW,)
    with pytest.raises(ModelUnavailable) as raised:
        await text_of(model)
    assert OLD not in "".join(traceback.format_exception(raised.value)) + repr(vars(raised.value))


async def test_a_process_that_has_served_nobody_yet_has_read_no_secret(
    manager: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from careline import bootstrap
    from careline.engines.aws import secrets
    from careline.settings import Settings

    asked = Counted(manager)
    secrets.stored.cache_clear()
    monkeypatch.setattr(secrets, "client", lambda service: asked)
    said = {"STORAGE": "aws", "TABLE": "t", "BUCKET": "b", "SEARCH_ENDPOINT": "https://search.invalid"}
    named = {"PRIVACY_KEY_SECRET": "privacy-key", "MODEL": "openai", "OPENAI_API_KEY_SECRET": "model-key"}
    manager.create_secret(Name="privacy-key", SecretString="ab" * 32)
    variables = {f"CARELINE_{name}": value for name, value in {**said, **named}.items()}
    made = bootstrap.engines(Settings.load(variables))
    assert asked.calls == 0
    assert made.key == made.key == bytes.fromhex("ab" * 32)
    assert asked.calls == 1
    secrets.stored.cache_clear()


def test_a_key_that_cannot_be_read_is_not_asked_for_by_each_use(manager: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from careline import bootstrap
    from careline.engines.aws import secrets
    from careline.settings import Settings

    asked = Counted(manager)
    asked.broken = True
    secrets.stored.cache_clear()
    monkeypatch.setattr(secrets, "client", lambda service: asked)
    said = {"STORAGE": "aws", "TABLE": "t", "PRIVACY_KEY_SECRET": "privacy-key"}
    kept = bootstrap.records(Settings.load({f"CARELINE_{name}": value for name, value in said.items()}))
    for _ in range(3):
        with pytest.raises(SecretUnavailable):
            _ = kept.key
    assert asked.calls == 1
    secrets.stored.cache_clear()
