"""Writes an ONNX model as bytes: just the protobuf fields that `graph` needs.

Field numbers are those of onnx.proto (ONNX IR version 10). The onnx package would do the same with 17 MB of wheel and
a slow import at every start.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

FLOAT, INT32 = 1, 6
_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
_IR_VERSION = 10
Pieces = list[bytes | memoryview]
"""Bytes that are joined once, at the end: a model is 25 MB, and each copy of it takes longer than to compute it."""


def _number(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _integer(field: int, value: int) -> bytes:
    return _number(field << 3) + _number(value)


def _start(field: int, content: Pieces) -> Pieces:
    """What stands before a block of these pieces."""
    return [_number(field << 3 | 2) + _number(sum(map(len, content)))]


def _block(field: int, content: bytes | str) -> bytes:
    raw = content.encode() if isinstance(content, str) else content
    return _number(field << 3 | 2) + _number(len(raw)) + raw


def tensor(name: str, values: npt.NDArray[np.generic]) -> Pieces:
    """A TensorProto, in pieces: the values are copied once, into the model."""
    raw = np.ascontiguousarray(values).reshape(-1).view(np.uint8).data
    shape = b"".join(_integer(1, size) for size in values.shape)
    head = shape + _integer(2, _TYPES[values.dtype.name]) + _block(8, name)
    return [head, *_start(9, [raw]), raw]


def node(
    operation: str, inputs: Sequence[str], outputs: Sequence[str], domain: str, **attributes: float | list[int]
) -> bytes:
    """A NodeProto; attributes may be int, float or a list of int."""
    out = b"".join(_block(1, name) for name in inputs) + b"".join(_block(2, name) for name in outputs)
    out += _block(4, operation)
    for name, value in attributes.items():
        out += _block(5, _attribute(name, value))
    return out + (_block(7, domain) if domain else b"")


def _attribute(name: str, value: float | list[int]) -> bytes:
    if isinstance(value, list):
        return _block(1, name) + b"".join(_integer(8, one) for one in value) + _integer(20, 7)
    if isinstance(value, float):
        return _block(1, name) + _number(2 << 3 | 5) + np.float32(value).tobytes() + _integer(20, 1)
    return _block(1, name) + _integer(3, value) + _integer(20, 2)


def value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    """A ValueInfoProto of a tensor; text in the shape names a free dimension."""
    sizes = b"".join(_block(1, _block(2, size) if isinstance(size, str) else _integer(1, size)) for size in shape)
    return _block(1, name) + _block(2, _block(1, _integer(1, kind) + _block(2, sizes)))


def model(
    nodes: Sequence[bytes],
    inputs: Sequence[bytes],
    outputs: Sequence[bytes],
    tensors: Sequence[Pieces],
    operator_sets: Sequence[tuple[str, int]],
) -> bytes:
    """A ModelProto."""
    graph: Pieces = [*(_block(1, one) for one in nodes), _block(2, "e5")]
    for one in tensors:
        graph += [*_start(5, one), *one]
    graph += [*(_block(11, one) for one in inputs), *(_block(12, one) for one in outputs)]
    sets = b"".join(_block(8, _block(1, domain) + _integer(2, version)) for domain, version in operator_sets)
    return b"".join([_integer(1, _IR_VERSION), *_start(7, graph), *graph, sets])
