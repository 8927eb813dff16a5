"""The Potion Contest: turn and shift the tiles of a board until paths on it spell three recipes. Rules: RULES.md."""
