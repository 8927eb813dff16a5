"""One file is one experiment: `python -m experiments.NAME --help`."""
