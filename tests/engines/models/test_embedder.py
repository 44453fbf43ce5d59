"""What every embedder does; the embedded model's own promises are at the end."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest

from careline.engines.embedded.e5.graph import lower, upper
from careline.engines.embedded.e5.model import session
from careline.engines.embedded.e5.tokens import Tokeniser
from careline.engines.embedded.e5.weights import Weights, bundled
from careline.engines.embedded.embedder import SENTENCE_EMBEDDING, TOGETHER, E5Embedder
from careline.errors import EmbedderUnavailable
from careline.ports import Embedder, Matrix
from tests.emulators.openai import serving
from tests.fakes import FakeEmbedder
from tests.source_roots import PYTHONPATH

TEXTS = [
    "Bezoek mag elke dag van 14 tot 20 uur.", "Parkeren kost twee euro per uur in parking A.",
    "Breng uw identiteitskaart mee naar de opname.", "De resultaten van het bloedonderzoek staan online.",
    "U moet nuchter zijn voor de ingreep.", "",
]  # fmt: skip


@pytest.fixture(scope="module")
def e5() -> E5Embedder:
    return E5Embedder()


@pytest.fixture(params=["embedded", "fake", "openai"])
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    if request.param == "embedded":
        yield request.getfixturevalue("e5")
    elif request.param == "fake":
        yield FakeEmbedder()
    else:
        from openai import AsyncOpenAI

        from careline.engines.openai.embedder import OpenAIEmbedder

        with serving() as endpoint:
            async with AsyncOpenAI(api_key="k", base_url=endpoint.url, max_retries=0) as client:
                yield OpenAIEmbedder(lambda: client, "text-embedding-3-large", 96)


async def test_vectors_have_the_dimensions_that_are_promised_and_unit_length(embedder: Embedder) -> None:
    rows = await embedder.embed_passages(TEXTS)
    query = await embedder.embed_query("Tot hoe laat is het bezoekuur?")
    assert rows.shape == (len(TEXTS), embedder.dimensions)
    assert query.shape == (embedder.dimensions,)
    assert rows.dtype == query.dtype == np.float32
    assert np.allclose(np.linalg.norm([*rows, query], axis=1), 1, atol=1e-4)


async def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert (await embedder.embed_passages([])).shape == (0, embedder.dimensions)


async def test_calls_at_once_get_their_own_rows_in_order(embedder: Embedder) -> None:
    together = await embedder.embed_passages(TEXTS)
    parts = await asyncio.gather(*(embedder.embed_passages([text]) for text in TEXTS))
    assert all(part.shape == (1, embedder.dimensions) for part in parts)
    assert np.allclose(np.concatenate(parts), together, atol=0.02)
    assert np.argmax(np.concatenate(parts) @ together.T, axis=1).tolist() == list(range(len(TEXTS)))


async def test_the_same_text_has_the_same_vector(embedder: Embedder) -> None:
    for text in TEXTS[:3]:
        one, other = await embedder.embed_query(text), await embedder.embed_query(text)
        assert float(one @ other) > 0.9999


async def test_a_name_says_which_vectors_may_be_compared(embedder: Embedder) -> None:
    assert embedder.name


TRANSLATED = {
    "en": [
        "Visiting is allowed every day from 2 to 8 pm.", "Parking costs two euros per hour in car park A.",
        "Bring your identity card when you are admitted.", "The results of the blood test are online.",
        "You must have an empty stomach for the operation.",
    ],
    "fr": [
        "Les visites sont permises chaque jour de 14 à 20 heures.", "Le parking A coûte deux euros par heure.",
        "Apportez votre carte d'identité lors de l'admission.", "Les résultats de la prise de sang sont en ligne.",
        "Vous devez être à jeun pour l'intervention.",
    ],
    "it": [
        "Le visite sono permesse ogni giorno dalle 14 alle 20.", "Il parcheggio A costa due euro all'ora.",
        "Porti la carta d'identità al ricovero.", "I risultati dell'esame del sangue sono online.",
        "Deve essere a digiuno per l'intervento.",
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", TRANSLATED)
async def test_a_query_lies_nearest_to_its_own_translation(e5: E5Embedder, language: str) -> None:
    rows = await e5.embed_passages(TEXTS[:5])
    queries = [await e5.embed_query(text) for text in TRANSLATED[language]]
    assert np.argmax(np.stack(queries) @ rows.T, axis=1).tolist() == [0, 1, 2, 3, 4]


def test_a_literal_control_piece_in_a_text_is_text(e5: E5Embedder) -> None:
    for piece in ("<s>", "</s>", "<pad>", "<unk>", "<mask>"):
        assert e5.count_tokens(piece) > 1
    weights = Weights(bundled())
    tokens = Tokeniser(weights).tokens("<s> </s> <pad> hallo")
    assert not {weights.begin, weights.end, weights.padding} & set(tokens)
    assert e5.count_tokens("") == 0


async def test_a_long_text_is_read_to_its_end_in_windows(e5: E5Embedder) -> None:
    filler = "Dit ziekenhuis heeft veel afdelingen en nog meer kamers. "
    head, tail = filler * 80, "Parkeren kost twee euro per uur in de ondergrondse parking. " * 25
    tokeniser = Tokeniser(Weights(bundled()))
    windows = tokeniser.windows("passage: ", head + tail, 512)
    assert len(windows) > 2
    assert max(map(len, windows)) <= 512
    assert sum(len(window) - len(tokeniser.tokens("passage: ")) - 2 for window in windows) == e5.count_tokens(
        head + tail
    )
    question = await e5.embed_query("Hoeveel kost parkeren?")
    without, with_tail = await e5.embed_passages([head, head + tail])
    assert float(with_tail @ question) > float(without @ question) + 0.01
    assert np.linalg.norm(with_tail) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("text", ["a" * 20_000, "日本語のテキスト" * 50, "\x00\u202e\ud800", "🚑" * 300, "   \n "])
async def test_any_text_has_a_vector(e5: E5Embedder, text: str) -> None:
    (row,) = await e5.embed_passages([text])
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-4)


def test_weights_of_eight_bits_say_what_floats_say(e5: E5Embedder) -> None:
    weights = Weights(bundled())
    exact = [session(part(weights, "floats")) for part in (lower, upper)]
    tokeniser = Tokeniser(weights)
    windows = [tokeniser.windows("passage: ", text, 512)[0] for text in TEXTS[:5]]
    parts = [(e5._run(e5.load(whole=True), w), e5._run(exact, w)) for w in windows]
    assert min(float((one * other).sum(axis=1).min()) for one, other in parts) > 0.98


PROGRAM = """
import os, psutil
os.environ["OPENBLAS_NUM_THREADS"] = "1"
from careline.engines.embedded.embedder import E5Embedder
E5Embedder().embed("query: ", ["parkeren"])
print(os.environ["ORT_DISABLE_TELEMETRY"], psutil.Process().num_threads())
"""


def test_a_model_that_is_loaded_has_no_thread_that_sends_to_its_vendor() -> None:
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment)
    assert ran.stdout.split() == ["1", "1"]


async def test_a_question_is_read_once_for_the_screens_and_the_search(e5: E5Embedder) -> None:
    for text in (*TEXTS, "", "a long question " * 300):
        sentence_embedding, vector = await e5.read(text)
        assert np.array_equal(vector, await e5.embed_query(text))
        assert np.array_equal(sentence_embedding, (await e5.sentence_embeddings([text]))[0])


async def test_sentence_embeddings_have_a_row_for_each_text_that_its_neighbours_do_not_change(e5: E5Embedder) -> None:
    together = await e5.sentence_embeddings([*TEXTS, "a much longer text " * 60])
    assert together.shape == (len(TEXTS) + 1, SENTENCE_EMBEDDING)
    assert np.array_equal(
        together[: len(TEXTS)], np.concatenate([await e5.sentence_embeddings([text]) for text in TEXTS])
    )
    assert (await e5.sentence_embeddings([])).shape == (0, e5.sentence_dimensions) == (0, SENTENCE_EMBEDDING)


async def test_the_parts_of_a_sentence_embedding_have_length_one(e5: E5Embedder) -> None:
    parts = (await e5.sentence_embeddings([*TEXTS, "", "a text of several windows " * 200])).reshape(-1, e5.dimensions)
    assert np.linalg.norm(parts, axis=1) == pytest.approx(1, abs=1e-4)


async def test_what_is_embedded_beside_a_text_changes_nothing_in_its_vector(e5: E5Embedder) -> None:
    together = await e5.embed_passages([*TEXTS, "a much longer text " * 60])
    alone = np.concatenate([await e5.embed_passages([text]) for text in TEXTS])
    assert np.array_equal(together[: len(TEXTS)], alone)


async def test_calls_that_wait_are_computed_together(e5: E5Embedder) -> None:
    batches: list[int] = []
    embed = e5.embed

    class Counting(E5Embedder):
        def embed(self, prefix: str, texts: object) -> Matrix:
            batches.append(len(texts))  # type: ignore[arg-type]
            return embed(prefix, texts)  # type: ignore[arg-type]

    counting = Counting()
    await asyncio.gather(*(counting.embed_passages([f"tekst {n}"]) for n in range(20)))
    assert sum(batches) == 20
    assert len(batches) <= 2


class Broken(E5Embedder):
    """Breaks in a way nobody foresaw."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def embed(self, prefix: str, texts: object) -> Matrix:
        raise self.error


