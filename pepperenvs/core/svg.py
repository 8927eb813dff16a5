"""SVG as strings: the few shapes that the games' pictures are made of. No ids, so that pictures can share a page.

Coordinates are pixels of a picture WIDTH wide; texts carry absolute positions, so a test can measure them.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

WIDTH = 900
MARGIN = 20
FONT = "FreeSans, Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

INK, FADED, PALE, LINE = "#2b2118", "#75695c", "#efe7d6", "#cdc1ab"
PAPER, PANEL, ACCENT, STEM = "#faf5e9", "#ffffff", "#12506b", "#3f7d3a"
HIGHLIGHT = "#e2f0f6"  # behind whoever is to move

# Mild to hot: each step is also darker than the one before, so that they differ without colour vision.
_HEAT_ANCHORS = ((255, 236, 150), (253, 190, 80), (240, 128, 55), (214, 62, 44), (158, 27, 46), (88, 14, 36))


# --------------------------------------------------------------------------------------------------- shapes


def document(height: float, parts: Iterable[str], title: str) -> str:
    """A whole picture, WIDTH wide, on paper-coloured ground."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{_n(height)}" '
        f'viewBox="0 0 {WIDTH} {_n(height)}" font-family="{FONT}" font-weight="bold">'
        f"<title>{escape(title)}</title>{rect(0, 0, WIDTH, height, PAPER)}{''.join(parts)}</svg>"
    )


def rect(
    x: float, y: float, width: float, height: float, fill: str, line: str = "none", radius: float = 0, stroke: float = 1
) -> str:
    """A rectangle with rounded corners; `line` is the colour of its border."""
    return (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(radius)}" '
        f'fill="{fill}" stroke="{line}" stroke-width="{_n(stroke)}"/>'
    )


def text(x: float, y: float, content: object, size: float = 14, fill: str = INK, anchor: str = "start") -> str:
    """One line of text with its baseline at y, nothing for no text; `anchor` is start, middle or end."""
    if content == "":
        return ""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" fill="{fill}" text-anchor="{anchor}">'
        f"{escape(str(content))}</text>"
    )


def path(d: str, fill: str, line: str = "none", stroke: float = 1, transform: str = "") -> str:
    """A path in SVG's own notation."""
    moved = f' transform="{transform}"' if transform else ""
    return (
        f'<path d="{d}" fill="{fill}" stroke="{line}" stroke-width="{_n(stroke)}" '
        f'stroke-linecap="round" stroke-linejoin="round"{moved}/>'
    )


def _n(number: float) -> str:
    return f"{float(number):.6g}"


# --------------------------------------------------------------------------------------------------- colours


def heat_colour(heat: float) -> str:
    """The colour of a heat from 0, mild and light, to 1, hot and dark."""
    place = min(max(heat, 0.0), 1.0) * (len(_HEAT_ANCHORS) - 1)
    low = min(int(place), len(_HEAT_ANCHORS) - 2)
    pairs = zip(_HEAT_ANCHORS[low], _HEAT_ANCHORS[low + 1], strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (place - low)):02x}" for a, b in pairs)


