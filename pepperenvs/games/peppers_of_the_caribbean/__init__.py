"""Peppers of the Caribbean: recruit pirates of all colours and dishes, and lay them out in sets. Rules: RULES.md."""
