"""Builds the ONNX graphs of multilingual-e5-small from its weights, in memory, in under half a second.

Two models that follow one another: the screens need no more than the first.

`int8` and `uint8` multiply in 8 bits with one scale per column and give the same numbers (`byte_products`); `floats` is
what they are compared with. Word embeddings stay outside of the graph: the caller unpacks the rows it needs. The
architecture is BERT's (12 layers, 12 heads, post layer normalisation, exact GELU); the output is the mean over all
tokens that are not padding, `<s>` and `</s>` included, scaled to length 1.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from careline.engines.embedded.e5 import byte_products, onnx_file
from careline.engines.embedded.e5.reader_weights import FROZEN, SCORE_SCALE, ReaderWeights
from careline.engines.embedded.e5.weights import Floats, Weights

Variant = byte_products.Sign | Literal["floats"]
EPSILON = 1e-12
SPLIT = 8
"""Layers of the lower model."""
POOLED_LAYERS = (4, 6, 8)
"""Layers, counted from 1, whose means are what the screens look at. The last layers say what finds a passage; those in
the middle say more of what is meant."""
_MICROSOFT = byte_products.DOMAIN


class _Graph:
    """Collects nodes and tensors and names what lies between them."""

    def __init__(self, weights: Weights, variant: Variant) -> None:
        self.weights: Weights | ReaderWeights = weights
        self._shape = weights
        self.variant = variant
        self.nodes: list[bytes] = []
        self.tensors: list[onnx_file.Pieces] = []
        self._mask: tuple[str, ...] = ()

    def keep(self, name: str, values: np.ndarray) -> str:
        self.tensors.append(onnx_file.tensor(name, values))
        return name

    def many(
        self, operation: str, inputs: list[str], count: int, domain: str = "", **attributes: float | list[int]
    ) -> list[str]:
        outputs = [f"t{len(self.nodes)}_{n}" for n in range(count)]
        self.nodes.append(onnx_file.node(operation, inputs, outputs, domain, **attributes))
        return outputs

    def one(self, operation: str, inputs: list[str], domain: str = "", **attributes: float | list[int]) -> str:
        return self.many(operation, inputs, 1, domain, **attributes)[0]

    def multiply(self, inputs: str, names: list[str], size: int, bias: Floats) -> str:
        """inputs x the named weight matrices side by side + bias."""
        rows = np.concatenate([self.weights.unpacked(name, size) for name in names])
        if self.variant == "floats":
            product = self.one("MatMul", [inputs, self.keep(names[0], np.ascontiguousarray(rows.T))])
            return self.one("Add", [product, self.keep(names[0] + ".bias", bias)])
        scale = np.maximum(rows.max(1), -rows.min(1)) / byte_products.LARGEST
        # In place, row by row as they lie: a third of the time of new arrays of columns.
        np.rint(np.divide(rows, scale[:, None], out=rows), out=rows)
        whole, zero = byte_products.written(np.ascontiguousarray(rows.astype(np.int8).T), self.variant)
        name = names[0]
        parts = [
            inputs,
            self.keep(name, whole),
            self.keep(name + ".scale", scale.astype(np.float32)),
            self.keep(name + ".zero", zero),
            self.keep(name + ".bias", bias),
        ]
        return self.one("DynamicQuantizeMatMul", parts, _MICROSOFT)

    def add_and_normalise(self, inputs: str, residual: str, name: str) -> str:
        # Two nodes: onnxruntime's SkipLayerNormalization does the same in three times the time (1.31).
        parts = [
            self.one("Add", [inputs, residual]),
            self.keep(name + ".w", self.weights.floats(name + ".w")),
            self.keep(name + ".b", self.weights.floats(name + ".b")),
        ]
        return self.one("LayerNormalization", parts, axis=-1, epsilon=EPSILON)

    def mean(self, hidden: str) -> str:
        if not self._mask:
            last, tokens = (self.keep(name, np.array([axis], np.int64)) for name, axis in (("last", -1), ("tokens", 1)))
            mask = self.one("Unsqueeze", [self.one("Cast", ["attention_mask"], to=onnx_file.FLOAT), last])
            self._mask = last, tokens, mask, self.one("ReduceSum", [mask, tokens], keepdims=0)
        _, tokens, mask, count = self._mask
        total = self.one("ReduceSum", [self.one("Mul", [hidden, mask]), tokens], keepdims=0)
        return self.one("Div", [total, count])

    def mean_of_unit_length(self, hidden: str) -> str:
        mean = self.mean(hidden)
        return self.one("Div", [mean, self.one("ReduceL2", [mean, self._mask[0]], keepdims=1)])

    def give(self, operation: str, inputs: list[str], output: str, **attributes: float | list[int]) -> None:
        self.nodes.append(onnx_file.node(operation, inputs, [output], "", **attributes))

    def written(self, first: str, outputs: dict[str, list[str | int]]) -> bytes:
        inputs = [
            onnx_file.value(first, onnx_file.FLOAT, ["batch", "tokens", self._shape.hidden]),
            onnx_file.value("attention_mask", onnx_file.INT32, ["batch", "tokens"]),
        ]
        given = [onnx_file.value(name, onnx_file.FLOAT, shape) for name, shape in outputs.items()]
        return onnx_file.model(self.nodes, inputs, given, self.tensors, [("", 21), (_MICROSOFT, 1)])

    def layer(self, number: int, hidden: str) -> str:
        prefix, size = f"l{number}.", self._shape.hidden
        bias = {part: self.weights.floats(f"{prefix}{part}.b") for part in ("q", "k", "v", "ao", "fi", "fo")}
        together = np.concatenate([bias["q"], bias["k"], bias["v"]])
        qkv = self.multiply(hidden, [prefix + part for part in ("q.w", "k.w", "v.w")], size, together)
        query, key, value = self.many("Split", [qkv], 3, axis=-1, num_outputs=3)
        seen = self.one(
            "MultiHeadAttention", [query, key, value, "", "attention_mask"], _MICROSOFT, num_heads=self._shape.heads
        )
        attended = self.multiply(seen, [prefix + "ao.w"], size, bias["ao"])
        hidden = self.add_and_normalise(attended, hidden, prefix + "aln")
        wide = self.one("Gelu", [self.multiply(hidden, [prefix + "fi.w"], size, bias["fi"])], _MICROSOFT)
        narrow = self.multiply(wide, [prefix + "fo.w"], self._shape.feed_forward, bias["fo"])
        return self.add_and_normalise(narrow, hidden, prefix + "oln")


def lower(weights: Weights, variant: Variant) -> bytes:
    """The model of the layers up to `SPLIT`.

    Inputs: `word_embeddings` (batch, tokens, 384) and `attention_mask` (batch, tokens) int32. Outputs: `hidden` (batch,
    tokens, 384) and `sentence_embedding` (batch, 384 for each of `POOLED_LAYERS`), the mean over the tokens after each
    of those layers, each of length 1.
    """
    graph, size = _Graph(weights, variant), weights.hidden
    hidden = _placed(graph, weights)
    sentence_embedding = []
    for number in range(SPLIT):
        hidden = graph.layer(number, hidden)
        if number + 1 in POOLED_LAYERS:
            sentence_embedding.append(graph.mean_of_unit_length(hidden))
    graph.give("Identity", [hidden], "hidden")
    graph.give("Concat", sentence_embedding, "sentence_embedding", axis=-1)
    outputs = {"hidden": ["batch", "tokens", size], "sentence_embedding": ["batch", size * len(POOLED_LAYERS)]}
    return graph.written("word_embeddings", outputs)


def _placed(graph: _Graph, weights: Weights) -> str:
    """The word embeddings with that of their place, normalised."""
    size = weights.hidden
    zero = graph.keep("zero", np.array([0], np.int64))
    length = graph.one("Shape", ["word_embeddings"], start=1, end=2)
    places = (
        weights.floats("emb.pos").reshape(weights.positions, size) + weights.floats("emb.type").reshape(-1, size)[0]
    )
    place = graph.one("Slice", [graph.keep("places", places), zero, length, zero])
    return graph.one(
        "LayerNormalization",
        [
            graph.one("Add", ["word_embeddings", place]),
            graph.keep("emb.ln.w", weights.floats("emb.ln.w")),
            graph.keep("emb.ln.b", weights.floats("emb.ln.b")),
        ],
        axis=-1,
        epsilon=EPSILON,
    )


def upper(weights: Weights, variant: Variant) -> bytes:
    """The model of the other layers. Inputs: `hidden` and `attention_mask`; output: `embedding` (batch, 384)."""
    graph, hidden = _Graph(weights, variant), "hidden"
    for number in range(SPLIT, weights.layers):
        hidden = graph.layer(number, hidden)
    graph.give("Identity", [graph.mean_of_unit_length(hidden)], "embedding")
    return graph.written("hidden", {"embedding": ["batch", weights.hidden]})


def reader(weights: Weights, trained: ReaderWeights, variant: Variant) -> bytes:
    """The reader: the embedder's own layers below, the trained ones above, and the score.

    Inputs: `word_embeddings` (batch, tokens, 384) and `attention_mask` (batch, tokens) int32 of a question and a text
    (`reader_input`); output: `relevance` (batch, 1), a logit.
    """
    graph = _Graph(weights, variant)
    hidden = _placed(graph, weights)
    for number in range(weights.layers):
        if number == FROZEN:
            graph.weights = trained
        hidden = graph.layer(number, hidden)
    size, first = weights.hidden, graph.keep("first", np.array(0, np.int64))
    states = graph.one("Concat", [graph.one("Gather", [hidden, first], axis=1), graph.mean(hidden)], axis=-1)
    column = graph.keep("score", trained.floats("score.w").reshape(2 * size, 1) * np.float32(SCORE_SCALE))
    graph.give(
        "Add", [graph.one("MatMul", [states, column]), graph.keep("bias", trained.floats("score.b"))], "relevance"
    )
    return graph.written("word_embeddings", {"relevance": ["batch", 1]})
