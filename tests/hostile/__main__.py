"""Run hostile scripts and print what each achieved, and how long it took.

    python -m tests.hostile [--strict] [TEXT ...]    those whose names hold a TEXT; else all
    python -m tests.hostile --sweep [NAME ...]       each attack on these commands; else on all

With --strict the exact bounds hold, which need a quiet machine: ended within 0.5 s of the limit,
no other thread held up for more than 0.3 s. A delay counts if it shows three times.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hostile.harness import MEGABYTE, HostileRunner, complaints, delays
from hostile.sweep import command_names, single_scripts
from hostile.tables import all_scripts

ROUNDS = 3


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("texts", nargs="*")
    options = parser.parse_args()
    if options.sweep:
        names = options.texts or command_names()
        chosen = [script for name in names for script in single_scripts(name)]
    else:
        chosen = [
            script
            for script in all_scripts()
            if not options.texts or any(text in script.name for text in options.texts)
        ]
    failures = 0
    with HostileRunner() as runner:
        for script in chosen:
            seen = runner.see(script)
            found = complaints(script, seen)
            for _ in range(ROUNDS if options.strict and not found else 0):
                found = delays(script, seen)
                if not found:
                    break
                seen = runner.see(script)
            failures += bool(found)
            if "died" in seen:
                times = "died"
            else:
                times = (
                    f"{seen['seconds']:5.2f} s  gap {seen['gap']:4.2f} s  "
                    f"{seen['peak'] // MEGABYTE:4} MB  {seen.get('limit') or seen.get('status')}"
                )
            print(f"{'FAILS' if found else 'holds'}  {script.name:40} {times}", flush=True)
            for line in found:
                print("       " + line.replace("\n", "\n       "))
            if found:
                runner.stop()
    print(f"{len(chosen)} scripts, {failures} fail")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
