"""You Wish declared."""

from pepperenvs.core.spec import RECALL, GameSpec, IntOption, Kernels
from pepperenvs.core.utility import no_solitaire
from pepperenvs.games.you_wish import audit, bot, rules, view
from pepperenvs.games.you_wish.actions import ACTIONS
from pepperenvs.games.you_wish.state import MAX_MOVES, MAX_SEATS, State

SPEC = GameSpec(
    name="you_wish",
    version=0,
    title="You Wish",
    package="pepperenvs.games.you_wish",
    summary="ask the others for letters, and spell words with what you get",
    tags={"decisions": "ask, or play a word", "hidden": "hands, well", "chance": "deal"},
    players=(3, MAX_SEATS, 3),
    options=(
        IntOption("min_len", 2, 4, 3, "letters of the shortest word"),
        RECALL,
        IntOption("max_moves", 1, MAX_MOVES, 1024, "decisions before the game is cut short"),
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
