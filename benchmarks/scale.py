"""Time scatter beside GNU parallel, xargs -P, concurrent.futures and a bare Dask map.

    python benchmarks/scale.py [--items N] [--rounds N] [--no-dask]

Each row is a job: `true` for each item, or a loop that computes. The contenders take turns, their
outputs are compared, and each line has the milliseconds an item takes: the median and the lowest.
Contenders that are not installed are left out. Behind keysh's rows is what docs/scale.md promises.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from keysh import Shell

WORKERS = 2
COMPUTE_ROUNDS, COMPUTE_TURNS = 1_500_000, 2
MAX_MILLISECONDS = {"keysh, threads": 0.15, "keysh, processes": 0.15, "keysh, dask": 2.0}
COMPUTE = f"""
    compute() {{ local x=0 i=0; while ((i < {COMPUTE_ROUNDS})); do ((x += i++)); done; echo $x; }}
"""


def same(item: int) -> int:
    return item


@contextmanager
def dask_client() -> Iterator[Any]:
    """Yield a client of two workers of this machine."""
    from distributed import Client, LocalCluster  # noqa: PLC0415 - an extra

    with (
        LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def program(words: list[str], items: int) -> Callable[[], int]:
    """Return a contender that is a program: it runs /bin/true for each line."""
    text = "".join(f"{item}\n" for item in range(items))

    def run() -> int:
        subprocess.run(words, input=text, text=True, check=True, stdout=subprocess.DEVNULL)
        return items

    return run


def contenders(items: int, client: Any, pool: concurrent.futures.Executor) -> dict[str, Any]:
    """Return those that do next to nothing for each item."""
    shell = Shell()
    found: dict[str, Callable[[], int]] = {
        "keysh, threads": lambda: sum(
            row.ok for row in shell.map("true", range(items), workers=WORKERS)
        ),
        "keysh, processes": lambda: sum(
            row.ok for row in shell.map("true", range(items), workers=WORKERS, engine="processes")
        ),
        "futures, processes": lambda: len(list(pool.map(same, range(items)))),
        "xargs -P, /bin/true": program(
            ["xargs", "-P", str(WORKERS), "-n", "1", "/bin/true"], items
        ),
    }
    if client is not None:
        on_dask = Shell(mapper=client)
        found["keysh, dask"] = lambda: sum(row.ok for row in on_dask.map("true", range(items)))
        found["dask, client.map"] = lambda: len(
            client.gather(client.map(same, range(items), pure=False))
        )
    if shutil.which("parallel"):
        found["GNU parallel"] = program(["parallel", "-j", str(WORKERS), "/bin/true"], items)
    return found


def computing(client: Any) -> dict[str, Callable[[], list[str]]]:
    """Return those that compute twice, one after the other and at once."""
    shell = Shell()
    shell.run(COMPUTE)
    found = {
        "one after the other": lambda: shell.run("compute; compute").stdout.split(),
        "keysh, threads": lambda: [row.data for row in shell.map("compute", [[], []], workers=2)],
    }
    found["keysh, processes"] = lambda: [
        row.data for row in shell.map("compute", [[], []], workers=2, engine="processes")
    ]
    if client is not None:
        on_dask = Shell(mapper=client)
        on_dask.run(COMPUTE)
        found["keysh, dask"] = lambda: [row.data for row in on_dask.map("compute", [[], []])]
    return found


def milliseconds(act: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    answer = act()
    return (time.perf_counter() - began) * 1e3, answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-dask", action="store_true")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        client = None if arguments.no_dask else stack.enter_context(dask_client())
        pool = stack.enter_context(concurrent.futures.ProcessPoolExecutor(WORKERS))
        report(contenders(arguments.items, client, pool), arguments.rounds, arguments.items)
        report(computing(client), COMPUTE_TURNS, 2)
        print(f"processors: {os.cpu_count()}")


def report(found: dict[str, Callable[[], Any]], rounds: int, items: int) -> None:
    times: dict[str, list[float]] = {name: [] for name in found}
    answers: dict[str, Any] = {}
    for _ in range(rounds + 1):
        for name, act in found.items():
            took, answers[name] = milliseconds(act)
            times[name].append(took / items)
    first = next(iter(answers.values()))
    for name, values in times.items():
        middle = statistics.median(values[1:])
        most = MAX_MILLISECONDS.get(name) if items > 2 else None
        verdict = (
            "" if most is None else f"  at most {most}: {'ok' if middle <= most else 'too much'}"
        )
        differs = "" if answers[name] == first else "  other output"
        print(f"{name:22} {middle:9.3f} {min(values[1:]):9.3f} ms{verdict}{differs}")


if __name__ == "__main__":
    main()
