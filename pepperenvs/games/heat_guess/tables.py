"""Heat Guess has no component tables; its cards follow from the options."""

MAX_KINDS = 12
MAX_HEATS = 10
MAX_COPIES = 4
MAX_CARDS = MAX_KINDS * MAX_COPIES

KIND_NAMES = tuple(f"p{kind + 1:02d}" for kind in range(MAX_KINDS))
