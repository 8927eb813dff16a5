"""Every listed fault fits the sources, and there are enough of them."""

import pytest

from tests.faults import run


@pytest.mark.nojit
@pytest.mark.parametrize("name", run.games())
def test_no_fault_is_stale(name: str) -> None:
    faults = run.listed(name)
    assert len(faults) >= 10
    for fault in faults:
        assert fault.path().suffix == ".py" and fault.old != fault.new
    assert len({(fault.old, fault.new) for fault in faults}) == len(faults)


def test_every_game_lists_faults(game: str) -> None:
    assert game.rpartition("_v")[0] in run.games()


def test_a_stale_entry_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"stands in rules\.py 0 times"):
        run.Fault("heat_guess", "gone", "rules.py", "no such line", "x").path()
    with pytest.raises(LookupError, match="'twice' is stale"):
        run.Fault("heat_guess", "twice", "rules.py", "def ", "x").path()
    with pytest.raises(LookupError):
        run.Fault("heat_guess", "moved", "no_such_file.py", "def ", "x").path()


@pytest.mark.slow
def test_a_fault_is_noticed_and_a_change_that_is_none_is_not() -> None:
    score = ("rules.py", "state.score[state.to_move] += 1")
    assert run.is_noticed(run.Fault("heat_guess", "a fault", *score, "state.score[state.to_move] += 2", "example"))[0]
    assert not run.is_noticed(run.Fault("heat_guess", "no fault", *score, f"{score[1]}  # a point", "example"))[0]
