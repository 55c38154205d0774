"""The clock and the seed of shells in tests: each run has the same."""

from __future__ import annotations

FIXED_CLOCK_SECONDS = 946_684_800  # the first second of 2000
FIXED_SEED = 0
