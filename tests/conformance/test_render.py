"""Pictures and texts: sound at every position, legible, and they tell a seat nothing that it may not know."""

import copy
import functools
import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import pepperenvs
from pepperenvs.core.state import OVER
from pepperenvs.drivers import game as games
from pepperenvs.drivers import ids, render
from pepperenvs.drivers._kernels import RESTART
from pepperenvs.drivers.aec import Env, RawEnv
from pepperenvs.drivers.game import Game, IllegalActionError
from pepperenvs.drivers.solo import SoloEnv

SVG = "{http://www.w3.org/2000/svg}"
WIDTH = 900
SMALLEST_FONT = 12
SEEDS = (3, 4)
CHECKED = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610)  # moves after which a position is looked at

# What tells SDL of a screen, or lets it go without.
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER")

Position = tuple[Game, NDArray[Any]]


def playout(spec_id: str, num_players: int, seed: int, **options: Any) -> Iterator[Position]:
    """The positions of a game between random and scripted players, the last one after its end."""
    game = games.load(spec_id)
    blank = game.blank(game.spec.resolve(num_players, options))
    states, views = blank.copy(), game.view_buffers(1)
    game.prepare(states, 0, blank, 0, seed)
    game.turn(states, 0, RESTART, *views)
    chooser = np.random.default_rng(seed)
    while states["to_move"][0] != OVER:
        yield game, states
        is_scripted = chooser.random() < 0.5
        action = game.bot(states, 0) if is_scripted else int(chooser.choice(game.legal_ids(states)))
        game.turn(states, 0, action, *views)
    yield game, states


def block_of(game: Game, states: NDArray[Any]) -> str:
    """The block of the first legal action: what kind of decision is asked."""
    first = int(game.legal_ids(states)[0])
    return next(b.name for b in reversed(game.spec.actions.blocks) if game.spec.actions.start(b.name) <= first)


@functools.cache
def positions(spec_id: str) -> tuple[Position, ...]:
    """For all player counts and both values of `recall`: early, late, ended ones, and one of each kind of decision."""
    fewest, most, _ = games.load(spec_id).spec.players
    kept = []
    for num_players in range(fewest, most + 1):
        for seed in SEEDS:
            kinds_met = set()
            for moves, (game, states) in enumerate(playout(spec_id, num_players, seed, recall=seed % 2 == 0)):
                kind = "end" if states["to_move"][0] == OVER else block_of(game, states)
                if moves in CHECKED or kind not in kinds_met:
                    kept.append((game, states.copy()))
                kinds_met.add(kind)
    return tuple(kept)


def viewers(states: NDArray[Any]) -> list[int | None]:
    return [None, *range(int(states["num_seats"][0]))]


def part(game: Game, name: str) -> ModuleType:
    return game.spec.part(name)


# ------------------------------------------------------------------------------------------ pictures and texts


def test_pictures_are_sound_svg(game: str) -> None:
    for loaded, states in positions(game):
        for seat in viewers(states):
            root = ElementTree.fromstring(part(loaded, "draw").svg(states[0], seat))
            assert root.tag == f"{SVG}svg"
            assert float(root.attrib["width"]) == WIDTH


def test_a_game_keeps_the_extent_of_its_picture(game: str) -> None:
    extents: dict[int, set[str]] = {}
    for loaded, states in positions(game):
        root = ElementTree.fromstring(part(loaded, "draw").svg(states[0], None))
        extents.setdefault(int(states["num_seats"][0]), set()).add(root.attrib["height"])
    assert all(len(heights) == 1 for heights in extents.values()), extents


def test_pictures_have_no_ids_so_that_they_can_share_a_page(game: str) -> None:
    loaded, states = positions(game)[0]
    assert " id=" not in part(loaded, "draw").svg(states[0], None)


@functools.cache
def width_at_100(content: str) -> int:
    """Kept by its text, never the font: another test may end pygame, and every font made before is then invalid."""
    pygame = pytest.importorskip("pygame")
    pygame.font.init()
    return pygame.font.Font(pygame.font.get_default_font(), 100).size(content)[0]


