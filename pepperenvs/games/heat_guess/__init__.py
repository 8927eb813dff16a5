"""Heat Guess: guess the heat of the pepper on the card. Rules: RULES.md."""
