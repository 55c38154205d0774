"""Fuzz a target, or all of them in turn.

    python -m tests.fuzz TARGET ... [--seconds N] [--seed S]      N seconds for each target
    python -m tests.fuzz TARGET ... --engine atheris              guided by coverage
    python -m tests.fuzz --list

The inputs that break a target are written, as small as they became, to tests/fuzz/corpus/TARGET.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.campaign import Campaign, report_to
from fuzz.targets import Target, all_targets
from real_tools import is_real

TESTS = Path(__file__).parents[1]
LOG_BYTES = 2000  # of what a process printed before it died


def fuzz_at_random(target: Target, seed: int, seconds: float, folder: Path) -> bool:
    """Try what the maker makes for some time. Return whether nothing was found."""
    make = target.maker(Random(seed))
    campaign = Campaign(target, folder / "current", report_to(target.name))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        campaign.take(make())
    print(campaign.summary(seed), flush=True)
    return not campaign.kinds


def fuzz_by_coverage(target: Target, seed: int, seconds: float, folder: Path) -> bool:
    """Let atheris make the inputs, in a process apart. Return whether nothing was found."""
    call = [sys.executable, "-m", "fuzz.coverage", target.name, str(seconds), str(seed), folder]
    log = folder / "log"
    with log.open("wb") as errors:
        done = subprocess.run(call, cwd=TESTS, stderr=errors, check=False)
    if done.returncode not in (0, 1):
        last = log.read_bytes()[-LOG_BYTES:].decode("utf-8", "replace")
        print(f"{target.name}: ended with {done.returncode}\n{last}", flush=True)
        current = folder / "current"
        if current.exists():
            print(f"  {current.read_bytes()!r}", flush=True)
    return done.returncode == 0


ENGINES = {"random": fuzz_at_random, "atheris": fuzz_by_coverage}


def main() -> int:
    targets = all_targets()
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--engine", choices=ENGINES, default="random")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    if options.list:
        print(*targets, sep="\n")
        return 0
    if unknown := sorted({*options.targets} - {*targets}):
        parser.error(f"unknown target {unknown[0]}; --list prints those that exist")
    if options.engine == "atheris" and find_spec("atheris") is None:
        parser.error("atheris is not installed: pip install atheris")
    is_clean = True
    for name in options.targets or targets:
        target = targets[name]
        if missing := [tool for tool in target.tools if not is_real(tool)]:
            print(f"{name}: skipped, there is no real {missing[0]}", flush=True)
            continue
        with TemporaryDirectory(prefix=f"fuzz-{name}-") as folder:
            engine = ENGINES[options.engine]
            is_clean &= engine(target, options.seed, options.seconds, Path(folder))
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
