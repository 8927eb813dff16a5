"""Jungle declared."""

from pepperenvs.core.spec import RECALL, BoolOption, ChoiceOption, GameSpec, IntOption, Kernels
from pepperenvs.core.utility import no_solitaire
from pepperenvs.games.jungle import audit, bot, rules, view
from pepperenvs.games.jungle.actions import ACTIONS
from pepperenvs.games.jungle.state import ANYTIME, JUNGLE, MAX_MOVES, MAX_SEATS, SCRUMPS, State

SPEC = GameSpec(
    name="jungle",
    version=0,
    title="Jungle",
    package="pepperenvs.games.jungle",
    summary="the higher letter takes, Animals fight, and a word turns it round",
    tags={"decisions": "none, or when to claim a word", "hidden": "stacks", "chance": "deal, restacks"},
    players=(2, MAX_SEATS, 2),
    options=(
        ChoiceOption("words", ("off", "claim"), "claim", "whether words may be claimed"),
        IntOption("min_len", 2, 4, 3, "letters of the shortest word"),
        BoolOption("spell_hint", False, "observations say whether a claim made now would be right"),
        ChoiceOption(
            "scrump",
            SCRUMPS,
            lambda o: SCRUMPS[JUNGLE if o["num_players"] == 2 else ANYTIME],
            "when words may be claimed: only after the Jungle rule, or after every challenge",
        ),
        RECALL,
        IntOption("max_moves", 1, MAX_MOVES, 10_000, "decisions before the game is cut short"),
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