def boxes(svg: str) -> list[tuple[str, float, float, float, float]]:
    """Text, left, top, right and bottom edge of every line of text, in the font that the pixels are drawn with."""
    found = []
    for node in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        content, size = node.text or "", float(node.attrib["font-size"])
        assert size >= SMALLEST_FONT, content
        width = width_at_100(content) * size / 100
        left = float(node.attrib["x"]) - {"start": 0.0, "middle": 0.5, "end": 1.0}[node.attrib["text-anchor"]] * width
        base = float(node.attrib["y"])
        found.append((content, left, base - 0.72 * size, left + width, base))
    return found


def test_texts_are_large_enough_and_overlap_nothing(game: str) -> None:
    for loaded, states in positions(game):
        svg = part(loaded, "draw").svg(states[0], None)
        height = float(ElementTree.fromstring(svg).attrib["height"])
        found = boxes(svg)
        for index, (content, left, top, right, bottom) in enumerate(found):
            assert left >= 0 and right <= WIDTH and top >= 0 and bottom <= height, content
            for other, left2, top2, right2, bottom2 in found[:index]:
                apart = right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
                assert apart, f"{content!r} and {other!r} overlap"


def test_nothing_lies_outside(game: str) -> None:
    for loaded, states in positions(game):
        root = ElementTree.fromstring(part(loaded, "draw").svg(states[0], None))
        for node in root.iter(f"{SVG}rect"):
            x, y, width, height = (float(node.attrib[name]) for name in ("x", "y", "width", "height"))
            assert x >= 0 and x + width <= WIDTH and y >= 0 and y + height <= float(root.attrib["height"]), node.attrib


def test_texts_are_plain_lines(game: str) -> None:
    for loaded, states in positions(game):
        for seat in viewers(states):
            text = part(loaded, "text").text(states[0], seat)
            assert text.strip() and text == "\n".join(line.rstrip() for line in text.splitlines())


def test_text_and_picture_leave_the_state_alone(game: str) -> None:
    for loaded, states in positions(game):
        before = states.tobytes()
        part(loaded, "draw").svg(states[0], 0)
        part(loaded, "text").text(states[0], 0)
        assert states.tobytes() == before


# ----------------------------------------------------------------------------------------------------- secrecy


def test_a_seat_is_shown_nothing_hidden(game: str) -> None:
    """What a seat cannot know is redrawn; its picture and its text must not notice, those with all open must."""
    noticed = {"draw": 0, "text": 0}
    stream = np.array([9], np.uint64)
    for loaded, states in positions(game):
        for seat in range(int(states["num_seats"][0])):
            redrawn = states.copy()
            loaded.resample(redrawn, 0, seat, stream)
            for name, function in (("draw", "svg"), ("text", "text")):
                show = getattr(part(loaded, name), function)
                assert show(states[0], seat) == show(redrawn[0], seat)
                noticed[name] += show(states[0], None) != show(redrawn[0], None)
    assert all(noticed.values()), noticed


def test_a_notebook_shows_the_picture(game: str) -> None:
    loaded, states = positions(game)[0]
    shown = render.picture(loaded.spec, states[0], 0)
    assert shown._repr_svg_() == part(loaded, "draw").svg(states[0], 0)
    assert len(repr(shown)) < 80


# ------------------------------------------------------------------------------------------------------ pixels


