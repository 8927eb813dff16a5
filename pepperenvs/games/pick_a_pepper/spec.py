"""Pick-a-Pepper declared."""

from pepperenvs.core.spec import RECALL, ChoiceOption, GameSpec, IntOption, Kernels
from pepperenvs.core.utility import no_solitaire
from pepperenvs.games.pick_a_pepper import audit, bot, round_end, rules, view
from pepperenvs.games.pick_a_pepper.actions import ACTIONS
from pepperenvs.games.pick_a_pepper.state import MAX_ROUNDS, MAX_SEATS, State
from pepperenvs.games.pick_a_pepper.tables import LEVELS

SPEC = GameSpec(
    name="pick_a_pepper",
    version=0,
    title="Pick-a-Pepper",
    package="pepperenvs.games.pick_a_pepper",
    summary="gather chilies, then cook the best sauces with them and get rid of the rest",
    tags={"decisions": "hand play, collecting, cooking", "hidden": "hands, decks", "chance": "deck, sauces"},
    players=(2, MAX_SEATS, 3),
    options=(
        ChoiceOption("difficulty", LEVELS, LEVELS[0], "sets the hand size and the sauces used and required"),
        RECALL,
        IntOption("max_rounds", 1, MAX_ROUNDS, 60, "rounds of phase 2 before the game is cut short"),
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
        conclude=round_end.conclude,
        solitaire=no_solitaire,
    ),
    audits=audit.AUDITS,
)
