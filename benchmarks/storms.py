"""Fork storms under `max_processes`: how many processes there are at most, and what is left.

    python benchmarks/storms.py [--runs 50] [--limit 50] [--by cgroup|count] [--busy N]

Each storm runs in a PID namespace of its own, in a cgroup whose `pids.peak` is the measure: threads
and dead processes count too. `--by count` hides from keysh that it may make cgroups; `--busy` adds
processes that only compute. Needs root and cgroup version 1, or version 2 with `pids`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic

from keysh.process import ProcessSpec, run
from keysh.process.tree import pids_cgroup

STORMS = {
    "pipes": "b() { b | b & }; b",
    "loop": "while :; do sleep 60 & done",
    "tree": "f() { f & f & wait; }; f",
    "detached": 'setsid sh -c "$S" & setsid sh -c "$S" & wait',
}
# The harness ends a storm that keysh does not end.
MAX_TASKS_PER_PROCESS, MAX_SECONDS = 6, 10  # more would stop the whole machine
# Of the harness itself: timeout, unshare, the shell that is process 1, and Python.
OWN_TASKS = 4
ENTER = 'echo 0 >"$0/cgroup.procs"; exec "$@"'


def storm(name: str, limit: int, by: str) -> None:
    """Run one storm, and print how it ended. Called in a namespace of its own."""
    if by == "count":
        pids_cgroup.MOUNTS_FILE = os.devnull
    script = STORMS[name]
    env = {"PATH": "/usr/bin:/bin", "S": script}
    began = monotonic()
    result = run(ProcessSpec(["sh", "-c", script], env=env, max_processes=limit, tagged=True))
    took = monotonic() - began
    left = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):
                left += script.encode() in Path("/proc", entry, "cmdline").read_bytes()
    print(json.dumps({"ended": result.limit, "left": left, "seconds": took}))


def contained(arguments: list[str], max_tasks: int) -> tuple[int, dict[str, object]]:
    """Run this program where a storm does no harm; return the peak and what it printed."""
    parent, _ = next(pids_cgroup.cgroup_directories())
    place = tempfile.mkdtemp(prefix="storm-", dir=parent)
    try:
        Path(place, "pids.max").write_text(str(max_tasks + OWN_TASKS))
        inner = ["sh", "-c", '"$@"; exit $?', "sh", sys.executable, __file__, *arguments]
        namespace = ["unshare", "-pf", "--kill-child", "--mount-proc", *inner]
        done = subprocess.run(
            ["sh", "-c", ENTER, place, "timeout", "-s", "KILL", str(MAX_SECONDS), *namespace],
            check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        peak = int(Path(place, "pids.peak").read_text()) - OWN_TASKS
        return peak, json.loads(done.stdout or "{}")
    finally:
        for folder in (*Path(place).glob("keysh-*"), Path(place)):  # inner ones of a killed keysh
            while (folder / "cgroup.procs").read_text():
                pass
            folder.rmdir()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--limit", type=int, default=50)
    parser.add_argument("--by", choices=("cgroup", "count"), default="cgroup")
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--storm", choices=STORMS, help="run this one only")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        storm(options.storm, options.limit, options.by)
        return 0
    is_held = True
    with ExitStack() as stack:
        for _ in range(options.busy):
            busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: 0"]))
            stack.callback(busy.kill)
        for name in [options.storm] if options.storm else STORMS:
            given = ["--here", "--storm", name, "--limit", str(options.limit), "--by", options.by]
            runs = [
                contained(given, options.limit * MAX_TASKS_PER_PROCESS) for _ in range(options.runs)
            ]
            peaks = sorted(peak for peak, _ in runs)
            ended = sum(report.get("ended") == "max_processes" for _, report in runs)
            left = sum(int(str(report.get("left", 0))) for _, report in runs)
            seconds = max(float(str(report.get("seconds", MAX_SECONDS))) for _, report in runs)
            print(
                f"{name:9} limit {options.limit} by {options.by}, {options.busy} busy: "
                f"peak {peaks[0]} to {peaks[-1]}, p50 {peaks[len(peaks) // 2]}, "
                f"{sum(peak > 2 * options.limit for peak in peaks)} of {len(runs)} over twice; "
                f"{ended} ended by the limit, {left} left, at most {seconds:.2f} s",
                flush=True,
            )
            is_held = is_held and peaks[-1] <= 2 * options.limit and ended == len(runs) and not left
    return 0 if is_held else 1


if __name__ == "__main__":
    sys.exit(main())
