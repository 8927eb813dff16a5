"""The Potion Contest declared."""

from pepperenvs.core.spec import RECALL, GameSpec, IntOption, Kernels, SeatsOption, Simultaneous
from pepperenvs.games.potion_contest import audit, bot, rules, view
from pepperenvs.games.potion_contest.actions import ACTIONS, PASS
from pepperenvs.games.potion_contest.state import MAX_SEATS, MAX_TURNS, SOLO_TURNS, USUAL_TURNS, State
from pepperenvs.games.potion_contest.tables import NUM_LEVELS, NUM_ORDERS

SPEC = GameSpec(
    name="potion_contest",
    version=0,
    title="The Potion Contest",
    package="pepperenvs.games.potion_contest",
    summary="turn, trade and push the tiles of your board until paths on it spell three recipes",
    tags={
        "decisions": "board moves (simultaneous)",
        "hidden": "others' choices this turn, orders to come",
        "chance": "order deck, set-up, tie-break recipe",
        "secret": " ".join(block.name for block in ACTIONS.blocks),
    },
    players=(1, MAX_SEATS, 2),
    options=(
        IntOption("level", 1, NUM_LEVELS, 2, "ingredients, size of the grid, lengths of the recipes"),
        SeatsOption(
            "personal_orders", 0, NUM_ORDERS, NUM_ORDERS, "personal orders that a seat may use; ignored at level 1"
        ),
        IntOption(
            "max_turns",
            1,
            MAX_TURNS,
            lambda o: SOLO_TURNS if o["num_players"] == 1 else USUAL_TURNS,
            "turns before the game ends undecided, or for a player alone in defeat",
        ),
        RECALL,
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
        solitaire=rules.solitaire,
    ),
    audits=audit.AUDITS,
    simultaneous=Simultaneous(turn="turn", idle=PASS),
)
