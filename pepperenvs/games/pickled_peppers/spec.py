"""Pickled Peppers declared."""

from pepperenvs.core.spec import RECALL, BoolOption, ChoiceOption, GameSpec, IntOption, Kernels
from pepperenvs.core.utility import no_solitaire
from pepperenvs.games.pickled_peppers import audit, bot, rules, view
from pepperenvs.games.pickled_peppers.actions import ACTIONS
from pepperenvs.games.pickled_peppers.state import MAX_MOVES, MAX_SEATS, State

SPEC = GameSpec(
    name="pickled_peppers",
    version=0,
    title="Pickled Peppers",
    package="pepperenvs.games.pickled_peppers",
    summary="flip letters, pickle hot peppers, and spell a word to escape",
    tags={"decisions": "none, or when to claim a word", "hidden": "stacks", "chance": "deal, restacks"},
    players=(2, MAX_SEATS, 2),
    options=(
        ChoiceOption("words", ("off", "claim"), "claim", "whether words may be claimed"),
        IntOption("min_len", 2, 4, 3, "letters of the shortest word"),
        BoolOption("spell_hint", False, "observations say whether a claim made now would be right"),
        RECALL,
        IntOption("max_moves", 1, MAX_MOVES, 5000, "decisions before the game is cut short"),
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
        audit=audit.audit,
        conclude=rules.conclude,
        solitaire=no_solitaire,
    ),
    audits=audit.AUDITS,
)
