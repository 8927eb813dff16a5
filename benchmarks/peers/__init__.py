"""Other libraries measured beside this one, by the same clock; each is skipped if it is not installed."""
