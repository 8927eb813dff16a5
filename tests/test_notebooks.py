"""Notebooks: each runs from beginning to end, with short settings, and is kept without outputs."""

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

# What stands in the cell with the tag "parameters" instead, so that all of them together take a minute or two.
SHORT = {
    "01_first_game": "SEED = 1",
    "02_train_an_agent": "MOVES = 8_000\nPOINTS = 2",
    "03_evaluate_agents": "DEALS = 6",
    "04_throughput": 'GAME = "heat_guess_v0"\nSECONDS = 0.05',
    "05_search": "SEED = 4\nSIMULATIONS = 400\nDEALS = 1",
    "06_look_inside_a_game": "SEED = 3\nPICTURES = 2",
}


def test_every_notebook_has_short_settings() -> None:
    assert [path.stem for path in NOTEBOOKS] == sorted(SHORT)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    notebook = nbformat.read(path, 4)
    (parameters,) = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    names = {line.split("=")[0] for line in parameters.source.splitlines()}
    assert {line.split("=")[0] for line in SHORT[path.stem].splitlines()} == names
    parameters.source = SHORT[path.stem]
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()
    errors = [output for cell in notebook.cells for output in cell.get("outputs", []) if output.get("name") == "stderr"]
    assert not errors, errors
    shown = [output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert shown or path.stem == "04_throughput", "there is nothing to look at"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert code and not any(cell["outputs"] or cell["execution_count"] for cell in code)
    assert notebook["cells"][0]["cell_type"] == "markdown"
    assert "".join(notebook["cells"][0]["source"]).startswith("# ")
