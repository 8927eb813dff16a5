"""Naive twins: plain-Python implementations written from the rules text alone, to check the kernels against.

Each module is named like its game and has `Twin`, `play_random`, and for the tests `random_options`, other than the
default ones, and `purposeful`, a chooser of moves that reaches what random play does not.
"""
