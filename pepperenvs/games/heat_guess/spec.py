"""Heat Guess declared."""

from pepperenvs.core.spec import RECALL, BoolOption, GameSpec, IntOption, Kernels
from pepperenvs.games.heat_guess import bot, rules, view
from pepperenvs.games.heat_guess.actions import ACTIONS
from pepperenvs.games.heat_guess.state import MAX_MOVES, MAX_SEATS, State
from pepperenvs.games.heat_guess.tables import MAX_COPIES, MAX_HEATS, MAX_KINDS

SPEC = GameSpec(
    name="heat_guess",
    version=0,
    title="Heat Guess",
    package="pepperenvs.games.heat_guess",
    summary="guess the heat of the pepper on the card",
    tags={"decisions": "guesses", "hidden": "heat of each pepper", "chance": "deck, labels"},
    players=(1, MAX_SEATS, 2),
    options=(
        IntOption("kinds", 2, MAX_KINDS, 8, "kinds of peppers"),
        IntOption("heats", 2, MAX_HEATS, 4, "heat numbers are 1 … this"),
        IntOption("copies", 1, MAX_COPIES, 3, "cards of each kind"),
        BoolOption("reveal", False, "a wrong guess reveals the true number to all"),
        RECALL,
        IntOption("max_moves", 1, MAX_MOVES, lambda o: 50 * o["kinds"] * o["copies"], "guesses of all seats together"),
    ),
    state=State,
    actions=ACTIONS,
    layout=view.OBS,
    kernels=Kernels(
        reset=rules.reset,
        chance=rules.chance,
        advance=rules.advance,
        legal_actions=rules.legal_actions,
        step=rules.step,
        observe=view.observe,
        resample_hidden=view.resample_hidden,
        bot=bot.bot,
        audit=rules.audit,
        conclude=rules.conclude,
        solitaire=rules.solitaire,
    ),
    audits=rules.AUDITS,
)
