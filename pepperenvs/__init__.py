"""pepperenvs: reinforcement-learning environments for tabletop games about peppers."""

__version__ = "0.1.0.dev0"
