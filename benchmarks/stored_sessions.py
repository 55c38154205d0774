"""Time what a whole session costs to write down and to read: images, stores, and peers.

`benchmarks/state.py` prints it; `--python` of that is an interpreter in which bashkit is installed.
All contenders have the same 1,000 small files, and what they have after the way back is compared.
"""

from __future__ import annotations

import copy
import json
import os
import statistics
import subprocess
import tempfile
import time
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from keysh import MemoryFS, Shell

SMALL_FILES = 1000
RUNS = 200
LARGE_FILES, LARGE_BYTES = 100, 100_000
MILLISECONDS = 1e3

PEER = """
import bashkit, json, sys, time
files, rounds = json.load(sys.stdin)
shell = bashkit.Bash()
shell.mkdir("/d")
for path, text in files.items():
    shell.write_file(path, text)
times = []
for _ in range(rounds):
    start = time.perf_counter()
    image = shell.snapshot()
    middle = time.perf_counter()
    again = bashkit.Bash.from_snapshot(image)
    times.append((middle - start, time.perf_counter() - middle))
kept = {path: again.read_file(path) for path in files}
print(json.dumps([times, len(image), kept]))
"""


def small_files() -> dict[str, str]:
    return {f"/d/small{number}": f"a line of text {number}\n" for number in range(SMALL_FILES)}


def files_of(shell: Shell, paths: dict[str, str]) -> dict[str, str]:
    """Return what a shell has at the paths."""
    found = {}
    for path in paths:
        with shell.fs.open(path) as stream:
            found[path] = stream.read().decode()
    return found


def timed(act: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    result = act()
    return time.perf_counter() - start, result


def print_images(rounds: int, python: str | None) -> None:
    """Print the times and sizes of images of 1,000 small files."""
    files = small_files()
    shell = Shell(files=files)
    shell.run("x=1")
    spent: dict[str, list[tuple[float, float]]] = {"keysh": [], "copy.deepcopy of a dict": []}
    image = b""
    for _ in range(rounds):
        out, made = timed(shell.snapshot)
        assert isinstance(made, bytes)
        image = made
        back, again = timed(partial(Shell.restore, image))
        spent["keysh"].append((out, back))
        duration, twin = timed(lambda: copy.deepcopy(files))
        spent["copy.deepcopy of a dict"].append((duration, 0.0))
        assert isinstance(again, Shell)
        assert files_of(again, files) == twin == files
    sizes = {"keysh": len(image), "copy.deepcopy of a dict": 0}
    peer = peer_answer(python, files, rounds)
    if peer is not None:
        spent["bashkit"], sizes["bashkit"], kept = peer
        assert kept == files
    print(
        f"\n{f'{SMALL_FILES:,} small files':32}{'snapshot ms':>14}{'restore ms':>14}{'bytes':>10}"
    )
    for name, pairs in spent.items():
        out, back = (
            statistics.median(column) * MILLISECONDS for column in zip(*pairs, strict=True)
        )
        print(f"{name:32}{out:14.2f}{back:14.2f}{sizes[name]:10,}")


def peer_answer(
    python: str | None, files: dict[str, str], rounds: int
) -> tuple[list[tuple[float, float]], int, dict[str, str]] | None:
    """Return what bashkit needs for the same; None where it is missing."""
    if python is None:
        return None
    done = subprocess.run(
        [python, "-c", PEER], input=json.dumps([files, rounds]), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        return None
    times, size, kept = json.loads(done.stdout)
    return times, size, kept


def print_stores(rounds: int) -> None:
    """Print what a store adds to runs, and how fast large files are written to it."""
    writes: dict[str, list[float]] = {"memory": [], "store": []}
    copies: dict[str, list[float]] = {"memory": [], "store": []}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as directory:
            data = os.urandom(LARGE_BYTES)
            source = MemoryFS({f"f{number}": data for number in range(LARGE_FILES)})
            shells = {
                "memory": Shell({"/source": source}),
                "store": Shell({"/source": source}, store=Path(directory) / "work.db"),
            }
            for name, shell in shells.items():
                start = time.perf_counter()
                for number in range(RUNS):
                    shell.run(f"echo {number} > /f; x={number}")
                writes[name].append((time.perf_counter() - start) / RUNS)
            for name, shell in shells.items():
                copies[name].append(timed(partial(shell.run, "cp -r /source /copy"))[0])
                found = shell.run(f"cat /f /copy/f{LARGE_FILES - 1}").stdout_bytes
                assert zlib.crc32(found) == zlib.crc32(b"%d\n%s" % (RUNS - 1, data))
                shell.close()
    megabytes = LARGE_FILES * LARGE_BYTES / 1e6
    print(f"\n{'runs':32}{'small write ms':>14}{f'{megabytes:.0f} MB, MB/s':>14}")
    for name in writes:
        write, rate = statistics.median(writes[name]), megabytes / statistics.median(copies[name])
        print(f"{name:32}{write * MILLISECONDS:14.3f}{rate:14.0f}")
