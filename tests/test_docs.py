"""The generated tables are up to date, an edit is noticed, what is written by hand stays; links and programs work."""

import ast
import csv
import re
from pathlib import Path

import pytest

from pepperenvs import docs, registry

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "pepperenvs").rglob("*.md")])
NAMES = [page.relative_to(ROOT).as_posix() for page in WRITTEN]

PAGE = "# Title\n\nby hand\n\n<!-- generated: one -->\nold\n<!-- end -->\n\nmore\n"
ROWS: docs.Rows = [("a", "b"), ("1", "2 | 3")]
FILLED = PAGE.replace("old\n", "| a | b |\n| --- | --- |\n| 1 | 2 \\| 3 |\n")


def test_all_pages_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert docs.main(["--check"]) == 0, capsys.readouterr().err


def test_every_game_has_its_page() -> None:
    named = {page.parent.name for page in docs.pages() if page.name == "RULES.md"}
    assert named == {registry.spec(game).name for game in registry.games()}


def test_a_page_is_filled_and_filling_again_changes_nothing(tmp_path: Path) -> None:
    page = tmp_path / "RULES.md"
    page.write_text(PAGE)
    assert docs.update(page, {"one": ROWS}, check=False) is None
    assert page.read_text() == FILLED and docs.fill(FILLED, {"one": ROWS}) == FILLED


def test_check_writes_nothing_and_names_file_and_table(tmp_path: Path) -> None:
    page = tmp_path / "RULES.md"
    page.write_text(PAGE)
    reason = docs.update(page, {"one": ROWS}, check=True)
    assert reason is not None and str(page) in reason and "out of date (one)" in reason
    assert page.read_text() == PAGE


def test_a_planted_edit_of_a_games_page_fails(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = registry.spec(game)
    text = (spec.folder / "RULES.md").read_text("utf-8")
    page = tmp_path / "RULES.md"
    for name, rows in docs.tables(spec).items():
        cell = rows[-1][-1]
        start = text.index(cell, text.index(f"<!-- generated: {name} -->"))
        page.write_text(text[:start] + "another meaning" + text[start + len(cell) :], "utf-8")
        monkeypatch.setattr(docs, "pages", lambda: {page: docs.tables(spec)})
        assert docs.main(["--check"]) == 1
        assert f"out of date ({name})" in capsys.readouterr().err
    page.write_text(text.replace("**R1**", "**R1** by hand"), "utf-8")
    assert docs.main(["--check"]) == 0


@pytest.mark.parametrize(
    "text",
    [
        "no place",
        PAGE + PAGE,
        PAGE.replace("one", "two"),
        PAGE.replace("<!-- end -->", ""),
        PAGE + "<!-- generated: one -->\n",
    ],
)
def test_a_page_without_the_right_places_is_refused(tmp_path: Path, text: str) -> None:
    page = tmp_path / "RULES.md"
    page.write_text(text)
    for check in (True, False):
        reason = docs.update(page, {"one": ROWS}, check)
        assert reason is not None and reason.startswith(f"{page}: needs one place")
    assert page.read_text() == text


def test_a_missing_page_is_named(tmp_path: Path) -> None:
    assert "RULES.md" in (docs.update(tmp_path / "RULES.md", {"one": ROWS}, check=True) or "")


def test_the_readme_lists_the_games(tmp_path: Path) -> None:
    assert tmp_path / "README.md" not in docs.pages(tmp_path)
    (tmp_path / "README.md").write_text("<!-- generated: games -->\n<!-- end -->\n")
    assert docs.update(tmp_path / "README.md", docs.pages(tmp_path)[tmp_path / "README.md"], check=False) is None
    text = (tmp_path / "README.md").read_text("utf-8")
    assert "| `heat_guess_v0` | 1–6 | guesses |" in text
    assert "[Heat Guess](pepperenvs/games/heat_guess/RULES.md)" in text


def test_a_default_that_follows_others_says_so() -> None:
    (row,) = (row for row in docs.option_rows(registry.spec("heat_guess_v0")) if row[0] == "max_moves")
    assert row[1] == "1200, follows the options above"


def test_the_page_of_pick_a_pepper_says_which_points_are_reconstructed() -> None:
    folder = registry.spec("pick_a_pepper_v0").folder
    with (folder / "data" / "sauces.csv").open(encoding="utf-8", newline="") as file:
        published = [row["sauce_id"] for row in csv.DictReader(file) if row["vp_status"] == "source"]
    assert published == ["S13"]
    page = " ".join((folder / "RULES.md").read_text("utf-8").split())
    assert "Of the points only those of S13 (hotness 6, 8 points) are published." in page


# ------------------------------------------------------------------------------------------------ written by hand


def programs(page: Path) -> list[str]:
    """The blocks of Python on a page."""
    return re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def lost_links(page: Path) -> list[str]:
    """The links on a page to files that are not there."""
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8"))
    return [link for link in links if "://" not in link and not (page.parent / link).exists()]


@pytest.mark.parametrize("page", WRITTEN, ids=NAMES)
def test_links_lead_to_files(page: Path) -> None:
    assert not lost_links(page)


def test_a_lost_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[there](page.md#title), [elsewhere](https://example.org/a.md), [lost](no/such.md)\n", "utf-8")
    assert lost_links(page) == ["no/such.md"]


@pytest.mark.parametrize("page", WRITTEN, ids=NAMES)
def test_programs_parse(page: Path) -> None:
    for program in programs(page):
        ast.parse(program)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(programs(ROOT / "README.md"))))
def test_the_readmes_programs_run(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of pepperenvs/testing/README.md are run by test_third_game.py."""
    program = programs(ROOT / "README.md")[number]
    if "sb3_contrib" in program:
        pytest.importorskip("sb3_contrib")
        assert ", env)" in program and "learn(10_000)" in program
        program = program.replace(", env)", ", env, n_steps=32)").replace("learn(10_000)", "learn(1)")
    exec(compile(program, "README.md", "exec"), {"__name__": "readme"})


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_the_guides_programs_run(page: Path) -> None:
    """Those of a page one after the other, as a reader would type them."""
    names = {"__name__": "guide"}
    for program in programs(page):
        exec(compile(program, page.name, "exec"), names)
