"""One file is one experiment: `python -m experiments.NAME --help`."""

import os

# PyTorch's threads spin while they wait for one another, unless they are told not to before it is loaded. Beside other
# busy processes that makes training of small networks twenty times slower.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
