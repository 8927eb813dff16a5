"""Compiled kernels and where their machine code is kept.

This is the only module that imports numba. `kernel` compiles a function, `bind` rebuilds a driver template with a
game's kernels as its globals, `entry` returns the fast way into a bound function.

**The cache.** Numba notices an edit only in the file of the function that it compiles, not in the files of what that
function calls. So each game has a cache folder named by a digest of everything its machine code depends on: the
sources of core, of the driver templates, of the lexicon and of the game (all but those that hold no kernels), its data
tables, the compiler's flags and the versions of Python, NumPy and Numba. After an edit another folder is used; old
ones are deleted. With `NUMBA_DISABLE_JIT=1` everything here is plain Python.
"""

from __future__ import annotations

import atexit
import dis
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import config
from numba.core import caching

F = TypeVar("F", bound=Callable[..., Any])

PURE_PYTHON = bool(config.DISABLE_JIT)

# Level 2 compiles a quarter faster than 3 and the kernels run no slower.
OPTIMISATION_LEVEL = os.environ.get("NUMBA_OPT", "2")
BOUNDS_CHECK = bool(config.BOUNDSCHECK)

# Sources of a game, of core and of the lexicon that no machine code depends on: an edit must not cost a compilation.
WITHOUT_KERNELS = frozenset({"__init__.py", "text.py", "draw.py", "record.py", "spec.py", "svg.py", "letter_cards.py"})
KEPT_DIGESTS = 8  # cache folders kept for each game; more than one checkout may be in use

_PACKAGE = Path(__file__).resolve().parent.parent


# ---------------------------------------------------------------------------------------------- the cache


def _machine_code_sources(folder: Path) -> list[Path]:
    code = [
        *sorted((_PACKAGE / "core").glob("*.py")),
        *sorted((_PACKAGE / "drivers").glob("_*.py")),
        *sorted(folder.glob("*.py")),
    ]
    data = [*sorted((_PACKAGE / "lexicon").glob("**/*")), *sorted((folder / "data").glob("**/*"))]
    found = [path for path in dict.fromkeys([*code, *data]) if path.name not in WITHOUT_KERNELS]
    return [path for path in found if path.is_file() and path.suffix not in (".pyc", ".md")]


@functools.cache
def digest(folder: Path) -> str:
    """Digest of all that the machine code of the kernels in `folder` depends on, 16 hexadecimal digits."""
    flags = (OPTIMISATION_LEVEL, BOUNDS_CHECK, config.LOOP_VECTORIZE, config.SLP_VECTORIZE)
    versions = (sys.version_info[:3], np.__version__, numba.__version__)
    total = hashlib.sha256(repr((flags, versions)).encode())
    for path in _machine_code_sources(folder):
        total.update(f"\n{path.parent.name}/{path.name} ".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


@functools.cache
def cache_root() -> Path:
    """The folder of all compiled kernels: PEPPERENVS_CACHE_DIR, else where the platform keeps caches.

    Falls back to a temporary folder, with a warning, if that place cannot be written.
    """
    root = _wanted_cache_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=root).close()
    except OSError as error:
        fallback = Path(tempfile.mkdtemp(prefix="pepperenvs-"))
        atexit.register(shutil.rmtree, fallback, ignore_errors=True)
        warnings.warn(f"{root} cannot be written ({error.strerror}); kernels are compiled anew into {fallback}. "
                      "Set PEPPERENVS_CACHE_DIR to a folder that can.", RuntimeWarning, stacklevel=2)  # fmt: skip
        return fallback
    return root


def _wanted_cache_root() -> Path:
    if named := os.environ.get("PEPPERENVS_CACHE_DIR"):
        return Path(named).expanduser().absolute()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "pepperenvs" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pepperenvs"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pepperenvs"


@functools.cache
def cache_folder(folder: Path) -> Path:
    """Where the compiled kernels of the sources in `folder` lie; makes it and prunes old ones of the same name."""
    path = cache_root() / f"{folder.name}-{digest(folder)}"
    if path.exists():
        os.utime(path)
    else:
        path.mkdir(parents=True, exist_ok=True)
        _prune(path)
    return path


def _prune(newest: Path) -> None:
    name = newest.name.rpartition("-")[0]
    siblings = [path for path in newest.parent.glob(f"{name}-*") if path.name.rpartition("-")[0] == name]
    siblings.sort(key=_last_use, reverse=True)
    for path in siblings[KEPT_DIGESTS:]:
        shutil.rmtree(path, ignore_errors=True)


