"""Time real processes next to subprocess.Popen and bash, and other latencies.

    python benchmarks/spawn.py [--rounds N] [--sequential N] [--parallel N]

The contenders take turns; medians. `start` is the time until a process runs, in a program with a
heap of 200 MB; `poll` reads the output of a background process. `--sequential` runs N processes
one after the other (10,000 by default), `--parallel` N at once (200); both print the resources
that are left.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from keysh import LocalFS, Shell
from keysh.process import MERGE, OPEN, STREAM, ProcessSpec, run, start
from keysh.process.keeper import Keeper

COMMANDS_PER_ROUND = 200
TRUE = "/bin/true"
ENV = {"PATH": os.environ.get("PATH", os.defpath)}
GIGABYTE = 1 << 30


def by_popen() -> None:
    for _ in range(COMMANDS_PER_ROUND):
        subprocess.Popen(
            [TRUE],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ).communicate()


def by_bash() -> None:
    subprocess.run(["/bin/bash", "-c", LOOP.format(COMMANDS_PER_ROUND, TRUE)], check=True)


def by_keysh(**options: float) -> None:
    for _ in range(COMMANDS_PER_ROUND):
        run(ProcessSpec([TRUE], env=ENV, **options))  # type: ignore[arg-type]


def by_name() -> None:
    for _ in range(COMMANDS_PER_ROUND):
        run(ProcessSpec(["true"], env=ENV))


SHELL = Shell({"/": LocalFS("/")}, cwd=os.getcwd(), env=ENV, external=True)
LOOP = "for ((i = 0; i < {}; i++)); do {}; done"


def by_shell(command: str) -> None:
    SHELL.run(LOOP.format(COMMANDS_PER_ROUND, command))


# Each runs COMMANDS_PER_ROUND commands.
CONTENDERS: dict[str, Callable[[], None]] = {
    "popen": by_popen,
    "bash": by_bash,
    "keysh": by_keysh,
    "keysh, found on PATH": by_name,
    "keysh, timeout": partial(by_keysh, timeout=10_000),
    "shell": partial(by_shell, TRUE),
    "shell, spawn": partial(by_shell, f"spawn command={TRUE}"),
}


def commands(rounds: int) -> None:
    """Time one command."""
    spent: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for _ in range(rounds + 1):
        for name, act in CONTENDERS.items():
            begin = time.perf_counter()
            act()
            spent[name].append(time.perf_counter() - begin)
    middle = {
        name: statistics.median(times[1:]) / COMMANDS_PER_ROUND * 1e6
        for name, times in spent.items()
    }
    for name, us in middle.items():
        print(
            f"{name:22} {us:8.1f} us a command"
            f"  {us / middle['popen']:.2f} x popen  {us / middle['bash']:.2f} x bash"
        )


def start_latency() -> float:
    """Return the milliseconds until a process runs, with a large heap."""
    heap = [bytes([n % 256]) * 100_000 for n in range(2000)]
    spent = []
    for _ in range(COMMANDS_PER_ROUND):
        begin = time.perf_counter()
        with start(ProcessSpec([TRUE], env=ENV)) as process:
            spent.append(time.perf_counter() - begin)
            process.wait()
    del heap
    return statistics.median(spent) * 1e3


def timeout_latency() -> float:
    """Return the milliseconds that a process with a timeout of 20 ms runs."""
    spec = ProcessSpec(["sleep", "10"], env=ENV, timeout=20)
    return statistics.median(run(spec).duration_ms for _ in range(20))


def poll_latency() -> float:
    """Return the longest wait for the output of a busy background process, in milliseconds."""
    spent = []
    with Keeper() as keeper:
        process = keeper.keep(start(ProcessSpec(["yes"], env=ENV)))
        for _ in range(COMMANDS_PER_ROUND):
            begin = time.perf_counter()
            process.read()
            spent.append(time.perf_counter() - begin)
    return max(spent) * 1e3


def throughput() -> tuple[float, float]:
    """Return the seconds for 1 GB, captured with a limit and streamed."""
    argv = ["head", "-c", str(GIGABYTE), "/dev/zero"]
    begin = time.perf_counter()
    run(ProcessSpec(argv, env=ENV))
    captured = time.perf_counter() - begin
    begin = time.perf_counter()
    with start(ProcessSpec(argv, env=ENV, stdout=STREAM)) as process:
        for _ in process.output():
            pass
    return captured, time.perf_counter() - begin


def sequential(count: int) -> str:
    """Return what is left after `count` runs."""
    run(ProcessSpec([TRUE], env=ENV))
    before = descriptors()
    for _ in range(count):
        run(ProcessSpec([TRUE], env=ENV))
    return leftovers(before)


def parallel(count: int) -> str:
    """Return what is left after `count` processes that are alive at once."""
    run(ProcessSpec([TRUE], env=ENV))
    before = descriptors()
    begin = time.perf_counter()
    with ExitStack() as stack:
        spec = ProcessSpec(["cat"], env=ENV, stdin=OPEN, stderr=MERGE)
        running = [stack.enter_context(start(spec)) for _ in range(count)]
        for process in running:
            process.send(b"line\n")
            process.finish_input()
        right = sum(process.wait().stdout == b"line\n" for process in running)
    spent = time.perf_counter() - begin
    return f"{right} right in {spent:.2f} s, {leftovers(before)}"


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def leftovers(before: int) -> str:
    """Return the resources that are left, compared with before."""
    threads = len(os.listdir("/proc/self/task")) - 1
    with open("/proc/self/task/" + str(os.getpid()) + "/children") as file:
        children = len(file.read().split())
    return f"{descriptors() - before} descriptors, {threads} threads, {children} children left"


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--sequential", type=int, default=10_000)
    options.add_argument("--parallel", type=int, default=200)
    arguments = options.parse_args()
    commands(arguments.rounds)
    print(f"start at a heap of 200 MB: {start_latency():.2f} ms")
    print(f"timeout of 20 ms: {timeout_latency():.2f} ms")
    print(f"background poll, the longest of {COMMANDS_PER_ROUND}: {poll_latency():.2f} ms")
    captured, streamed = throughput()
    print(f"1 GB: captured in {captured:.2f} s, streamed in {streamed:.2f} s")
    print(f"{arguments.sequential} runs: {sequential(arguments.sequential)}")
    print(f"{arguments.parallel} at once: {parallel(arguments.parallel)}")


if __name__ == "__main__":
    main()
