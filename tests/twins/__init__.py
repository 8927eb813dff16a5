"""Naive twins: plain-Python implementations written from the rules text alone, to check the kernels against.

Each module is named like its game and has

    GAME                                               its id
    Twin(num_players, options, deal)                   a game that has been dealt; the deal as in records
      .to_move, .awaiting                              seat to move, name of the outcome awaited, or None
      .legal(), .play(move)                            canonical action strings; ValueError for an illegal one
      .chance({name: outcome})                         the awaited outcome; ValueError for an impossible one
      .scores, .standing, .truncated                   at the end; .solitaire with one player
      .observe(seat)                                   what a seat sees: the layout's segments by name
      .random_deal(num_players, options, rng)          drawn with a random.Random, as is .random_outcome(rng)
    changed_options(options)                           those that differ from the default, as a record's header has them
    random_options(rng)                                other than the default ones, of games that are not long
    purposeful(twin, legal, rng)                       a chooser of moves that reaches what random play does not
    GAMES                                              if 1,000 games would take too long: how many are played in tests
    audit(twin)                                        asserts what must always hold
"""

import random


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


def play_random(module, num_players, options, seed, choose=None):
    """A whole game of a twin as record lines; `choose(twin, legal, rng)` picks the moves, uniformly unless given."""
    rng = random.Random(seed)
    choose = choose or (lambda twin, legal, rng: rng.choice(legal))
    changed = module.changed_options(options)
    deal = module.Twin.random_deal(num_players, options, rng)
    twin = module.Twin(num_players, options, deal)
    header = {"record": 1, "game": module.GAME, "players": num_players, "options": changed, "seed": seed}
    lines = [header, {"deal": deal}]
    while twin.to_move is not None:
        if twin.awaiting:
            outcome = twin.random_outcome(rng)
            lines.append({"chance": outcome})
            twin.chance(outcome)
        else:
            legal = twin.legal()
            move = choose(twin, legal, rng)
            lines.append({"seat": twin.to_move, "move": move, "legal": legal})
            twin.play(move)
    lines.append({"scores": twin.scores, "standing": twin.standing, "truncated": twin.truncated})
    return lines
