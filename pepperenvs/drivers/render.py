"""Pictures of the table: SVG for notebooks, pixels for videos, a window for people.

The only module that knows resvg and pygame; both are imported when first needed.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

from pepperenvs.core.spec import GameSpec

MODES = ("ansi", "rgb_array", "human")

_FONT = "freesansbold.ttf"  # comes with pygame: the same pixels everywhere, also where no font is installed
_FONT_FAMILY = "FreeSans"


@dataclass(frozen=True)
class Picture:
    """A picture that a notebook shows when it is the value of a cell."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Picture({len(self.svg)} characters of SVG)"


def picture(spec: GameSpec, state: Any, seat: int | None = None) -> Picture:
    """The table as `seat` sees it, or with everything open if `seat` is None.

    state    one cell of the game's states
    """
    return Picture(spec.part("draw").svg(state, seat))


def rgb_array(spec: GameSpec, state: Any, seat: int | None = None) -> NDArray[np.uint8]:
    """The same as pixels, uint8 [height, width, 3]. Raises ImportError if the drawing libraries are missing."""
    resvg, pygame = _library("resvg_py"), _library("pygame")
    png = resvg.svg_to_bytes(
        svg_string=picture(spec, state, seat).svg,
        skip_system_fonts=True,
        font_files=[_font_file()],
        font_family=_FONT_FAMILY,
        sans_serif_family=_FONT_FAMILY,
    )
    surface = pygame.image.load(io.BytesIO(png), "table.png")
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


class View:
    """What an environment's `render` shows in its mode. The window, if there is one, stays out of copies and pickles.

    Raises ValueError for a mode that is not None or one of MODES.
    """

    def __init__(self, mode: str | None) -> None:
        if mode not in (None, *MODES):
            raise ValueError(f"render_mode must be None or one of {', '.join(map(repr, MODES))}, not {mode!r}")
        self.mode = mode
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_window": None}

    def render(self, spec: GameSpec, state: Any, seat: int, maker: str) -> str | NDArray[np.uint8] | None:
        """The table as `seat` sees it: text, uint8 [height, width, 3], or None after it is shown in a window.

        maker    the function that makes such environments, for the warning that no mode was chosen
        """
        if self.mode is None:
            logger.warn(
                "You are calling render method without specifying any render mode. You can specify the render_mode at "
                f'initialization, e.g. pepperenvs.{maker}("{spec.id}", render_mode="ansi")'
            )
            return None
        if self.mode == "ansi":
            return str(spec.part("text").text(state, seat))
        pixels = rgb_array(spec, state, seat)
        if self.mode == "rgb_array":
            return pixels
        if self._window is None:
            self._window = Window(spec.title)
        self._window.show(pixels)
        return None

    def close(self) -> None:
        """Close the window, if there is one. May be called again."""
        if self._window is not None:
            self._window.close()
            self._window = None


def _library(name: str) -> Any:
    """A module of the `draw` extra. Raises ImportError that says how to install it."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"pictures need {name}: pip install 'pepperenvs[draw]'", name=name) from error


@functools.cache
def _font_file() -> str:
    return str(Path(_library("pygame").__file__).parent / _FONT)


class Window:
    """A window for pictures; it opens with the first `show`.

    closed_by_user    True once a person has closed it; from then on `show` does nothing
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.closed_by_user = False
        self._window: Any = None

    def show(self, rgb: NDArray[np.uint8]) -> bool:
        """Show pixels, uint8 [height, width, 3]; False if the window was closed by a person.

        Raises RuntimeError where there is no screen, ImportError if pygame is missing.
        """
        if self._window is not None:
            self._look_for_closing()
        if self.closed_by_user:
            return False
        pygame = _library("pygame")
        extent = (rgb.shape[1], rgb.shape[0])
        if self._window is None:
            _open_display(pygame)
            self._window = pygame.Window(self.title, extent)
        elif self._window.size != extent:
            self._window.size = extent
        pygame.surfarray.blit_array(self._window.get_surface(), rgb.swapaxes(0, 1))
        self._window.flip()
        self._look_for_closing()
        return not self.closed_by_user

    def close(self) -> None:
        """Close the window if it is open; a later `show` opens it again unless a person closed it."""
        window, self._window = self._window, None
        if window is not None:
            window.destroy()

    def _look_for_closing(self) -> None:
        """Notice that a person has closed the window. Closing events of other windows stay in the queue."""
        pygame = _library("pygame")
        if not pygame.display.get_init():  # somebody has shut pygame down, and all its windows with it
            self._window = None
            return
        for event in pygame.event.get(pygame.WINDOWCLOSE):
            if event.window is self._window:
                self.closed_by_user = True
            else:
                pygame.event.post(event)
        pygame.event.clear(pygame.MOUSEMOTION)  # nobody reads these, and a full queue would hold up the others
        if self.closed_by_user:
            self.close()


def _open_display(pygame: Any) -> None:
    """Raises RuntimeError where there is no screen."""
    if pygame.display.get_init():
        return
    reason = "no video driver but 'offscreen'"
    try:
        pygame.display.init()
    except pygame.error as error:
        reason = str(error)
    # SDL falls back on drawing off screen by itself; nobody would see that, so it must have been asked for.
    driver = pygame.display.get_driver() if pygame.display.get_init() else ""
    if not driver or (driver == "offscreen" and not os.environ.get("SDL_VIDEODRIVER")):
        pygame.display.quit()
        raise RuntimeError(
            f"there is no screen to open a window on ({reason}); "
            "use render_mode='rgb_array', or set SDL_VIDEODRIVER=dummy to go without"
        )
