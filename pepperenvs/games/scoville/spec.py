"""Scoville declared."""

from pepperenvs.core.spec import RECALL, GameSpec, IntOption, Kernels
from pepperenvs.core.utility import no_solitaire
from pepperenvs.games.scoville import audit, bot, rules, time_check, view
from pepperenvs.games.scoville.actions import ACTIONS
from pepperenvs.games.scoville.state import MAX_BID, MAX_ROUNDS, State
from pepperenvs.games.scoville.tables import MAX_SEATS, MIN_SEATS

SPEC = GameSpec(
    name="scoville",
    version=0,
    title="Scoville",
    package="pepperenvs.games.scoville",
    summary="bid for the turn order, plant peppers, walk between them to cross-breed, and cook the best recipes",
    tags={
        "decisions": "bids, planting, routes, orders",
        "hidden": "bids, decks; holdings (memory only)",
        "chance": "decks, set-up",
        "secret": "bid",
    },
    players=(MIN_SEATS, MAX_SEATS, 4),
    options=(
        RECALL,
        IntOption("max_rounds", 1, MAX_ROUNDS, 30, "rounds before the game is cut short"),
        IntOption("max_bid", 0, MAX_BID, MAX_BID, "highest bid, coins"),
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
        conclude=time_check.conclude,
        solitaire=no_solitaire,
    ),
    audits=audit.AUDITS,
)
