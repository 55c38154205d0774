"""Time what keeps the state of a shell: file systems that last, next to those that do not.

    python benchmarks/state.py [--rounds N] [--python PYTHON]

Files are written to a MemoryFS, to a LocalFS, and to a SqliteFS in one transaction and without
one. Contenders take turns in every round; medians. After each time is how often MemoryFS's fits
into it. Then come images of a shell, next to bashkit's where PYTHON has it, and runs in a store.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

from stored_sessions import print_images, print_stores

from keysh import FileSystem, LocalFS, MemoryFS, SqliteFS

SMALL_FILES = 1000
LARGE_FILES = 100
LARGE_BYTES = 100_000
COMMITS = 200
LINE = b"a line of text\n"

Transaction = Callable[[], AbstractContextManager[object]]


class OneTransaction:
    """A context that commits a SqliteFS's changes at its end."""

    def __init__(self, fs: SqliteFS) -> None:
        self._fs = fs

    def __enter__(self) -> None:
        self._fs.begin()

    def __exit__(self, *exception: object) -> None:
        self._fs.commit()


def write_small(fs: FileSystem, transaction: Transaction) -> None:
    with transaction():
        for number in range(SMALL_FILES):
            with fs.open(f"/d/small{number}", "x") as stream:
                stream.write(LINE)


def read_small(fs: FileSystem, _: Transaction) -> None:
    for number in range(SMALL_FILES):
        with fs.open(f"/d/small{number}") as stream:
            stream.read()


def append_small(fs: FileSystem, transaction: Transaction) -> None:
    with transaction():
        for number in range(SMALL_FILES):
            with fs.open(f"/d/small{number}", "a") as stream:
                stream.write(LINE)


def remove_small(fs: FileSystem, transaction: Transaction) -> None:
    with transaction():
        for number in range(SMALL_FILES):
            fs.remove(f"/d/small{number}")


def write_large(fs: FileSystem, transaction: Transaction) -> None:
    data = random.Random(1).randbytes(LARGE_BYTES)
    with transaction():
        for number in range(LARGE_FILES):
            with fs.open(f"/d/large{number}", "w") as stream:
                stream.write(data)


def read_large(fs: FileSystem, _: Transaction) -> None:
    for number in range(LARGE_FILES):
        with fs.open(f"/d/large{number}") as stream:
            stream.read()


def commit_often(fs: FileSystem, transaction: Transaction) -> None:
    for _ in range(COMMITS):
        with transaction(), fs.open("/d/one", "w") as stream:
            stream.write(LINE)


# In this order: each needs the files of those before it.
MEASURES: dict[str, Callable[[FileSystem, Transaction], None]] = {
    f"write {SMALL_FILES:,} small files": write_small,
    "read them": read_small,
    "append to them": append_small,
    "remove them": remove_small,
    f"write {LARGE_FILES} files of {LARGE_BYTES:,} bytes": write_large,
    "read them back": read_large,
    f"{COMMITS} writes, each committed": commit_often,
}


def measure_all(rounds: int) -> dict[tuple[str, str], list[float]]:
    """Return the seconds of each measure of each contender."""
    spent = defaultdict(list)
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as directory:
            place = Path(directory)
            (place / "local").mkdir()
            with SqliteFS(place / "one.db") as one, SqliteFS(place / "each.db") as each:
                contenders: dict[str, tuple[FileSystem, Transaction]] = {
                    "MemoryFS": (MemoryFS(), nullcontext),
                    "LocalFS": (LocalFS(place / "local"), nullcontext),
                    "SqliteFS, one transaction": (one, partial(OneTransaction, one)),
                    "SqliteFS": (each, nullcontext),
                }
                for fs, _transaction in contenders.values():
                    fs.make_directory("/d")
                for measure, act in MEASURES.items():
                    for name, (fs, transaction) in contenders.items():
                        start = time.perf_counter()
                        act(fs, transaction)
                        spent[measure, name].append(time.perf_counter() - start)
    return spent


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--python")
    arguments = options.parse_args()
    spent = measure_all(arguments.rounds)
    names = list(dict.fromkeys(name for _, name in spent))
    print(f"{'milliseconds':32}", *(f"{name:>26}" for name in names))
    for measure in MEASURES:
        times = {name: statistics.median(spent[measure, name]) for name in names}
        print(
            f"{measure:32}",
            *(f"{x * 1000:19.1f} {x / times['MemoryFS']:6.1f}" for x in times.values()),
        )
    print_images(arguments.rounds, arguments.python)
    print_stores(arguments.rounds)


if __name__ == "__main__":
    main()
