"""The real servers: what our engines set up on them, and that nothing is left behind."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from careline.engines.aws.passage_index.index import OpenSearchIndex
from careline.engines.aws.passage_index.index_mapping import index_body
from careline.errors import IndexUnavailable, SettingsInvalid
from careline.ports import PassageQuery
from tests.builders import a_passage
from tests.engines.index.opensearch_profiles import client, serverless
from tests.engines.servers import install
from tests.fakes import DIMENSIONS, FakeEmbedder, FakeTable, SettableClock

ROOT = Path(__file__).resolve().parents[2]
embedder = FakeEmbedder()


@pytest.fixture
def name(opensearch_address: str) -> Iterator[str]:
    """A name for an index that is not there yet."""
    name = f"passages-{uuid.uuid4().hex}"
    yield name
    client(opensearch_address).indices.delete(index=name, ignore=404)


def an_index(address: str, name: str) -> OpenSearchIndex:
    async def refresh(seconds: float) -> None:
        client(address).indices.refresh(index=name)

    table = FakeTable(SettableClock())
    return OpenSearchIndex(lambda: client(address), name, table, "es", pause=refresh)


async def made_live(index: OpenSearchIndex, **said: Any) -> None:
    passage = a_passage("Parkeren kost twee euro.", **said)
    await index.add([passage], await embedder.embed_passages([passage.chunk.text]))
    await index.activate(passage.tenant, passage.doc_key, passage.version)


async def test_the_first_write_makes_the_index_as_it_was_reviewed(opensearch_address: str, name: str) -> None:
    index = an_index(opensearch_address, name)
    await index.clear("a")
    assert not client(opensearch_address).indices.exists(index=name)
    await made_live(index)
    wanted = index_body(DIMENSIONS, "es")
    there = client(opensearch_address).indices.get(index=name)[name]
    assert there["mappings"]["properties"] == wanted["mappings"]["properties"]
    assert there["settings"]["index"]["knn"] == "true"


async def test_many_first_writes_at_once_make_one_index(opensearch_address: str, name: str) -> None:
    await asyncio.gather(*(made_live(an_index(opensearch_address, name), doc_key=f"d-{n}") for n in range(6)))
    assert client(opensearch_address).count(index=name)["count"] == 6


async def test_fields_that_an_older_index_lacks_are_added(opensearch_address: str, name: str) -> None:
    body = index_body(DIMENSIONS, "es")
    del body["mappings"]["properties"]["table"]
    client(opensearch_address).indices.create(index=name, body=body)
    await made_live(an_index(opensearch_address, name))
    there = client(opensearch_address).indices.get(index=name)[name]["mappings"]["properties"]
    assert there["table"] == {"type": "text", "index": False}


@pytest.mark.parametrize(
    ("field", "held", "told"),
    [
        ("valid_from", {"type": "date"}, "holds valid_from with type date, and integer is needed"),
        ("packed", {"type": "binary"}, "holds packed with type binary"),
        ("text_nl", {"type": "text", "analyzer": "dutch"}, "holds text_nl with analyzer dutch, and whitespace"),
        ("vector", {"type": "knn_vector", "dimension": 8}, f"holds vector with dimension 8, and {DIMENSIONS}"),
        ("table", {"type": "text"}, "holds table with index True, and False is needed"),
    ],
)
async def test_an_index_that_was_made_otherwise_is_told_by_its_field_and_gets_nothing(
    opensearch_address: str, name: str, field: str, held: dict[str, Any], told: str
) -> None:
    body = index_body(DIMENSIONS, "es")
    body["mappings"]["properties"][field] = held
    client(opensearch_address).indices.create(index=name, body=body)
    with pytest.raises(SettingsInvalid, match=rf"^CARELINE_SEARCH_INDEX: the index {told}.*careline reindex"):
        await made_live(an_index(opensearch_address, name))
    client(opensearch_address).indices.refresh(index=name)
    assert client(opensearch_address).count(index=name)["count"] == 0


async def test_the_settings_alone_make_an_installation_that_finds_what_it_indexed(
    opensearch_address: str, name: str, aws: Any, dynamo: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody has made the index, and nobody refreshes it."""
    from careline import bootstrap
    from careline.engines.aws.connect import _made
    from careline.settings import Settings

    monkeypatch.setattr("careline.engines.aws.connect._made", dict(_made))
    said = {"STORAGE": "aws", "TABLE": "careline", "BUCKET": "files", "PRIVACY_KEY": "ab" * 32}
    search = {"SEARCH_ENDPOINT": opensearch_address, "SEARCH_INDEX": name, "SEARCH_SERVICE": "es"}
    settings = Settings.load({f"CARELINE_{key}": value for key, value in {**said, **search}.items()}, home=tmp_path)
    index = bootstrap.engines(settings).index
    passage = a_passage("Parkeren kost twee euro.", facts={"year": 2026})
    await index.add([passage], await embedder.embed_passages([passage.chunk.text]))
    await index.activate("a", passage.doc_key, passage.version)
    (hit,) = await index.find(PassageQuery("a", "parkeren", None, where={"year": (2026,)}))
    assert hit.passage == passage


async def test_what_a_collection_does_not_have_is_refused_by_its_stand_in(opensearch_address: str) -> None:
    with serverless(opensearch_address, FakeTable(SettableClock()), DIMENSIONS) as index:
        collection, name = index._client, index._name
        refused = [
            lambda: collection.info(),
            lambda: collection.indices.refresh(index=name),
            lambda: collection.indices.create(index=f"{name}-2"),
            lambda: collection.delete_by_query(index=name, body={"query": {"match_all": {}}}),
            lambda: collection.index(index=name, body={}, id="ours"),
            lambda: collection.bulk(index=name, body=[{"index": {"_id": "ours"}}, {"tenant": "a"}]),
            lambda: collection.bulk(index=name, body=[{"update": {"_id": "ours"}}, {"doc": {}}]),
            lambda: collection.search(index=name, body={"query": {"bool": {"filter": [{"script": {}}]}}}),
        ]
        for request in refused:
            with pytest.raises(IndexUnavailable):
                await index._ask(request)
        assert client(opensearch_address).count(index=name)["count"] == 0


def test_servers_end_with_the_process_that_started_them_even_when_it_is_killed(tmp_path: Path) -> None:
    if not install.is_installed():
        pytest.skip("real OpenSearch and DynamoDB Local are not there: `make engines`, with a JDK 17 and Maven")
    command = [sys.executable, "-m", "tests.engines.servers.run"]
    program = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=os.environ | {"TMPDIR": str(tmp_path)}
    )
    assert program.stdin is not None
    assert program.stdout is not None
    addresses = json.loads(program.stdout.readline())
    servers = psutil.Process(program.pid).children()
    listening = [
        place.laddr for server in servers for place in server.net_connections("inet") if place.status == "LISTEN"
    ]
    program.kill()
    program.wait()
    program.stdin.close()
    program.stdout.close()
    _, left = psutil.wait_procs(servers, timeout=60)
    assert left == []
    assert len(servers) == 2
    assert {place.ip.removeprefix("::ffff:") for place in listening} == {"127.0.0.1"}
    assert all(address.startswith("http://127.0.0.1:") for address in addresses.values())
