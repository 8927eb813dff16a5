"""Pick-a-Pepper: gather chilies in one phase, cook sauces with them in the next. Rules: RULES.md."""
