"""The actions of You Wish: ask a seat for a letter, play a word of a length, pass."""

from pepperenvs.core.layout import Actions, Block
from pepperenvs.games.you_wish.state import MAX_SEATS, NUM_LENGTHS
from pepperenvs.lexicon.deck import LETTER_NAMES, NUM_LETTERS
from pepperenvs.lexicon.words import MIN_LENGTH

ACTIONS = Actions(
    Block(
        "ask",
        {"seats to the left": MAX_SEATS - 1, "letters": NUM_LETTERS},
        lambda seat, letter: f"ask {seat} {LETTER_NAMES[letter]}",
        "ask a seat for all its cards of a letter",
        relative=True,
    ),
    Block("word", {"lengths": NUM_LENGTHS}, lambda place: f"word {place + MIN_LENGTH}", "play a word of this length"),
    Block("pass", {}, lambda: "pass", "play no word"),
)

ASK, WORD, PASS = ACTIONS.start("ask"), ACTIONS.start("word"), ACTIONS.start("pass")

action_string = ACTIONS.string
parse_action = ACTIONS.parse
