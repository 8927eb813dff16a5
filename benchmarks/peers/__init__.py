"""Other libraries measured beside this one, in one run and by the same clock; each is skipped if it is not installed."""
