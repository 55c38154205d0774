"""Time many shells on one event loop: 2,000 tenants whose scripts compute, wait and print.

    python benchmarks/tenants.py [--tenants N] [--rounds N] [--soak SECONDS]

Each tenant has a live shell. All scripts are awaited at once; `echo hi` is measured from the moment
it is asked for to its result, among the others. The contenders take turns, and their outputs are
compared. `--soak` goes on for so long at full load and prints the resident memory as it goes.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import os
import statistics
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

from keysh import Shell
from keysh.process.memory_use import resident_bytes

# What the tenants run, one after the other.
SCRIPTS = (
    "echo hi",
    "i=0; while [ $i -lt 100 ]; do i=$((i + 1)); done; echo $i",
    "echo hi",
    "seq 100 | grep 5 | wc -l",
    "sleep 0.02; echo awake",
    "echo hi",
    "x=$(printf '%s\\n' c b a | sort | head -n 1); echo $x",
)
MEASURED = "echo hi"

# Runs a text in the shell of a tenant, and returns its output.
Run = Callable[[str], Awaitable[str]]


def keysh_tenant() -> Run:
    shell = Shell()

    async def run(text: str) -> str:
        return (await shell.arun(text)).stdout

    return run


def bashkit_tenant(make: Any) -> Run:
    shell = make()

    async def run(text: str) -> str:
        return str((await shell.execute(text)).stdout)

    return run


async def all_at_once(tenants: list[Run]) -> tuple[float, list[float], list[str]]:
    """Return the seconds that all scripts took, those of each measured one, and the outputs."""
    waits: list[float] = []

    async def one(number: int, run: Run) -> str:
        text = SCRIPTS[number % len(SCRIPTS)]
        began = time.perf_counter()
        output = await run(text)
        if text == MEASURED:
            waits.append(time.perf_counter() - began)
        return output

    began = time.perf_counter()
    outputs = await asyncio.gather(*(one(number, run) for number, run in enumerate(tenants)))
    return time.perf_counter() - began, waits, outputs


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


async def compare(count: int, rounds: int) -> None:
    contenders = {"keysh": [keysh_tenant() for _ in range(count)]}
    try:
        make = importlib.import_module("bashkit").Bash
    except ImportError:
        print("bashkit is not installed")
    else:
        contenders["bashkit"] = [bashkit_tenant(make) for _ in range(count)]
    results: dict[str, list[tuple[float, float, float]]] = {name: [] for name in contenders}
    outputs = {}
    for _ in range(rounds):
        for name, tenants in contenders.items():
            seconds, waits, outputs[name] = await all_at_once(tenants)
            results[name].append((seconds, percentile(waits, 0.5), percentile(waits, 0.99)))
    for name, rows in results.items():
        seconds, middle, late = (statistics.median(column) for column in zip(*rows, strict=True))
        differs = "" if outputs[name] == outputs["keysh"] else "  other outputs"
        print(
            f"{name:8} {count} scripts {seconds:6.2f} s   `{MEASURED}`: "
            f"p50 {middle * 1e3:8.1f} ms  p99 {late * 1e3:8.1f} ms{differs}"
        )
    print(f"threads now: {threading.active_count()}")


async def soak(count: int, seconds: float) -> None:
    """Run all scripts again and again, and show the memory."""
    tenants = [keysh_tenant() for _ in range(count)]
    end, shown, runs = time.monotonic() + seconds, 0.0, 0
    while time.monotonic() < end:
        await all_at_once(tenants)
        runs += count
        if time.monotonic() - shown > seconds / 10:
            shown = time.monotonic()
            threads = threading.active_count()
            print(f"{runs:9} scripts  {resident_bytes() >> 20:5} MB  {threads} threads", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tenants", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--soak", type=float, default=0)
    arguments = parser.parse_args()
    print(f"processors: {os.cpu_count()}")
    if arguments.soak:
        asyncio.run(soak(arguments.tenants, arguments.soak))
    else:
        asyncio.run(compare(arguments.tenants, arguments.rounds))


if __name__ == "__main__":
    main()
