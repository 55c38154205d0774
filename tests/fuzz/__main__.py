"""Fuzz a target, or all of them in turn.

    python -m tests.fuzz TARGET ... [--seconds N] [--seed S]      N seconds for each target
    python -m tests.fuzz --list

The inputs that break a target are written, as small as they became, to tests/fuzz/corpus/TARGET.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.campaign import Finding, fuzz, keep
from fuzz.targets import all_targets

CORPUS = Path(__file__).with_name("corpus")


def main() -> int:
    targets = all_targets()
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    if options.list:
        print(*targets, sep="\n")
        return 0
    if unknown := sorted({*options.targets} - {*targets}):
        parser.error(f"unknown target {unknown[0]}; --list prints those that exist")
    kinds = 0
    for name in options.targets or targets:

        def report(finding: Finding, name: str = name) -> None:
            print(f"{name}: {keep(CORPUS / name, finding)}\n  {finding}", flush=True)

        count, found = fuzz(targets[name], options.seed, options.seconds, report)
        print(f"{name}: {count} inputs, {found} findings, seed {options.seed}", flush=True)
        kinds += found
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
