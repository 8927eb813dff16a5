"""Everything a user touches, written once for all games: AEC, batch, solo."""
