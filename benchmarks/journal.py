"""The lines of results/*.jsonl: one JSON object a run, with all that a reader needs to judge the figures.

A line names neither the host nor a user nor a path.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pepperenvs

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PACKAGES = ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")


def append(path: Path, script: str, arguments: Sequence[str], facts: Mapping[str, Any], *more: str) -> None:
    """Append one line to a file of results.

    script       module that ran, as in "benchmarks.run"
    arguments    its arguments: names and flags that the script has checked, no paths
    facts        what was measured
    more         further packages whose versions matter
    """
    line = {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "command": " ".join(["python", "-m", script, *arguments]),
        "commit": commit(),
        "machine": machine(),
        "versions": versions(*more),
        **facts,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")


def commit() -> str:
    """Hash of the checkout's commit, with "-dirty" if files beside results differ; "unknown" without Git."""
    try:
        name = _git("rev-parse", "HEAD")
        changes = _git("status", "--porcelain", "--", ":/", ":(top,exclude)benchmarks/results")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name}-dirty" if changes else name


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def machine() -> dict[str, Any]:
    """CPU model, cores that this process may use, system, architecture, and how busy all was in the last minute."""
    release = ".".join(platform.release().split("-")[0].split(".")[:2])  # the rest may be a site's own
    return {
        "cpu": cpu_model(),
        "cores": cores(),
        "system": f"{platform.system()} {release}",
        "architecture": platform.machine(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cpu_model() -> str:
    """The processor's name as the system tells it."""
    if platform.system() == "Linux":
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        if names:
            return names[0]
    if platform.system() == "Darwin":
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return platform.processor() or "unknown"


def versions(*more: str) -> dict[str, str]:
    """Versions of Python, pepperenvs and the packages that speed depends on."""
    found = {name: metadata.version(name) for name in (*PACKAGES, *more)}
    return {"python": platform.python_version(), "pepperenvs": pepperenvs.__version__, **found}
