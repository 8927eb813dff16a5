"""`python -m pepperenvs`, and the command `pepperenvs`."""

import sys

from pepperenvs.cli import main

if __name__ == "__main__":
    sys.exit(main())
