"""The network that learns, and the agent that plays it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_safetensors
from torch import Tensor, nn

from pepperenvs import registry

ROWS = 256  # decisions that PolicyAgent hands to the network at once, always: floats depend on the batch size
_ILLEGAL = -1e9  # logit of an illegal action


class CheckpointError(ValueError):
    """A checkpoint that is damaged, truncated, edited, or of another game, version or kind."""


class Policy(nn.Module):
    """Two hidden layers over the counts of an observation, scaled by the layout; a logit an action, and a value.

    The value estimates the utility of the seat that observes.
    """

    scale: Tensor

    def __init__(self, game: str, hidden: int) -> None:
        super().__init__()
        spec = registry.spec(game)
        self.register_buffer("scale", torch.from_numpy(spec.layout.scale.copy()), persistent=False)
        self.trunk = nn.Sequential(
            _linear(spec.layout.size, hidden, 2**0.5), nn.Tanh(), _linear(hidden, hidden, 2**0.5), nn.Tanh()
        )
        self.logits = _linear(hidden, spec.actions.size, 0.01)
        self.value = _linear(hidden, 1, 1.0)

    def forward(self, observation: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What the policy makes of observations int16 [n, cells] and masks int8 [n, actions].

        returns    columns int64 [c], the actions that are legal in some row: the wide head is computed for these alone;
                   masked logits float32 [n, c]; values float32 [n]
        """
        features = self.features(observation)
        columns = action_mask.any(dim=0).nonzero().squeeze(1)
        logits = nn.functional.linear(features, self.logits.weight[columns], self.logits.bias[columns])
        illegal = action_mask[:, columns] == 0
        return columns, logits.masked_fill(illegal, _ILLEGAL), self.value(features).squeeze(-1)

    def features(self, observation: Tensor) -> Tensor:
        """The last hidden layer, float32 [n, hidden]."""
        features: Tensor = self.trunk(observation.float() * self.scale)
        return features

    def values(self, observation: Tensor) -> Tensor:
        """Values alone, float32 [n]."""
        values: Tensor = self.value(self.features(observation)).squeeze(-1)
        return values


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """A layer with orthogonal weights and no bias to begin with, as PPO implementations commonly have it."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class PolicyAgent:
    """Plays a policy: its likeliest action, or, with `sample`, an action drawn from its distribution.

    The answer to an observation does not depend on the other rows: the network always gets ROWS of them, on one thread,
    and computes the logits of all actions.
    """

    def __init__(self, policy: Policy, name: str = "ppo", *, sample: bool = False, seed: int = 0) -> None:
        self.name = name
        self.scripted: str | None = None
        self._policy = policy
        self._sample = sample
        self.restart(seed)

    @classmethod
    def read(cls, game: str, path: str | Path) -> PolicyAgent:
        """The agent of a checkpoint. Raises CheckpointError if it is damaged or for another game."""
        return cls(read_policy(game, path), f"ppo:{Path(path).stem}")

    def restart(self, seed: int) -> None:
        """Begin the generator of sampled actions anew."""
        self._random = np.random.default_rng(seed)

    def act(self, observation: NDArray[np.int16], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """Actions int64 [n]; shapes as in base.Agent."""
        rows = len(observation)
        padded = -(-rows // ROWS) * ROWS
        logits = np.empty((padded, action_mask.shape[1]), np.float32)
        with one_thread():
            for start in range(0, padded, ROWS):
                logits[start : start + ROWS] = self._logits(observation[start:], action_mask[start:])
        if self._sample:
            logits = logits[:rows] + self._random.gumbel(size=(rows, logits.shape[1])).astype(np.float32)
        chosen: NDArray[np.int64] = np.argmax(logits[:rows], axis=1)
        return chosen

    def _logits(self, observation: NDArray[np.int16], action_mask: NDArray[np.int8]) -> NDArray[np.float32]:
        cells = np.zeros((ROWS, observation.shape[1]), np.int16)
        mask = np.zeros((ROWS, action_mask.shape[1]), np.int8)
        rows = min(ROWS, len(observation))
        cells[:rows], mask[:rows] = observation[:rows], action_mask[:rows]
        with torch.no_grad():
            logits = self._policy.logits(self._policy.features(torch.from_numpy(cells))).numpy()
        return np.where(mask != 0, logits, np.float32(_ILLEGAL))


_SETTING = threading.Lock()


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Lets PyTorch compute on one thread. The setting is the whole process's: agents in other threads wait."""
    with _SETTING:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


