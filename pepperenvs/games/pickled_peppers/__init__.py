"""Pickled Peppers: flip letters, pickle hot peppers, and spell a way out of it. Rules: RULES.md."""
