"""``python -m goldassay``: the same as the command ``goldassay``."""

from __future__ import annotations

import sys

from goldassay.cli import main

if __name__ == "__main__":
    sys.exit(main())
