"""Time stat and open through the router and without it, and globs over many files.

    python benchmarks/router.py [--rounds N]

The contenders take turns; the best round counts, since noise only adds. `glob` is `**/*.py` over
directories of 100 files each, of which every tenth matches; bash does the same for files on disk,
and its start is included.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from keysh.vfs.glob import ANY_DEPTH, StepPattern, glob
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.router import Router

CALLS_PER_ROUND = 2000
PATTERN = (ANY_DEPTH, StepPattern(lambda name: name.endswith(".py")))


def best(
    calls: dict[str, Callable[[], object]], rounds: int, calls_per_round: int
) -> dict[str, float]:
    """Return the microseconds of a call."""
    times = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(calls_per_round):
                call()
            times[name] = min(times[name], (time.perf_counter() - start) / calls_per_round * 1e6)
    return times


def operations(depth: int) -> dict[str, Callable[[], object]]:
    """Return calls of stat and open at a depth, through links, and in an overlay."""
    path = "/d" * (depth - 1) + "/file"
    memory = MemoryFS({path: "text"})
    memory.make_link(path, "/link")
    memory.make_link("." if depth == 1 else "d", "/through")
    router, overlay = Router(memory), OverlayFS(memory)
    mounted = Router({"/": MemoryFS(), "/dev": MemoryFS(), "/a": memory, "/b": MemoryFS()})
    through = "/through/" + path[1:].removeprefix("d/")
    return {
        "stat, no router": lambda: memory.stat(path),
        "stat": lambda: router.stat(path),
        "stat, 4 mounts": lambda: mounted.stat(f"/a{path}"),
        "stat, with //": lambda: router.stat(f"/{path}"),
        "stat, with link/..": lambda: router.stat(f"/through/..{path}"),
        "stat, last a link": lambda: router.stat("/link", follow=True),
        "stat, through a link": lambda: router.stat(through),
        "stat, no router, overlay": lambda: overlay.stat(path),
        "open, no router": lambda: memory.open(path).close(),
        "open": lambda: router.open(path).close(),
        "open, through a link": lambda: router.open(through).close(),
    }


def globs(count: int, folder: str) -> dict[str, Callable[[], object]]:
    """Return calls of one glob over `count` files, in memory, on disk and by bash."""
    paths = [
        f"/{n // 1000}/{n // 100 % 10}/{n}.{'py' if n % 10 == 0 else 'txt'}" for n in range(count)
    ]
    for path in paths:
        Path(folder + path).parent.mkdir(parents=True, exist_ok=True)
        Path(folder + path).touch()
    memory, local = Router(MemoryFS(dict.fromkeys(paths, ""))), Router(LocalFS(folder))
    bash = ["bash", "-O", "globstar", "-c", "set -- **/*.py; echo $#"]
    return {
        "MemoryFS": lambda: len(glob(memory, PATTERN, "/")),
        "LocalFS": lambda: len(glob(local, PATTERN, "/")),
        "bash": lambda: int(subprocess.run(bash, cwd=folder, capture_output=True).stdout),
    }


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=7)
    rounds = options.parse_args().rounds
    for depth in (1, 3, 8):
        for name, spent in best(operations(depth), rounds, CALLS_PER_ROUND).items():
            print(f"depth {depth}   {name:24} {spent:7.2f} us")
    for count in (1_000, 10_000, 100_000):
        with tempfile.TemporaryDirectory() as folder:
            calls = globs(count, folder)
            assert {call() for call in calls.values()} == {count // 10}
            for name, spent in best(calls, max(2, rounds // 2), 1).items():
                each = spent / count
                print(f"glob {count:7}   {name:9} {spent / 1e3:8.2f} ms   {each:5.2f} us a file")


if __name__ == "__main__":
    main()
