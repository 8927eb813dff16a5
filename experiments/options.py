"""What several experiments read from the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any


def game_options(texts: Iterable[str]) -> dict[str, Any]:
    """The game's options from OPTION=JSON, the later of two alike. Raises ValueError for another form."""
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError as error:
            raise ValueError(f"option {text!r} must have the form OPTION=JSON") from error
        if not equals:
            raise ValueError(f"option {text!r} must have the form OPTION=JSON")
    return options