@pytest.mark.parametrize("error", [EmbedderUnavailable("no weights"), RuntimeError("out of memory")])
async def test_every_caller_of_a_batch_that_breaks_is_told(error: Exception) -> None:
    broken = Broken(error)
    for _ in range(2):
        async with asyncio.timeout(5):
            results = await asyncio.gather(*(broken.embed_passages(["a"]) for _ in range(3)), return_exceptions=True)
        assert [type(result) for result in results] == [type(error)] * 3


async def test_a_caller_who_went_away_does_not_keep_the_others_waiting(e5: E5Embedder) -> None:
    gone = asyncio.create_task(e5.embed_passages(["weg"]))
    stays = asyncio.create_task(e5.embed_passages(["blijft"]))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await stays).shape == (1, 384)


async def test_long_work_is_done_in_pieces_so_that_a_process_that_is_asked_to_end_waits_for_one() -> None:
    pieces: list[int] = []

    class Noting(E5Embedder):
        def embed(self, prefix: str, texts: Sequence[str]) -> Matrix:
            pieces.append(len(texts))
            return np.ones((len(texts), self.dimensions), np.float32)

    noting = Noting()
    first = asyncio.create_task(noting.embed_passages(["first"]))
    await asyncio.sleep(0)
    many = [f"text {n}" for n in range(2 * TOGETHER + 1)]
    gone, stays = (asyncio.create_task(noting.embed_passages(texts)) for texts in (["gone"] * 5, many))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await stays).shape == (len(many), 384)
    assert (await first).shape == (1, 384)
    assert pieces == [1, TOGETHER, TOGETHER, 1]


async def test_an_apostrophe_of_a_telephone_is_read_as_one_of_a_keyboard(e5: E5Embedder) -> None:
    typed = "j'ai avalé l'eau de javel, qu'est-ce que je fais"
    phoned = typed.replace("'", "’")
    assert np.array_equal(await e5.sentence_embeddings([typed]), await e5.sentence_embeddings([phoned]))
    for one, other in zip(await e5.read(typed), await e5.read(phoned), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(await e5.embed_query(typed), await e5.embed_query(phoned))
