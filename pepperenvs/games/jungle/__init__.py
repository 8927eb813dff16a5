"""Jungle: the higher letter takes, and Animals fight it out; now and then a word turns it round. Rules: RULES.md."""
