"""The resident memory of this process."""

from __future__ import annotations

import os

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
STATM_PATH = "/proc/self/statm"  # the second number counts resident pages


def resident_bytes() -> int:
    """Return the resident bytes; without /proc the peak so far."""
    try:
        file = os.open(STATM_PATH, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return peak_bytes()
    try:
        return int(os.read(file, 128).split()[1]) * PAGE_BYTES
    finally:
        os.close(file)


def peak_bytes() -> int:
    """Return the peak resident bytes."""
    import sys  # noqa: PLC0415 - only where there is no /proc
    from resource import RUSAGE_SELF, getrusage  # noqa: PLC0415 - only where there is no /proc

    unit = 1 if sys.platform == "darwin" else 1024
    return getrusage(RUSAGE_SELF).ru_maxrss * unit
