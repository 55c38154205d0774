"""Time what safety costs: confinement, rules, the audit and workers, one after the other.

    python benchmarks/safety.py [--rounds N]

Each part is a benchmark of its own beside this one, with the bounds that are asked of it.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

PARTS = ("confinement", "rules", "audit", "workers")


def main() -> None:
    for part in PARTS:
        print(f"---- {part}", flush=True)
        sys.argv[0] = part
        runpy.run_path(str(Path(__file__).with_name(f"{part}.py")), run_name="__main__")


if __name__ == "__main__":
    main()
