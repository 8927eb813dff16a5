"""You Wish: ask the others for letters, and spell words with what you get. Rules: RULES.md."""
