"""Compare LocalFS with plain `os`: stat, open and read, list; one directory deep and five.

    python benchmarks/local.py [--rounds N]

Plain `os` gets the whole path and trusts it; LocalFS opens every directory on the way. Contenders
take turns in every round, so that noise affects both equally; medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from keysh.vfs.local.filesystem import LocalFS

CALLS_PER_ROUND = 2000
ENTRIES = 20


def read_plainly(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)


def list_plainly(path: str) -> list[tuple[str, bool]]:
    with os.scandir(path) as entries:
        return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]


def read(fs: LocalFS, path: str) -> bytes:
    with fs.open(path) as stream:
        return stream.read(1 << 16)


def pairs(fs: LocalFS, root: str, folder: str) -> dict[str, tuple[Callable[[], object], ...]]:
    """Return for each operation the call of LocalFS and that of plain `os`."""
    file, here, real = f"{folder}/file0", root + folder, f"{root}{folder}/file0"
    return {
        "stat": (lambda: fs.stat(file), lambda: os.stat(real)),
        "open, read": (lambda: read(fs, file), lambda: read_plainly(real)),
        f"list {ENTRIES}": (lambda: list(fs.list(folder)), lambda: list_plainly(here)),
    }


def microseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS_PER_ROUND):
        call()
    return (time.perf_counter() - start) * 1e6 / CALLS_PER_ROUND


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=15)
    rounds = options.parse_args().rounds
    with tempfile.TemporaryDirectory() as root, LocalFS(root) as fs:
        for depth in (1, 5):
            folder = "".join(f"/d{step}" for step in range(depth))
            Path(root + folder).mkdir(parents=True, exist_ok=True)
            for number in range(ENTRIES):
                Path(f"{root}{folder}/file{number}").write_bytes(b"text" * 100)
            for name, calls in pairs(fs, root, folder).items():
                spent = [[microseconds(call) for call in calls] for _ in range(rounds)]
                ours, plain = (statistics.median(times) for times in zip(*spent, strict=True))
                print(
                    f"{name:12} {depth} down   LocalFS {ours:6.2f} us   os {plain:6.2f} us"
                    f"   {ours / plain:.2f} x"
                )


if __name__ == "__main__":
    main()
