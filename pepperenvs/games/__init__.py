"""The games, a folder each; see README.md for what a folder holds."""
