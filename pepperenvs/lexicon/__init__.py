"""The deck of letters and the word list that three games share, and the look-ups of words; see README.md."""
