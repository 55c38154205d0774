"""`python -m keysh`."""

import sys

from keysh.cli import main

sys.exit(main())
