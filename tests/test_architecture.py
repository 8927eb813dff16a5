"""The structure that no single module can see: who imports whom, how long a module is, which rulings have a test."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
WALKED = ("pepperenvs", "agents", "experiments")
OURS = {*WALKED, "benchmarks", "tests", "notebooks"}
MAX_LINES = 500


class Row(NamedTuple):
    """What the modules of a layer may import. The first row whose pattern fits a file is its row.

    files            a pattern over paths, `*` also crosses folders
    layer            the layer that these files belong to; a layer may always import itself
    may              layers, or single modules by their dotted name
    lazily           the same, inside functions only
    packages         other people's packages; `*` is every one that is not GUARDED
    packages_lazily  the same, inside functions only
    """

    files: str
    layer: str
    may: str = ""
    lazily: str = ""
    packages: str = ""
    packages_lazily: str = ""


SB3 = "stable_baselines3 sb3_contrib"
APIS = "gymnasium pettingzoo"
GUARDED = {"numba", "llvmlite", "torch", "resvg_py", "pygame", *SB3.split(), *APIS.split()}
PEPPERENVS = "root cli adapters testing records bench docs drivers registry games lexicon core"

# Read from the bottom up: each layer knows only what stands below it.
TABLE = (
    Row("experiments/*", "experiments", f"agents {PEPPERENVS}", packages=f"* torch {SB3} {APIS}"),
    Row("agents/*polic*", "agents", PEPPERENVS, packages=f"* torch {SB3}"),
    Row("agents/*", "agents", PEPPERENVS, packages="*"),
    Row("pepperenvs/__main__.py", "cli", PEPPERENVS, packages="tyro numpy"),
    Row("pepperenvs/cli.py", "cli", PEPPERENVS, packages="tyro numpy"),
    Row("pepperenvs/__init__.py", "root", "registry pepperenvs.games", lazily="drivers core"),
    Row("pepperenvs/adapters/*", "adapters", "drivers core registry", packages=f"* {SB3} {APIS}"),
    Row("pepperenvs/testing/*", "testing", "drivers core registry", packages="numpy", packages_lazily=APIS),
    Row("pepperenvs/records.py", "records", "drivers core registry", packages="numpy"),
    Row("pepperenvs/bench.py", "bench", "drivers core registry", packages="numpy"),
    Row("pepperenvs/docs.py", "docs", "drivers core registry", packages="numpy"),
    Row("pepperenvs/drivers/render.py", "drivers", "core registry", packages=f"numpy {APIS} resvg_py pygame"),
    Row("pepperenvs/drivers/*", "drivers", "core registry", packages=f"numpy {APIS}"),
    Row("pepperenvs/registry.py", "registry", "core", lazily="games", packages="numpy"),
    Row("pepperenvs/games/*", "games", "core lexicon", packages="numpy"),  # and never another game
    Row("pepperenvs/lexicon/*", "lexicon", "core", packages="numpy"),
    Row("pepperenvs/core/jit.py", "core", packages="numpy numba llvmlite"),
    Row("pepperenvs/core/*", "core", packages="numpy"),
)


class Import(NamedTuple):
    """One import of one module: where it stands, and whether it runs only when a function is called."""

    file: str
    line: int
    module: str
    lazy: bool
    for_types: bool


def row_of(file: str) -> Row | None:
    return next((row for row in TABLE if fnmatch(file, row.files)), None)


def file_of(tree: Path, module: str) -> str:
    """The path of a module of ours below the tree; a guess, `a/b.py`, if there is no such file."""
    path = module.replace(".", "/")
    return f"{path}/__init__.py" if (tree / path).is_dir() else f"{path}.py"


def game_of(file: str) -> str | None:
    """The game whose folder a file lies in."""
    parts = file.split("/")
    return parts[2] if len(parts) > 3 and parts[:2] == ["pepperenvs", "games"] else None


def modules_named(tree: Path, file: str, node: ast.AST) -> list[str]:
    """The full names of the modules that one node imports, `import_module("…")` included."""
    match node:
        case ast.Import(names=names):
            return [name.name for name in names]
        case ast.ImportFrom(module=module, names=names, level=level):
            package = file.removesuffix(".py").split("/")[: -level or None]
            base = ".".join((package if level else []) + (module.split(".") if module else []))
            whole = [f"{base}.{name.name}" for name in names]
            return [name if (tree / file_of(tree, name)).exists() else base for name in whole]
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[ast.Constant(value=str(module)), *_]):
            return [module] if name in ("import_module", "__import__") else []
    return []


def imports_of(tree: Path) -> Iterator[Import]:
    """All imports of all modules in the walked folders of a tree."""

    def walk(file: str, node: ast.AST, lazy: bool, for_types: bool) -> Iterator[Import]:
        for module in modules_named(tree, file, node):
            yield Import(file, node.lineno, module, lazy, for_types)
        lazy = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        guard = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for child in ast.iter_child_nodes(node):
            yield from walk(file, child, lazy, for_types or (guard and child in node.body))

    for folder in WALKED:
        for path in sorted((tree / folder).rglob("*.py")):
            yield from walk(path.relative_to(tree).as_posix(), ast.parse(path.read_text("utf-8")), False, False)


def objection(tree: Path, found: Import) -> str | None:
    """Why the table forbids an import, or None."""
    row, top = row_of(found.file), found.module.split(".")[0]
    if row is None:
        return "this file has no row in the table"
    if top in OURS:
        target = file_of(tree, found.module)
        ours, theirs = game_of(found.file), game_of(target)
        if ours and theirs and ours != theirs:
            return f"game {ours} knows game {theirs}"
        layer = target_row.layer if (target_row := row_of(target)) else top
        may = {row.layer, *row.may.split(), *(row.lazily.split() if found.lazy or found.for_types else ())}
        return None if {layer, found.module} & may else f"{row.layer} may not import {layer}"
    if top in sys.stdlib_module_names or found.for_types:
        return None
    packages = {*row.packages.split(), *(row.packages_lazily.split() if found.lazy else ())}
    if top in packages or ("*" in packages and top not in GUARDED):
        return None
    where = " outside a function" if top in row.packages_lazily.split() else ""
    return f"{row.layer} may not import {top}{where}"


def violations(tree: Path) -> list[str]:
    """Every import that goes against the table, as `file:line: module: reason`."""
    checked = ((found, objection(tree, found)) for found in imports_of(tree))
    return [f"{found.file}:{found.line}: {found.module}: {reason}" for found, reason in checked if reason]


def test_imports_follow_the_table() -> None:
    assert violations(ROOT) == []


def test_no_game_imports_another() -> None:
    pairs = {(game_of(found.file), game_of(file_of(ROOT, found.module))) for found in imports_of(ROOT)}
    assert {(ours, theirs) for ours, theirs in pairs if ours and theirs and ours != theirs} == set()


def plant(tree: Path, file: str, source: str) -> None:
    """A small tree with two games and one file more, which holds the source."""
    for name in ("core/jit.py", "drivers/aec.py", "games/mild/rules.py", "games/hot/rules.py"):
        (tree / "pepperenvs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / "pepperenvs" / name).touch()
    (tree / file).parent.mkdir(parents=True, exist_ok=True)
    (tree / file).write_text(source, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "source", "reason"),
    [
        ("pepperenvs/games/mild/view.py", "from pepperenvs.games.hot import rules", "game mild knows game hot"),
        ("pepperenvs/games/mild/view.py", "from ..hot.rules import step", "game mild knows game hot"),
        ("pepperenvs/games/mild/view.py", "from pepperenvs.drivers import aec", "games may not import drivers"),
        ("pepperenvs/games/mild/view.py", "def f():\n    import agents.base", "games may not import agents"),
        ("pepperenvs/games/mild/view.py", "import numba", "games may not import numba"),
        ("pepperenvs/core/rng.py", "from numba import njit", "core may not import numba"),
        ("pepperenvs/core/rng.py", "from ..drivers.aec import x", "core may not import drivers"),
        ("pepperenvs/drivers/aec.py", "def f():\n    import pygame", "drivers may not import pygame"),
        ("pepperenvs/drivers/aec.py", "from ..games.hot import rules", "drivers may not import games"),
        ("pepperenvs/registry.py", "import pepperenvs.games.hot.rules", "registry may not import games"),
        ("pepperenvs/testing/checks.py", "import pettingzoo", "testing may not import pettingzoo outside a function"),
        ("pepperenvs/__init__.py", "from pepperenvs.drivers.aec import x", "root may not import drivers"),
        ("pepperenvs/cli.py", "import agents", "cli may not import agents"),
        ("pepperenvs/utils.py", "import os", "this file has no row in the table"),
        ("agents/match.py", "import torch.nn as nn", "agents may not import torch"),
        ("agents/match.py", "f = lambda: __import__('torch')", "agents may not import torch"),
        ("agents/base.py", "import experiments", "agents may not import experiments"),
        ("experiments/ppo.py", "from importlib import *\nimport_module('numba')", "experiments may not import numba"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, file: str, source: str, reason: str) -> None:
    plant(tmp_path, file, source)
    (found,) = violations(tmp_path)
    assert found.startswith(f"{file}:") and found.endswith(f": {reason}")


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("pepperenvs/core/jit.py", "import numba\nimport numpy as np"),
        ("pepperenvs/games/mild/view.py", "import math\nfrom pepperenvs.core.jit import kernel\nfrom . import rules"),
        ("pepperenvs/games/mild/view.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch"),
        ("pepperenvs/registry.py", "def f():\n    import pepperenvs.games.hot.rules"),
        ("pepperenvs/testing/checks.py", "def f():\n    import pettingzoo"),
        ("pepperenvs/drivers/render.py", "import pygame"),
        ("agents/policy.py", "import torch\nimport pepperenvs"),
        ("experiments/ppo.py", "import torch\nfrom agents import base\nfrom pepperenvs.drivers import aec"),
    ],
)
def test_what_the_table_allows_is_let_through(tmp_path: Path, file: str, source: str) -> None:
    plant(tmp_path, file, source)
    assert violations(tmp_path) == []


def test_modules_are_short() -> None:
    paths = [path for folder in ("pepperenvs", "agents") for path in (ROOT / folder).rglob("*.py")]
    lines = {path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in paths}
    assert {file: count for file, count in lines.items() if count > MAX_LINES} == {}


def test_importing_pepperenvs_is_light() -> None:
    code = "import sys, pepperenvs; print(*sorted({'numba', 'pettingzoo', 'torch'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def rulings_with_a_test(path: Path) -> set[int]:
    """The numbers that the names of a file's test functions carry: `test_refill_waits_r7_r12` names R7 and R12."""
    if not path.exists():
        return set()
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    names = [node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    return {int(number) for name in names for number in re.findall(r"(?<=_)[rR](\d+)(?=_|$)", name)}


@pytest.mark.parametrize("game", sorted(path.parent.name for path in ROOT.glob("pepperenvs/games/*/RULES.md")))
def test_every_ruling_has_a_test(game: str) -> None:
    rules = (ROOT / "pepperenvs/games" / game / "RULES.md").read_text("utf-8")
    rulings = {int(number) for number in re.findall(r"\*\*R(\d+)\*\*", rules)}
    assert sorted(rulings - rulings_with_a_test(ROOT / f"tests/games/test_{game}.py")) == []