class ValueFunction:
    """What a policy's network makes of positions for all seats; a searcher that cuts its playouts off may ask it.

    It was trained on what seats see when they are to move; other seats' values are what it makes of the same cells.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    @classmethod
    def read(cls, game: str, path: str | Path) -> ValueFunction:
        """That of a checkpoint. Raises CheckpointError if it is damaged or for another game."""
        return cls(read_policy(game, path))

    def __call__(self, observation: NDArray[np.int16]) -> NDArray[np.float64]:
        """Values float64 [n, seats], within -1 … 1, of observations int16 [n, seats, cells]."""
        with one_thread(), torch.no_grad():
            values = self._policy.values(torch.from_numpy(observation.reshape(-1, observation.shape[-1])))
        clipped: NDArray[np.float64] = np.clip(values.numpy().astype(np.float64), -1, 1)
        return clipped.reshape(observation.shape[:-1])


# ----------------------------------------------------------------------------------------------- checkpoints

FORMAT = 1
_KEY = "pepperenvs"  # of the metadata


def write_checkpoint(path: str | Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
    """Write tensors and facts (JSON) with a digest of both; the former file stays intact until the new one is whole."""
    path = Path(path)
    text = json.dumps(dict(facts, format=FORMAT), sort_keys=True)
    whole = {name: tensor.detach().contiguous().clone() for name, tensor in tensors.items()}
    # One key, since safetensors writes several in any order, and equal checkpoints should be equal files.
    data = to_safetensors(whole, {_KEY: json.dumps({"facts": text, "digest": _digest(whole, text)})})
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def read_checkpoint(path: str | Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and facts that `write_checkpoint` wrote.

    Raises CheckpointError, which names the file and what is wrong; FileNotFoundError if there is none.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no checkpoint {path}")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = (file.metadata() or {}).get(_KEY, "{}")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (no mapping)
    except SafetensorError as error:
        raise CheckpointError(f"{path}: no whole safetensors file ({error})") from error
    try:
        sealed = json.loads(metadata)
        text, digest = sealed["facts"], sealed["digest"]
    except (ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path}: its metadata lack facts or digest; no checkpoint of ours") from error
    if _digest(tensors, str(text)) != digest:
        raise CheckpointError(f"{path}: the digest does not match; tensors or facts are damaged or edited")
    facts = json.loads(text)
    if facts.get("format") != FORMAT:
        raise CheckpointError(f"{path}: format {facts.get('format')!r}; this version reads {FORMAT}")
    return tensors, facts


def read_policy(game: str, path: str | Path) -> Policy:
    """The network of a checkpoint. Raises CheckpointError if it is damaged or for another game."""
    tensors, facts = read_checkpoint(path)
    check_game(path, facts, game)
    weights = {name[7:]: tensor for name, tensor in tensors.items() if name.startswith("policy.")}
    try:
        policy = Policy(game, int(facts["hidden"]))
        policy.load_state_dict(weights)
    except (KeyError, RuntimeError) as error:
        raise CheckpointError(f"{path}: it holds no policy of this kind") from error
    return policy


def game_facts(game: str) -> dict[str, Any]:
    """What a policy's input and output depend on, for a checkpoint: the game and digests of its two declarations."""
    spec = registry.spec(game)
    declared = {"observation": [*spec.layout.rows()], "actions": spec.actions.strings}
    digests = {name: hashlib.sha256(repr(value).encode()).hexdigest()[:16] for name, value in declared.items()}
    return {"game": game, **digests}


def check_game(path: str | Path, facts: Mapping[str, Any], game: str) -> None:
    """Raises CheckpointError if a checkpoint's facts are not for this game as it is declared now."""
    for name, value in game_facts(game).items():
        if facts.get(name) != value:
            raise CheckpointError(f"{path}: its {name} is {facts.get(name)!r}, here it is {value!r}")


def _digest(tensors: Mapping[str, Tensor], text: str) -> str:
    total = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        tensor = tensors[name]
        total.update(f"\n{name} {tensor.dtype} {tuple(tensor.shape)} ".encode())
        total.update(tensor.contiguous().view(-1).view(torch.uint8).numpy().tobytes())
    return total.hexdigest()
