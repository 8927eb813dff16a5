"""Scoville: bid for the turn order, plant, cross-breed by walking between plots, fulfil orders. Rules: RULES.md."""