def test_pixels(game: str) -> None:
    for loaded, states in positions(game)[:: len(positions(game)) // 5]:
        rgb = render.rgb_array(loaded.spec, states[0], None)
        assert rgb.dtype == np.uint8 and rgb.shape[1:] == (WIDTH, 3) and rgb.flags.c_contiguous
        assert len(np.unique(rgb[::9, ::9].reshape(-1, 3), axis=0)) > 10
        assert np.array_equal(rgb, render.rgb_array(loaded.spec, states.copy()[0], None))


def test_different_tables_have_different_pixels(game: str) -> None:
    (loaded, first), *_, (_, last) = positions(game)[:5]
    one, other = (render.rgb_array(loaded.spec, states[0], 0) for states in (first, last))
    assert not np.array_equal(one, other)


def test_letters_reach_the_pixels(game: str) -> None:
    """A picture whose texts are taken away looks different where they stood: a font was found."""
    loaded, states = positions(game)[0]
    svg = part(loaded, "draw").svg(states[0], None)
    rgb = render.rgb_array(loaded.spec, states[0], None)
    for content, left, top, right, bottom in boxes(svg):
        spot = rgb[int(top) : int(bottom) + 1, int(left) : int(right) + 1].reshape(-1, 3)
        assert len(np.unique(spot, axis=0)) > 1, content


def test_the_missing_library_is_named(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, states = positions(game)[0]
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"resvg_py: pip install 'pepperenvs\[draw\]'"):
        render.rgb_array(loaded.spec, states[0], 0)


# ------------------------------------------------------------------------------------------------------ window


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """pygame with windows that nobody sees."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    module = pytest.importorskip("pygame")
    module.display.quit()
    yield module
    module.display.quit()


def shade(value: int, height: int = 40) -> NDArray[np.uint8]:
    return np.full((height, 60, 3), value, np.uint8)


def test_a_window_opens_only_when_shown_and_closes_twice(pygame: Any) -> None:
    window = render.Window("peppers")
    window.close()
    assert not pygame.display.get_init()
    assert window.show(shade(90)) and window.show(shade(120, height=50))
    assert window._window.size == (60, 50)
    assert pygame.surfarray.array3d(window._window.get_surface())[30, 45].tolist() == [120, 120, 120]
    window.close()
    window.close()
    assert window.show(shade(7)) and not window.closed_by_user
    window.close()


def test_a_person_closes_one_window_of_two(pygame: Any) -> None:
    first, second = render.Window("mild"), render.Window("hot")
    assert first.show(shade(1)) and second.show(shade(2))
    pygame.event.post(pygame.Event(pygame.WINDOWCLOSE, window=second._window))
    assert first.show(shade(3)) and not first.closed_by_user
    assert not second.show(shade(4)) and second.closed_by_user
    assert not second.show(shade(5))
    second.close()
    first.close()


def test_a_window_survives_the_end_of_pygame(pygame: Any) -> None:
    window = render.Window("peppers")
    assert window.show(shade(1))
    pygame.quit()
    assert window.show(shade(2))
    pygame.quit()
    window.close()


@pytest.mark.parametrize("driver", [None, "", "no-such-driver"])
def test_no_screen_is_an_error_that_says_so(driver: str | None) -> None:
    pytest.importorskip("pygame")
    code = (
        "import numpy as np; from pepperenvs.drivers.render import Window\n"
        "try: Window('x').show(np.zeros((9, 9, 3), np.uint8))\n"
        "except RuntimeError as error: print(error)"
    )
    if not sys.platform.startswith("linux"):
        pytest.skip("elsewhere there is always a screen")
    done = in_a_process(code, driver)
    assert done.stdout.startswith("there is no screen") and "rgb_array" in done.stdout


def test_importing_the_driver_loads_no_drawing_library() -> None:
    code = "import sys, pepperenvs.drivers.render; print(*sorted({'pygame', 'resvg_py'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_notebook_shows_an_environment_as_the_seat_to_move_sees_it(game: str) -> None:
    env = pepperenvs.make_aec(game)
    assert env._repr_svg_() is None
    env.reset(seed=3)
    seat = env.possible_agents.index(env.agent_selection)
    draw = games.load(game).spec.part("draw")
    assert env._repr_svg_() == draw.svg(env._states[0], seat) != draw.svg(env._states[0], None)
    solo = pepperenvs.make_solo(game, seat=1)
    assert solo._repr_svg_() is None
    solo.reset(seed=3)
    assert solo._repr_svg_() == draw.svg(solo._batch._states[0], 1)


# --------------------------------------------------------------------------------------- windows of environments

MAKERS: dict[str, Callable[..., Any]] = {
    "raw_env": RawEnv,
    "env": Env,
    "solo": functools.partial(SoloEnv, seat=0),
    "gymnasium": lambda game, **options: gymnasium.make(ids.gymnasium_id(game), seat=0, **options),
}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Makes an environment of each kind that has a window in turn."""
    return MAKERS[request.param]


@pytest.fixture
def colours(pygame: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """pygame, with a plain colour for every picture."""

    def rgb_array(spec: Any, state: Any, seat: int) -> NDArray[np.uint8]:
        return np.broadcast_to(np.array(colour(state, seat), np.uint8), (40, 60, 3))

    monkeypatch.setattr(render, "rgb_array", rgb_array)
    return pygame


def colour(state: Any, seat: int) -> list[int]:
    """Stands for the picture of a position: another colour for another state or seat."""
    return list(hashlib.sha256(state.tobytes() + bytes([seat])).digest()[:3])


def is_aec(env: Any) -> bool:
    return isinstance(env.unwrapped, RawEnv)


def state_of(env: Any) -> Any:
    return env.unwrapped._states[0] if is_aec(env) else env.unwrapped._batch._states[0]


def picture_of(env: Any) -> list[int]:
    """The colour of the position as it should be shown."""
    return colour(state_of(env), env.possible_agents.index(env.agent_selection) if is_aec(env) else 0)


def on_screen(pygame: Any, env: Any) -> list[int]:
    """The colour in the environment's window."""
    window = env.unwrapped._view._window._window
    found: list[int] = pygame.surfarray.array3d(window.get_surface())[20, 20].tolist()
    return found


def move(env: Any, chooser: np.random.Generator, legal: bool = True) -> Any:
    """Step with a random action that is legal, or one that is not."""
    one = env.unwrapped
    mask = one.infos[one.agent_selection]["action_mask"] if is_aec(env) else one.action_masks()
    return env.step(int(chooser.choice(np.flatnonzero(mask == legal))))


def limits(game: str) -> list[dict[str, Any]]:
    """The defaults; and a game that is cut short soon, if there is a limit."""
    return [{}, *({"max_moves": 5} for option in games.load(game).spec.options if option.name == "max_moves")]


def step_with_none(pygame: Any, env: RawEnv) -> None:
    """Take out the agents of a game that is over: the last picture stays, and can be drawn again."""
    last = on_screen(pygame, env)
    while env.agents:
        env.step(None)
        assert on_screen(pygame, env) == last
    env.render()
    assert on_screen(pygame, env) == picture_of(env)


def test_a_window_shows_every_position_and_the_final_one(game: str, make: Callable[..., Any], colours: Any) -> None:
    for options in limits(game):
        chooser, shown = np.random.default_rng(3), []
        env = make(game, render_mode="human", **options)
        env.reset(seed=3)
        while state_of(env)["to_move"] != OVER:
            assert on_screen(colours, env) == picture_of(env)
            shown.append(on_screen(colours, env))
            move(env, chooser)
        assert state_of(env)["truncated"] or not options
        assert on_screen(colours, env) == picture_of(env) not in shown
        if is_aec(env):
            step_with_none(colours, env)
        env.close()


def test_a_window_keeps_the_position_of_an_illegal_action(game: str, make: Callable[..., Any], colours: Any) -> None:
    chooser = np.random.default_rng(3)
    env = make(game, render_mode="human")
    env.reset(seed=3)
    move(env, chooser)
    before = picture_of(env)
    if type(env) is RawEnv:
        with pytest.raises(IllegalActionError):
            move(env, chooser, legal=False)
    else:
        move(env, chooser, legal=False)
    assert on_screen(colours, env) == before
    if type(env) is Env:
        assert all(env.terminations.values())
        step_with_none(colours, env)
    env.close()


def test_a_window_shows_a_position_that_is_set(game: str, colours: Any) -> None:
    source, env = RawEnv(game), RawEnv(game, render_mode="human")
    source.reset(seed=4)
    env.set_state(source.get_state())
    assert on_screen(colours, env) == picture_of(source)
    env.close()


def test_an_environment_closes_its_window_and_may_be_closed_again(
    game: str, make: Callable[..., Any], colours: Any
) -> None:
    env = make(game, render_mode="human")
    env.unwrapped.close()  # before there is one
    env.reset(seed=3)
    window = env.unwrapped._view._window
    assert window._window is not None
    env.close()
    env.unwrapped.close()
    assert window._window is None and env.unwrapped._view._window is None


def test_a_copy_has_a_window_of_its_own(game: str, colours: Any) -> None:
    env = RawEnv(game, render_mode="human")
    env.reset(seed=3)
    for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert other._view._window is None
        move(other, np.random.default_rng(3))
        assert on_screen(colours, other) == picture_of(other) != on_screen(colours, env)
        other.close()
        assert on_screen(colours, env) == picture_of(env)
    env.close()


def test_the_game_goes_on_when_a_person_closes_the_window(
    game: str, make: Callable[..., Any], colours: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    chooser = np.random.default_rng(3)
    env = make(game, render_mode="human")
    env.reset(seed=3)
    window = env.unwrapped._view._window
    colours.event.post(colours.Event(colours.WINDOWCLOSE, window=window._window))
    monkeypatch.setattr(colours, "Window", None)  # no other one opens
    while state_of(env)["to_move"] != OVER:
        move(env, chooser)
        assert window.closed_by_user and window._window is None
    env.reset(seed=4)
    assert window._window is None
    env.close()


@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array"])
def test_only_human_opens_a_window(game: str, make: Callable[..., Any], mode: str | None, pygame: Any) -> None:
    env = make(game, render_mode=mode)
    env.reset(seed=3)
    move(env, np.random.default_rng(3))
    if mode is not None:
        assert isinstance(env.render(), str if mode == "ansi" else np.ndarray)
    assert env.unwrapped._view._window is None and not pygame.display.get_init()
    env.close()


def in_a_process(program: str, screen: str | None = None) -> subprocess.CompletedProcess[str]:
    """A program that has gone well, with this video driver or with nothing that tells of a screen."""
    known = {name: value for name, value in os.environ.items() if name not in SCREENS}
    known |= {} if screen is None else {"SDL_VIDEODRIVER": screen}
    return subprocess.run([sys.executable, "-c", program], env=known, capture_output=True, text=True, check=True)


def test_text_needs_no_drawing_library(game: str) -> None:
    program = (
        "import sys, pepperenvs\n"
        f"aec, solo = (make({game!r}, render_mode='ansi') for make in (pepperenvs.make_aec, pepperenvs.make_solo))\n"
        "for env in (aec, solo): env.reset(seed=3); assert env.render(); env.close()\n"
        "print(*sorted({'pygame', 'resvg_py'} & set(sys.modules)))"
    )
    assert in_a_process(program).stdout.split() == []


def test_without_a_screen_reset_says_so_and_close_works() -> None:
    pytest.importorskip("pygame")
    if not sys.platform.startswith("linux"):
        pytest.skip("elsewhere there is always a screen")
    program = (
        "import pepperenvs\n"
        "for make in (pepperenvs.make_aec, pepperenvs.make_solo):\n"
        "    env = make('heat_guess_v0', render_mode='human')\n"
        "    try: env.reset(seed=3)\n"
        "    except RuntimeError as error: print(error)\n"
        "    env.close()"
    )
    lines = in_a_process(program).stdout.splitlines()
    assert len(lines) == 2 and all(line.startswith("there is no screen") for line in lines)


def test_a_process_ends_cleanly_with_a_window_open() -> None:
    pytest.importorskip("pygame")
    program = (
        "import pepperenvs\n"
        "envs = [make('heat_guess_v0', render_mode='human') for make in (pepperenvs.make_aec, pepperenvs.make_solo)]\n"
        "for env in envs: env.reset(seed=3)\n"
        "del envs[0], env; print('over')"
    )
    done = in_a_process(program, "dummy")
    assert (done.stdout, done.stderr) == ("over\n", "")
