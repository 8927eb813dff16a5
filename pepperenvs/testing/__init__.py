"""Checks for authors of games, usable outside this repository."""
