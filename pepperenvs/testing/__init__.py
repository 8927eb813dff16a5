"""Checks for authors of games, usable outside this repository: README.md has an example."""
