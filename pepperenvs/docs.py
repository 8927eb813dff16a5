"""Writes the generated tables of the pages for people: `python -m pepperenvs.docs [--check]`.

A table stands between `<!-- generated: NAME -->` and `<!-- end -->`; the rest of a page is written by hand. Each
game's RULES.md has the tables `options`, `actions` and `observation`, the README has `games`. `--check` writes nothing
and fails, naming the file, where a table is not what the declarations of the games say.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pepperenvs import registry
from pepperenvs.core.spec import GameSpec

Rows = list[Sequence[str]]  # the first is the head

ROOT = Path(__file__).resolve().parent.parent

_PLACE = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_OPENING = "<!-- generated:"


def tables(spec: GameSpec) -> dict[str, Rows]:
    """The tables of a game by name: options, actions, observation."""
    return {
        "options": [("option", "default", "allowed", "meaning"), *option_rows(spec)],
        "actions": [("indices", "actions", "axes", "meaning"), *spec.actions.rows()],
        "observation": [("cells", "segment", "shape", "range", "meaning"), *spec.layout.rows()],
    }


def option_rows(spec: GameSpec) -> Rows:
    """Name, default, what is allowed, meaning of each option, the number of players first."""
    fewest, most, default = spec.players
    rows: Rows = [("num_players", str(default), f"a whole number in {fewest} … {most}", "players")]
    values = spec.resolve()
    for option in spec.options:
        shown = json.dumps(values[option.name])
        if callable(option.default):
            shown += ", follows the options above"
        rows.append((option.name, shown, option.allowed.replace("'", ""), option.meaning))
    return rows


def games_table() -> Rows:
    """The games: id, players, what is decided, hidden and drawn, sizes, link to the rules."""
    rows: Rows = [("game", "players", "decisions", "hidden", "chance", "actions", "observation", "rules")]
    for game in registry.games():
        spec = registry.spec(game)
        fewest, most, _ = spec.players
        players = f"{fewest}–{most}" if fewest < most else f"{fewest}"
        tags = [spec.tags.get(name, "") for name in ("decisions", "hidden", "chance")]
        link = f"[{spec.title}]({_named(spec.folder / 'RULES.md')})"
        rows.append((f"`{game}`", players, *tags, f"{spec.actions.size:,}", f"{spec.layout.size:,}", link))
    return rows


def markdown(rows: Rows) -> str:
    """Rows as a Markdown table, with its last line's end."""
    head, *body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def fill(text: str, wanted: Mapping[str, Rows]) -> str:
    """A page with its generated tables as they should be. Raises ValueError unless it has a place for each, once."""
    places = [found[2] for found in _PLACE.finditer(text)]
    if sorted(places) != sorted(wanted) or text.count(_OPENING) != len(places):
        raise ValueError(f"needs one place `{_OPENING} NAME -->` … `<!-- end -->` for each of {', '.join(wanted)}, "
                         f"has {', '.join(places) or 'none'}")  # fmt: skip
    return _PLACE.sub(lambda found: found[1] + markdown(wanted[found[2]]) + found[4], text)


def pages(root: Path = ROOT) -> dict[Path, dict[str, Rows]]:
    """The pages with generated tables. A README there is only in a checkout."""
    wanted: dict[Path, dict[str, Rows]] = {}
    for game in registry.games():
        spec = registry.spec(game)
        wanted[spec.folder / "RULES.md"] = tables(spec)
    if (root / "README.md").exists():
        wanted[root / "README.md"] = {"games": games_table()}
    return wanted


def update(page: Path, wanted: Mapping[str, Rows], check: bool) -> str | None:
    """Bring a page up to date, or only compare; returns what is wrong with it, None if nothing is."""
    try:
        text = page.read_text("utf-8")
        filled = fill(text, wanted)
    except (OSError, ValueError) as error:
        return f"{_named(page)}: {error}"
    if filled == text:
        return None
    if check:
        old = {found[2]: found[3] for found in _PLACE.finditer(text)}
        stale = ", ".join(name for name, rows in wanted.items() if old[name] != markdown(rows))
        return f"{_named(page)}: the generated tables are out of date ({stale}); `make docs` writes them again"
    page.write_text(filled, "utf-8", newline="\n")
    return None


def _named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix() if page.is_relative_to(ROOT) else str(page)


def main(argv: Sequence[str] | None = None) -> int:
    """Write or compare all pages; returns 1 if something is wrong with one."""
    parser = argparse.ArgumentParser(prog="python -m pepperenvs.docs", description="Write the generated tables.")
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args(argv).check
    wrong = [reason for page, wanted in pages().items() if (reason := update(page, wanted, check))]
    for reason in wrong:
        print(reason, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
