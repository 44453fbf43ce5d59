"""multilingual-e5-small and the score on top of it as JAX functions, for training; for users
`careline.engines.embedded.e5.graph` runs the same.

The layers below `FROZEN` stay the embedder's own, so that the reader ships the others alone. The score is linear in the
first token's state and the mean over all tokens (Nogueira & Cho, Passage Re-ranking with BERT, arXiv 1901.04085, use
the first alone).
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from careline.engines.embedded.e5 import weights as e5_weights
from careline.engines.embedded.e5.graph import EPSILON
from careline.engines.embedded.e5.reader_weights import FROZEN, SCORE_SCALE, ReaderWeights

Layer = dict[str, jax.Array]
Parameters = dict[str, Any]
MATRICES = ("q", "k", "v", "ao", "fi", "fo")
NORMS = ("aln", "oln")


def layer_of(weights: e5_weights.Weights, number: int) -> Layer:
    """The tensors of one layer by their short names."""
    prefix, size = f"l{number}.", weights.hidden
    found: Layer = {}
    for name in MATRICES:
        inputs = weights.feed_forward if name == "fo" else size
        found[f"{name}.w"] = jnp.asarray(weights.unpacked(f"{prefix}{name}.w", inputs).copy())
        found[f"{name}.b"] = jnp.asarray(weights.floats(f"{prefix}{name}.b").copy())
    for name in NORMS:
        found[f"{name}.w"] = jnp.asarray(weights.floats(f"{prefix}{name}.w").copy())
        found[f"{name}.b"] = jnp.asarray(weights.floats(f"{prefix}{name}.b").copy())
    return found


def initial(weights: e5_weights.Weights) -> Parameters:
    """What is trained, as it is before the first step."""
    return {
        "layers": [layer_of(weights, number) for number in range(FROZEN, weights.layers)],
        "score.w": jnp.zeros((2 * weights.hidden,)),
        "score.b": jnp.zeros(()),
    }


def resumed(weights: e5_weights.Weights, kept: ReaderWeights) -> Parameters:
    """What an earlier training kept, to go on from; its matrices are those of 8 bits."""
    found = initial(weights)
    for number, layer in enumerate(found["layers"], FROZEN):
        for name, tensor in layer.items():
            key = f"l{number}.{name}"
            matrix = name.removesuffix(".w") in MATRICES
            held = kept.unpacked(key, tensor.shape[-1]) if matrix else kept.floats(key)
            layer[name] = jnp.asarray(held.reshape(tensor.shape))
    found["score.w"] = jnp.asarray(kept.floats("score.w"))
    found["score.b"] = jnp.asarray(kept.floats("score.b").reshape(()))
    return found


def normalised(x: jax.Array, weight: jax.Array, bias: jax.Array) -> jax.Array:
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + EPSILON) * weight + bias


def block(layer: Layer, hidden: jax.Array, mask: jax.Array, heads: int) -> jax.Array:
    """One layer. Shapes: hidden (batch, tokens, size), mask (batch, tokens)."""
    batch, tokens, size = hidden.shape

    flat = hidden.reshape(-1, size)  # Two dimensions are multiplied a third faster than three.

    def split(name: str) -> jax.Array:
        found = flat @ layer[f"{name}.w"].T + layer[f"{name}.b"]
        return found.reshape(batch, tokens, heads, size // heads).transpose(0, 2, 1, 3)

    query, key, value = split("q"), split("k"), split("v")
    scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(size // heads) + (1 - mask)[:, None, None, :] * -1e9
    seen = (jax.nn.softmax(scores, -1) @ value).transpose(0, 2, 1, 3).reshape(-1, size)
    flat = normalised(seen @ layer["ao.w"].T + layer["ao.b"] + flat, layer["aln.w"], layer["aln.b"])
    wide = jax.nn.gelu(flat @ layer["fi.w"].T + layer["fi.b"], approximate=False)
    flat = normalised(wide @ layer["fo.w"].T + layer["fo.b"] + flat, layer["oln.w"], layer["oln.b"])
    return flat.reshape(batch, tokens, size)


class Lower:
    """The frozen layers and the embedding of tokens."""

    def __init__(self, weights: e5_weights.Weights) -> None:
        self._weights = weights
        self._scales, self._halves = weights.blocks("emb.word", weights.hidden)
        places = weights.floats("emb.pos").reshape(weights.positions, -1)
        self._places = jnp.asarray(places + weights.floats("emb.type").reshape(-1, weights.hidden)[0])
        self._norm = jnp.asarray(weights.floats("emb.ln.w")), jnp.asarray(weights.floats("emb.ln.b"))
        self._layers = [layer_of(weights, number) for number in range(FROZEN)]
        self._run = jax.jit(self._through)

    def __call__(self, tokens: np.ndarray, mask: jax.Array) -> jax.Array:
        """States after the frozen layers for token numbers of shape (batch, tokens)."""
        rows = e5_weights.unpack(self._scales[tokens], self._halves[tokens]).reshape(*tokens.shape, -1)
        return self._run(jnp.asarray(rows), mask)

    def _through(self, rows: jax.Array, mask: jax.Array) -> jax.Array:
        hidden = normalised(rows + self._places[: rows.shape[1]], *self._norm)
        for layer in self._layers:
            hidden = block(layer, hidden, mask, self._weights.heads)
        return hidden


def score(parameters: Parameters, hidden: jax.Array, mask: jax.Array, heads: int) -> jax.Array:
    """How well each text answers its question, as a logit; shape (batch,)."""
    for layer in parameters["layers"]:
        hidden = block(layer, hidden, mask, heads)
    mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return jnp.concatenate([hidden[:, 0], mean], -1) @ parameters["score.w"] * SCORE_SCALE + parameters["score.b"]


def loss(
    parameters: Parameters, hidden: jax.Array, mask: jax.Array, labels: jax.Array, heads: int, group: int
) -> jax.Array:
    """Each text judged by itself, and within a group the one that answers before the others."""
    logits = score(parameters, hidden, mask, heads)
    alone = jnp.mean(jax.nn.softplus(logits) - labels * logits)
    grouped, right = logits.reshape(-1, group), labels.reshape(-1, group)
    has = right.sum(1)
    first = -(jax.nn.log_softmax(grouped, -1) * right).sum(1)
    return alone + 0.5 * (first * has).sum() / jnp.maximum(has.sum(), 1)
