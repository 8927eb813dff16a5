"""Naive twins: plain-Python implementations written from the rules text alone, to check the kernels against.

Each module is named like its game and has `Twin`, `play_random`, and for the tests `random_options`, other than the
default ones, and `purposeful`, a chooser of moves that reaches what random play does not.
"""


def replay(module, lines, after_each=lambda twin: None):
    """Plays one record's lines and compares whose turn it is, the legal lists and the result."""
    header, deal, *middle, result = lines
    assert header["game"] == module.GAME
    twin = module.Twin(header["players"], header["options"], deal["deal"])
    after_each(twin)
    for line in middle:
        if "chance" in line:
            twin.chance(line["chance"])
        else:
            assert twin.awaiting is None
            assert twin.to_move == line["seat"]
            assert twin.legal() == line["legal"]
            twin.play(line["move"])
        after_each(twin)
    assert twin.to_move is None and twin.awaiting is None
    assert {"scores": twin.scores, "standing": twin.standing, "truncated": twin.truncated} == result
    return twin
