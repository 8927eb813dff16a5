"""The table of Heat Guess as text."""

from typing import Any

from pepperenvs.games.heat_guess.state import OVER
from pepperenvs.games.heat_guess.tables import KIND_NAMES


def text(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with the hidden numbers if `seat` is None."""
    lines = [_headline(state)]
    for kind in range(state.kinds):
        numbers = [str(heat + 1) if state.possible[kind, heat] else "·" for heat in range(state.heats)]
        secret = f"   heat {state.heat[kind]}" if seat is None else ""
        lines.append(f"  {KIND_NAMES[kind]}  left {state.remaining[kind]}   {' '.join(numbers)}{secret}")
    points = ", ".join(f"player_{place} {state.score[place]}" for place in range(state.num_seats))
    lines.append(f"points: {points}")
    return "\n".join(lines)


def _headline(state: Any) -> str:
    if state.to_move == OVER:
        return "Heat Guess: over" + (" (cut short by the move limit)" if state.truncated else "")
    kind = state.pile[state.pile_len - 1]
    return (
        f"Heat Guess: player_{state.to_move} to say the heat of {KIND_NAMES[kind]}, {state.pile_len} cards in the pile"
    )
