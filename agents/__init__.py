"""Players for the environments: random, scripted, learning; and matches between them."""
