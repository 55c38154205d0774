"""Compare the engine with bash and bashkit: one command, new shells, idle shells, scripts.

    python benchmarks/engine.py

Each heavy script runs in both and the outputs are compared; the time that bash takes to start is
subtracted. The best of several runs counts.
"""

from __future__ import annotations

import gc
import importlib
import subprocess
import tracemalloc
from collections.abc import Callable
from time import perf_counter

from keysh import Shell

HEAVY_SCRIPTS = {
    "while_20k": "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i",
    "for_arith_20k": "for ((i=0; i<20000; i++)); do x=$((x+i)); done; echo $x",
    "func_call_20k": "f() { n=$((n+$1)); }\n"
    "for ((i=0; i<20000; i++)); do f 1; done; echo $n",
    "func_subst_2k": "f() { echo $(($1+1)); }; x=0\n"
    "for ((i=0; i<2000; i++)); do x=$(f $x); done; echo $x",
    "append_5k": "for ((i=0; i<5000; i++)); do s+=abcdef; done; echo ${#s}",
    "test_case_10k": "for ((i=0; i<10000; i++)); do\n"
    "case $i in *7) n=$((n+1));; esac; done; echo $n",
    "while_read_5k": "seq 5000 | { while read -r x; do n=$((n+x)); done; echo $n; }",
    "fib_15": "fib() { if [ $1 -lt 2 ]; then echo $1; else\n"
    " echo $(( $(fib $(($1-1))) + $(fib $(($1-2))) ));"
    " fi; }; fib 15",
    "pipe_1k": "for ((i=0; i<1000; i++)); do echo $i | cat; done | tail -1",
    "yes_head": "for i in {1..200}; do yes | head -1; done | wc -l",
}  # fmt: skip
IDLE_SHELLS = 10_000


def best(work: Callable[[], object], turns: int = 5) -> float:
    """Return the seconds of the fastest of several runs."""
    times = []
    for _ in range(turns):
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return min(times)


def bash(script: str) -> str:
    return subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, timeout=120, check=False
    ).stdout


def small_runs() -> None:
    """Time one `echo hi`, in an existing shell and in new ones."""
    shell = Shell()
    count = 20_000
    kept = best(lambda: [shell.run("echo hi") for _ in range(count)]) / count
    print(f"echo hi, existing shell  {kept * 1e6:8.2f} us")
    new = best(lambda: [Shell().run("echo hi") for _ in range(1000)]) / 1000
    print(f"new shell with echo hi   {new * 1e6:8.2f} us")
    try:
        peer = importlib.import_module("bashkit").Bash
    except (ImportError, AttributeError):
        print("bashkit is not installed")
        return
    other = best(lambda: [peer().execute_sync("echo hi") for _ in range(200)], 3) / 200
    print(f"new bashkit with echo hi {other * 1e6:8.2f} us   ratio {new / other:.3f}")


def idle_shells() -> None:
    """Measure the memory of a new shell, and of one that has run a command."""
    Shell().run("echo hi")
    for title, runs in (("idle", False), ("that has run echo hi", True)):
        gc.collect()
        tracemalloc.start()
        shells = [Shell() for _ in range(IDLE_SHELLS if not runs else IDLE_SHELLS // 10)]
        if runs:
            for shell in shells:
                shell.run("echo hi")
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"a shell {title:22} {held / len(shells):8.0f} bytes")


def heavy_scripts() -> None:
    """Time loops, functions, substitutions and pipelines next to bash."""
    begin = best(lambda: bash(":"))
    for name, script in HEAVY_SCRIPTS.items():
        ours, theirs = Shell(check=False).run(script).stdout, bash(script)
        mine = best(lambda script=script: Shell(check=False).run(script), 3)  # type: ignore[misc]
        other = best(lambda script=script: bash(script), 3) - begin  # type: ignore[misc]
        verdict = "" if ours == theirs else f"   DIFFERS: {ours[:40]!r} {theirs[:40]!r}"
        print(f"{name:15} {mine * 1e3:8.1f} ms   bash {other * 1e3:8.1f} ms   "
              f"ratio {mine / max(other, 1e-9):7.3f}{verdict}")  # fmt: skip


if __name__ == "__main__":
    small_runs()
    idle_shells()
    heavy_scripts()