def _last_use(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another process pruned it
        return time.time()


class _Locator(caching._CacheLocator):  # type: ignore[misc]  # Numba declares no types, here and below
    """Keeps a function's machine code in the folder of its game's digest, which stands for the source's date too."""

    def __init__(self, folder: Path) -> None:
        self._path = cache_folder(folder)

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._path.name

    def get_disambiguator(self) -> str:
        return ""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(getattr(py_func, "_cache_for", None) or Path(py_file).resolve().parent)


class _CacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Locator]


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _CacheImpl


def _compiled(function: Any, inline: str = "never") -> Any:
    flags = {"nogil": True, "boundscheck": BOUNDS_CHECK, "error_model": "numpy", "inline": inline}
    dispatcher = numba.njit(**flags)(function)
    dispatcher._cache = _Cache(function)
    return dispatcher


# ------------------------------------------------------------------------------------------------ kernels


def kernel(function: F) -> F:
    """Compile `function` (a plain function over states, arrays and numbers) on its first call; `nogil`, cached.

    To type checkers, and to readers, it stays the function that it is.
    """
    if PURE_PYTHON:
        return function
    return _compiled(function)  # type: ignore[no-any-return]


def wrapping_kernel(function: F) -> F:
    """A kernel that counts on unsigned integers to wrap: NumPy warns of it in pure Python, compiled code does not."""
    if not PURE_PYTHON:
        return kernel(function)

    @functools.wraps(function)
    def quiet(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return quiet  # type: ignore[return-value]


# ---------------------------------------------------------------------------------------------- templates


def slot(*_: Any) -> Any:
    """Stands in a template module for a kernel that `bind` puts in."""
    raise TypeError("a driver template is called before it is bound to a game's kernels")


_bound: dict[tuple[Any, ...], Any] = {}


def bind(template: Callable[..., Any], folder: Path, *, inline: bool = False, **given: Any) -> Any:
    """The function `template` with the names in `given` as its globals, compiled and cached for the game in `folder`.

    template    a plain function; every global name it uses is in `given`, or has a value (not `slot`) in its module
    folder      the game's folder: names the cache
    inline      whether callers take its code in before they are optimised. Else LLVM optimises all that lies below it,
                once for itself and again for every caller
    given       kernels, bound templates and constants (int, float, bool, str); those it does not use are ignored

    The function's qualified name carries a digest of all that is given, since Numba's disk cache would otherwise hand
    out the machine code of the same template bound to other kernels.
    Raises TypeError if a name is left unbound.
    """
    names = _global_names(template)
    used = {name: given[name] for name in names if name in given}
    key = (template, folder, inline, tuple((name, _identity(value)) for name, value in sorted(used.items())))
    if key not in _bound:
        namespace = _namespace(template, names, used)
        function: Any = types.FunctionType(template.__code__, namespace, template.__name__, template.__defaults__)
        function.__doc__, function.__module__ = template.__doc__, template.__module__
        text = repr([(name, _identity(value)) for name, value in sorted(used.items())])
        function.__qualname__ = f"{template.__name__}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        function._cache_for = folder
        _bound[key] = function if PURE_PYTHON else _compiled(function, "always" if inline else "never")
    return _bound[key]


def _global_names(template: Callable[..., Any]) -> list[str]:
    instructions = dis.get_instructions(template)
    return sorted({i.argval for i in instructions if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")})


def _identity(value: Any) -> str:
    if isinstance(value, (bool, int, float, str)):
        return repr(value)
    python_function = getattr(value, "py_func", value)
    return f"{python_function.__module__}.{python_function.__qualname__}"


def _namespace(template: Callable[..., Any], names: list[str], used: dict[str, Any]) -> dict[str, Any]:
    own = template.__globals__
    builtins = own["__builtins__"]
    known = builtins if isinstance(builtins, dict) else vars(builtins)
    namespace = {"__builtins__": builtins, "__name__": own["__name__"], "__file__": own.get("__file__")}
    for name in names:
        value = used.get(name, own.get(name, known.get(name, slot)))
        if value is slot:
            raise TypeError(f"template {template.__name__}: nothing is given for {name!r}")
        namespace[name] = value
    return namespace


def entry(function: Any, *examples: Any) -> Any:
    """The entry point of a bound function for arguments of the types of `examples`: compiled now, called cheaply.

    A call costs 0.1-0.3 µs instead of the dispatcher's 0.3-0.7, and checks nothing: the arguments must have exactly
    these types, so only buffers that a driver made itself and Python ints may go in.
    """
    if PURE_PYTHON:
        return function
    signature = tuple(numba.typeof(example) for example in examples)
    with _Optimisation():
        return function.compile(signature)


class _Optimisation:
    """Sets Numba's optimisation level while our functions are compiled, and sets it back for everybody else's."""

    def __enter__(self) -> None:
        self._before = config.OPT
        config.OPT = type(self._before)(OPTIMISATION_LEVEL)

    def __exit__(self, *_: object) -> None:
        config.OPT = self._before
