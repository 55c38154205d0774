"""`python -m keysh`."""

import sys

from keysh.cli.main import main

sys.exit(main())
