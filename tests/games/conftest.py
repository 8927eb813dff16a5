"""Tests of a game whose folder is there but which is not registered yet are left out."""

from pathlib import Path

import pepperenvs.games
from pepperenvs import registry

_FOLDERS = {path.name for path in Path(pepperenvs.games.__file__).parent.iterdir() if (path / "rules.py").exists()}
_REGISTERED = {registry.package(game).rpartition(".")[2] for game in registry.games()}

collect_ignore_glob = [f"test_{folder}*.py" for folder in sorted(_FOLDERS - _REGISTERED)]
