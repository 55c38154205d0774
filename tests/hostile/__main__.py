"""Run hostile scripts and print what each achieved, and how long it took.

    python -m tests.hostile [--strict] [TEXT ...]    those whose names hold a TEXT; else all
    python -m tests.hostile --record [TEXT ...]      and write down how they ended
    python -m tests.hostile --races NUMBER           operations of a LocalFS against a racer
    python -m tests.hostile --sweep [NAME ...]       each attack on these commands; else on all

With --part 2/5 it is the second of five parts, each of which has scripts of all kinds.

With --strict the exact bounds hold: ended within 0.5 s of the limit, no other thread held up for
more than 0.3 s. A delay counts if it shows three times. It does not count while other processes had
the processor; how much others slow down what does run, only a quiet machine leaves out.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hostile.harness import MEGABYTE, HostileRunner, complaints, delays, recorded_ending
from hostile.sweep import command_names, single_scripts
from hostile.tables import ENDINGS, all_scripts, recorded_endings

ROUNDS = 3


def run_races(operations: int) -> int:
    """Race, and print how the operations ended."""
    from hostile.races import MOMENTS, race

    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        outcomes, changes = race(Path(folder), operations)
    for name, number in outcomes.most_common():
        print(f"{number:9} {name}")
    print(f"{outcomes.total()} operations against {changes} changes")
    return 0 if set(outcomes) <= MOMENTS else 1


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("texts", nargs="*")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--races", type=int)
    parser.add_argument("--part", default="1/1", metavar="NUMBER/PARTS")
    options = parser.parse_args()
    if options.races:
        return run_races(options.races)
    if options.sweep:
        names = options.texts or command_names()
        chosen = [script for name in names for script in single_scripts(name)]
    else:
        chosen = [
            script
            for script in all_scripts()
            if not options.texts or any(text in script.name for text in options.texts)
        ]
    number, parts = map(int, options.part.split("/"))
    chosen = chosen[number - 1 :: parts]
    failures, ended = 0, dict[str, str]()
    with HostileRunner() as runner:
        for script in chosen:
            if options.record:
                script.recorded = ""
            seen = runner.see(script)
            found = complaints(script, seen)
            for _ in range(ROUNDS if options.strict and not found else 0):
                found = [seen["died"]] if "died" in seen else delays(script, seen)
                if not found:
                    break
                seen = runner.see(script)
            failures += bool(found)
            if not found:
                ended[script.name] = recorded_ending(seen)
            if "died" in seen:
                times = "died"
            else:
                times = (
                    f"{seen['seconds']:5.2f} s  others {seen['held_seconds']:4.2f} s  "
                    f"gap {seen['gap']:4.2f} s  "
                    f"{seen['peak'] // MEGABYTE:4} MB  {seen.get('limit') or seen.get('status')}"
                )
            print(f"{'FAILS' if found else 'holds'}  {script.name:40} {times}", flush=True)
            for line in found:
                print("       " + line.replace("\n", "\n       "))
            if found:
                runner.stop()
    if options.record:
        rows = sorted((recorded_endings() | ended).items())
        ENDINGS.write_text("".join(f"{name}\t{ending}\n" for name, ending in rows), "utf-8")
    print(f"{len(chosen)} scripts, {failures} fail")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
