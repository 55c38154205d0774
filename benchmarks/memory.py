"""Measure what a file in MemoryFS costs, in time and bytes, with 1,000 to 100,000 files.

    python benchmarks/memory.py [--rounds N]

Each number is for one file, one write or one snapshot, and should be the same in every row. The
memory is that of a file without its contents, but with its name, or that of a whole snapshot.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable
from functools import partial

from keysh.vfs.memory.filesystem import MemoryFS

COUNTS = (1_000, 10_000, 100_000)
DIRECTORIES = 100
CONTENT = b"a line of text\n"
PIECE = bytes(1000)
SNAPSHOTS = 1_000


def make(paths: list[str]) -> MemoryFS:
    return MemoryFS(dict.fromkeys(paths, CONTENT))


def write_each(_: MemoryFS, paths: list[str]) -> None:
    """Create the files one by one, as a script does."""
    fs = MemoryFS()
    for number in range(DIRECTORIES):
        fs.make_directory(f"/d{number}")
    for path in paths:
        with fs.open(path, "x") as stream:
            stream.write(CONTENT)


def list_all(fs: MemoryFS, _: list[str]) -> None:
    for directory in fs.list("/"):
        for _entry in fs.list(f"/{directory.name}"):
            pass


def stat_each(fs: MemoryFS, paths: list[str]) -> None:
    for path in paths:
        fs.stat(path)


def read_each(fs: MemoryFS, paths: list[str]) -> None:
    for path in paths:
        with fs.open(path) as stream:
            stream.read()


# Each is timed with a file system and the paths of its files.
MEASURES: dict[str, Callable[[MemoryFS, list[str]], None]] = {
    "write": write_each,
    "list": list_all,
    "stat": stat_each,
    "read": read_each,
}


def microseconds(act: Callable[[], object], count: int, rounds: int) -> float:
    """Return the median time for one of `count`."""
    spent = []
    for _ in range(rounds):
        gc.collect()
        start = time.perf_counter()
        act()
        spent.append(time.perf_counter() - start)
    return statistics.median(spent) * 1e6 / count


def result_bytes(act: Callable[[], object], count: int) -> float:
    """Return the bytes of the result, for one of `count`."""
    gc.collect()
    tracemalloc.start()
    answer = act()
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del answer
    return size / count


def by_count(rounds: int) -> None:
    """Print a row for each number of files."""
    names = ["make", *MEASURES]
    print(f"{'files':>8}", *(f"{name + ' us':>11}" for name in names), "  bytes")
    for count in COUNTS:
        paths = [f"/d{number % DIRECTORIES}/file{number}.txt" for number in range(count)]
        fs = make(paths)
        acts: list[Callable[[], object]] = [partial(make, paths)]
        acts += [partial(act, fs, paths) for act in MEASURES.values()]
        times = [microseconds(act, count, rounds) for act in acts]
        size = result_bytes(partial(make, paths), count)
        print(f"{count:8}", *(f"{x:11.2f}" for x in times), f"{size:7.0f}")


def by_size(rounds: int) -> None:
    """Time appending in small pieces."""
    for count in COUNTS:
        spent = microseconds(partial(append, count), count, rounds)
        print(f"{count:8} writes of 1,000 bytes: {spent:.2f} us each")


def by_snapshot(rounds: int) -> None:
    """Time and weigh snapshots that stay alive, and the first write to each of them."""
    for count in COUNTS:
        paths = [f"/d{number % DIRECTORIES}/file{number}.txt" for number in range(count)]
        fs = make(paths)
        snapshots: list[MemoryFS] = []
        spent = microseconds(partial(take_snapshots, fs, snapshots), SNAPSHOTS, rounds)
        size = result_bytes(partial(take_snapshots, fs, []), SNAPSHOTS)
        written = microseconds(partial(write_to_each, snapshots, paths[0]), len(snapshots), 1)
        print(
            f"{count:8} files: a snapshot {spent:.2f} us, {size:.0f} bytes; "
            f"its first write {written:.2f} us"
        )


def take_snapshots(fs: MemoryFS, snapshots: list[MemoryFS]) -> list[MemoryFS]:
    snapshots += [fs.snapshot() for _ in range(SNAPSHOTS)]
    return snapshots


def write_to_each(snapshots: list[MemoryFS], path: str) -> None:
    for fs in snapshots:
        with fs.open(path, "a") as stream:
            stream.write(CONTENT)


def append(count: int) -> None:
    with MemoryFS().open("/log", "a") as stream:
        for _ in range(count):
            stream.write(PIECE)


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=5)
    rounds = options.parse_args().rounds
    by_count(rounds)
    by_size(rounds)
    by_snapshot(rounds)


if __name__ == "__main__":
    main()
