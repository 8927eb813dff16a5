"""The state of a game: one cell of a packed NumPy record type; how it is declared, saved and loaded."""

from __future__ import annotations

import hashlib
import json
import math
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

OVER = -1  # `to_move` after the end
DEAL = 1  # `pending` when the set-up is awaited; a game's further random outcomes have numbers from 2

Field = tuple[str, Any] | tuple[str, Any, tuple[int, ...]]


def state_dtype(max_seats: int, *fields: Field) -> np.dtype[Any]:
    """The record type of a game's state: the common fields, then the game's own, packed.

    fields    (name, type) or (name, type, shape). Scalars are int64, only arrays may be narrower; the widest come
              first; the last field pads the record to a multiple of 8 bytes if need be.

    Raises ValueError where a declaration breaks these rules or uses a name that np.record has as an attribute (with
    the JIT off, the attribute would win over the field).
    """
    common: list[Field] = [
        ("rng", np.uint64, (1,)),  # the game's generator: random outcomes of the rules only
        ("to_move", np.int64),  # seat to move, or OVER
        ("pending", np.int64),  # random outcome that is awaited, 0 for none
        ("stage", np.int64),  # where `advance` resumes
        ("moves", np.int64),  # decisions made so far, by all seats
        ("max_moves", np.int64),  # the game is truncated after so many; 0 where a field of the game's own limits it
        ("num_seats", np.int64),  # players of this game
        ("recall", np.int64),  # option of every game: 1 if observations show what a perfect memory would still know
        ("truncated", np.int64),  # 1 when a limit ended the game, not its rules
        ("score", np.int64, (max_seats,)),  # points, [seats]
        ("standing", np.int64, (max_seats,)),  # place at the end: seats that stand strictly before, [seats]
    ]
    declared = [*common, *fields]
    _check_fields(declared)
    return np.dtype((np.record, declared))


def _check_fields(fields: list[Field]) -> None:
    width = 8
    total = 0
    for name, kind, *shape in fields:
        scalar = np.dtype(kind)
        if hasattr(np.record, name):
            raise ValueError(f"field {name!r}: np.record has an attribute of that name")
        if not shape and scalar != np.dtype(np.int64):
            raise ValueError(f"field {name!r}: scalars are int64, only arrays may be {scalar}")
        if scalar.itemsize > width:
            raise ValueError(f"field {name!r}: {scalar} comes after a narrower field; the widest come first")
        width = scalar.itemsize
        total += scalar.itemsize * math.prod(shape[0] if shape else ())
    if total % 8:
        raise ValueError(f"the record has {total} bytes; a last field must pad it to a multiple of 8")


# ------------------------------------------------------------------------------------------- save and load

_MAGIC = b"pepperenvs state\n"
_FORMAT = 1
_LENGTH = struct.Struct("<I")
_HASH_BYTES = 32


class SaveError(ValueError):
    """A saved state that is damaged, truncated, edited, or of another game or version."""


def save(states: NDArray[Any], game: str) -> bytes:
    """The states of one game as bytes.

    states    [n], the game's State
    game      name with version, as in "heat_guess_v0"

    Layout: magic, length of the header (uint32, little-endian), header (JSON: format, game, digest of the record type,
    number of states, bytes of the body), SHA-256 of header and body, body.
    """
    body = states.tobytes()
    facts = {"format": _FORMAT, "game": game, "state": dtype_digest(states.dtype), "count": len(states)}
    header = json.dumps({**facts, "bytes": len(body)}).encode()
    return _MAGIC + _LENGTH.pack(len(header)) + header + hashlib.sha256(header + body).digest() + body


def load(data: bytes, game: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The states that `save` wrote, [n].

    Raises SaveError, which names what is wrong: not a save, truncated, damaged, another game or version, or a record
    type that has changed since.
    """
    header, checksum, body = _split(bytes(data))
    if hashlib.sha256(header + body).digest() != checksum:
        raise SaveError("saved state: the checksum does not match; the header or the body is damaged or edited")
    facts = _facts(header)
    if facts.get("format") != _FORMAT:
        raise SaveError(f"saved state: format {facts.get('format')!r} in the header, this version reads {_FORMAT}")
    if facts.get("game") != game:
        raise SaveError(f"saved state: it is of game {facts.get('game')!r}, not of {game!r}")
    if facts.get("state") != dtype_digest(dtype):
        raise SaveError(f"saved state: {game} has another record type in this version (digest in the header differs)")
    if facts.get("bytes") != len(body) or facts.get("count") != len(body) // dtype.itemsize or not body:
        raise SaveError(f"saved state: {len(body)} bytes of body are no {facts.get('count')!r} states of {game}")
    return np.frombuffer(bytearray(body), dtype=dtype)


def _split(data: bytes) -> tuple[bytes, bytes, bytes]:
    if not data.startswith(_MAGIC):
        raise SaveError("saved state: it does not begin like one (first bytes differ)")
    start = len(_MAGIC) + _LENGTH.size
    if len(data) < start:
        raise SaveError(f"saved state: truncated in the length of the header ({len(data)} bytes)")
    (length,) = _LENGTH.unpack_from(data, len(_MAGIC))
    if len(data) < start + length + _HASH_BYTES:
        raise SaveError(f"saved state: truncated in the header or checksum ({len(data)} bytes)")
    body = start + length + _HASH_BYTES
    return data[start : start + length], data[start + length : body], data[body:]


def _facts(header: bytes) -> dict[str, Any]:
    try:
        facts = json.loads(header)
    except ValueError as error:
        raise SaveError(f"saved state: the header is not JSON ({error})") from error
    if not isinstance(facts, dict):
        raise SaveError("saved state: the header is no JSON object")
    return facts


def dtype_digest(dtype: np.dtype[Any]) -> str:
    """Digest of a record type: names, types, shapes and order of its fields."""
    return hashlib.sha256(repr(dtype.descr).encode()).hexdigest()[:16]
