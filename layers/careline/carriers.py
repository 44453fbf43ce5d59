"""Where calls come from: the addresses of carriers, from `carriers.yaml`, for whoever lets them in."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

FILE = Path(__file__).with_suffix(".yaml")


@dataclass(frozen=True, slots=True)
class Carrier:
    """One carrier. `signals` are networks by the place that they are in, `audio` networks of all places."""

    name: str
    source: str
    read: str
    signals: Mapping[str, str]
    audio: tuple[str, ...]


@cache
def carriers() -> Mapping[str, Carrier]:
    """Every carrier by its key. Raises: ValueError for what is no network."""
    read = yaml.load(FILE.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    return {key: _carrier(said) for key, said in read.items()}


def _carrier(said: Mapping[str, object]) -> Carrier:
    signals, audio = said["signals"], said["audio"]
    assert isinstance(signals, dict)
    assert isinstance(audio, list)
    for network in (*signals.values(), *audio):
        ipaddress.ip_network(network)
    return Carrier(str(said["name"]), str(said["source"]), str(said["read"]), signals, tuple(audio))