def ink_on(fill: str) -> str:
    """Dark or light ink, whichever reads better on a colour given as #rrggbb."""
    red, green, blue = (int(fill[index : index + 2], 16) for index in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 135 else "#ffffff"


# --------------------------------------------------------------------------------------------------- peppers

# Outlines in a square of 100, and three places on each for spots.
_BODIES = (
    ("M28 24C44 10 62 20 66 42C70 64 80 78 95 84C74 97 42 86 32 60C27 46 20 32 28 24Z", ((44, 34), (50, 58), (68, 78))),
    ("M50 26C68 12 93 24 89 52C87 78 74 95 62 88C55 95 45 95 38 88C26 95 13 78 11 52C7 24 32 12 50 26Z",
     ((30, 46), (54, 62), (70, 42))),
    ("M50 22C80 12 88 36 80 52C72 67 58 72 54 95C46 74 28 67 20 52C12 36 20 12 50 22Z", ((36, 40), (52, 60), (65, 38))),
    ("M31 24C42 15 58 15 69 24C77 50 70 80 56 93C52 97 48 97 44 93C30 80 23 50 31 24Z", ((42, 36), (56, 54), (46, 74))),
    ("M50 22C74 18 88 38 86 58C84 80 68 93 50 93C32 93 16 80 14 58C12 38 26 18 50 22Z", ((34, 46), (58, 70), (64, 42))),
    ("M34 22C48 14 66 20 72 32C84 52 66 62 62 74C60 84 68 90 62 96C46 94 38 84 42 70C46 56 22 44 34 22Z",
     ((48, 34), (60, 46), (51, 72))),
)  # fmt: skip
SHAPES = len(_BODIES)  # long, bell, lantern, blunt, round, twisted
LONG, BELL, LANTERN, BLUNT, ROUND, TWISTED = range(SHAPES)


def pepper(x: float, y: float, extent: float, fill: str, shape: int = LONG, spots: bool = False) -> str:
    """A pepper in a square of side `extent` whose upper left corner is (x, y)."""
    outline, places = _BODIES[shape]
    where = f"translate({_n(x)} {_n(y)}) scale({_n(extent / 100)})"
    stem = "M42 20C42 12 38 8 32 5" if shape == LONG else "M50 22C50 14 54 8 60 5"
    parts = [path(outline, fill, INK, 4, where), path(stem, "none", STEM, 9, where)]
    if spots:
        parts += [path(f"M{cx} {cy}h.1", "none", ink_on(fill), 13, where) for cx, cy in places]
    return "".join(parts)


# ----------------------------------------------------------------------------------------------------- cards


def card(x: float, y: float, width: float, height: float, fill: str, copies: int = 1) -> str:
    """An empty card face; further copies peep out behind it, two at most."""
    radius = min(width / 8, 14)
    behind = [rect(x + 2 * k, y - 2 * k, width, height, fill, INK, radius) for k in range(min(copies, 3) - 1, 0, -1)]
    return "".join([*behind, rect(x, y, width, height, fill, INK, radius, 1.2)])


def card_back(x: float, y: float, width: float, height: float, copies: int = 1) -> str:
    """A card face down, or a pile of them; the place of a pile if there is none."""
    if copies == 0:
        return rect(x, y, width, height, "none", LINE, min(width / 8, 14), 1.5)
    side = min(width, height) * 0.62
    return (
        card(x, y, width, height, ACCENT, copies)
        + rect(x + 3, y + 3, width - 6, height - 6, "none", "#a9cfdf", min(width / 10, 11))
        + pepper(x + (width - side) / 2, y + (height - side) / 2, side, "#a9cfdf")
    )


# ----------------------------------------------------------------------------------- what every table has


def heading(title: str, facts: str, news: str, is_over: bool) -> str:
    """The top of a picture, 90 high: title, facts at the right, and who decides what, or how the game ended."""
    fill = INK if is_over else ACCENT
    return (
        text(MARGIN, 36, title, 26)
        + text(WIDTH - MARGIN, 36, facts, 15, FADED, "end")
        + rect(MARGIN, 50, WIDTH - 2 * MARGIN, 34, fill, radius=8)
        + ("" if is_over else arrow(MARGIN + 16, 67, "#ffffff"))
        + text(MARGIN + (16 if is_over else 38), 73, news, 17, "#ffffff")
    )


def arrow(x: float, y: float, fill: str = ACCENT) -> str:
    """A triangle that points to the right, 12 wide, its middle at height y."""
    return path(f"M{_n(x)} {_n(y - 8)}l13 8l-13 8Z", fill)


def panel(x: float, y: float, width: float, height: float, is_active: bool) -> str:
    """The ground of a seat's part of the table; whoever is to move has a coloured one with a thick border."""
    if is_active:
        return rect(x, y, width, height, HIGHLIGHT, ACCENT, 10, 4)
    return rect(x, y, width, height, PANEL, LINE, 10, 1.5)


def tag(x: float, y: float, content: str, width: float, fill: str = ACCENT) -> str:
    """A word on a coloured ground, 20 high."""
    return rect(x, y, width, 20, fill, radius=10) + text(x + width / 2, y + 14.5, content, 13, ink_on(fill), "middle")


def result(state: Any) -> str:
    """How a game ended, for its heading: "player_1 wins with 16 points"."""
    winners = [seat for seat in range(state.num_seats) if state.standing[seat] == 0]
    points = int(state.score[winners[0]])
    *others, last = [f"player_{seat}" for seat in winners]
    names = f"{', '.join(others)} and {last}" if others else last
    if 2 < len(winners) == state.num_seats:
        names = "all players"
    scored = f"with {points} point{'' if points in (1, -1) else 's'}"
    if state.num_seats == 1:
        news = f"{names} finishes {scored}"
    else:
        news = f"{names} {'wins' if len(winners) == 1 else 'share the win'} {scored}"
    return ("Cut short: " if state.truncated else "The end: ") + news


def ordinal(standing: int) -> str:
    """A place at the end as people say it: "1st" for standing 0."""
    return ("1st", "2nd", "3rd")[standing] if standing < 3 else f"{standing + 1}th"
