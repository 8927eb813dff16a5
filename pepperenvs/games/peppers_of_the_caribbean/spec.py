"""Peppers of the Caribbean declared."""

from pepperenvs.core.spec import RECALL, GameSpec, IntOption, Kernels
from pepperenvs.core.utility import no_solitaire
from pepperenvs.games.peppers_of_the_caribbean import audit, bot, rules, view
from pepperenvs.games.peppers_of_the_caribbean.actions import ACTIONS
from pepperenvs.games.peppers_of_the_caribbean.state import MAX_MOVES, MAX_SEATS, State

SPEC = GameSpec(
    name="peppers_of_the_caribbean",
    version=0,
    title="Peppers of the Caribbean",
    package="pepperenvs.games.peppers_of_the_caribbean",
    summary="recruit pirates with pirates, lay sets of all colours and dishes, and collect bonus cards",
    tags={"decisions": "what to take, which sets", "hidden": "hands, deck", "chance": "deck"},
    players=(2, MAX_SEATS, 3),
    options=(RECALL, IntOption("max_moves", 1, MAX_MOVES, 2000, "moves before the game is cut short")),
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
        audit=audit.audit,
        conclude=rules.conclude,
        solitaire=no_solitaire,
    ),
    audits=audit.AUDITS,
)
