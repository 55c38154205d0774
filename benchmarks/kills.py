"""Kill ten kinds of process trees many times: survivors, next commands run, late bytes, overshoot.

    python benchmarks/kills.py [--kills 2000]

Each tree would make a file if one of its shells went on to its next command. Trees are ended by
timeouts of 20 to 500 ms, by cancelling, and in a materialised directory, where nothing that is
written late may be copied back. The exit status is 1 if any of the three counts is not 0.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import uuid
from pathlib import Path
from time import monotonic

import keysh
from keysh.process import Flag, ProcessSpec, run

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from process.hard_trees import TREES, tree_script  # type: ignore[import-not-found]
from process.leaked_processes import kill_marked  # type: ignore[import-not-found]

PATH = "/usr/bin:/bin"
TIMEOUTS_MS = (20, 50, 100, 200, 500)
GRACE_MS = 100
# Trees that ignore SIGTERM or answer it have their grace; the others end within a few milliseconds.
WITH_GRACE = {"TERM ignored", "respawner"}


class Counts:
    """What went wrong, and by how many milliseconds timeouts were late."""

    def __init__(self) -> None:
        self.kills = self.survivors = self.next_commands = self.late_copies = 0
        self.late_ms: list[float] = []


def end_by_timeout(argv: list[str], env: dict[str, str], milliseconds: float) -> float:
    began = monotonic()
    result = run(ProcessSpec(argv, env=env, timeout=milliseconds, grace=GRACE_MS))
    assert result.code == 124, result
    return (monotonic() - began) * 1000 - milliseconds


def end_by_cancel(argv: list[str], env: dict[str, str]) -> None:
    with Flag() as flag:
        timer = threading.Timer(0.05, flag.set)
        timer.start()
        assert run(ProcessSpec(argv, env=env, grace=GRACE_MS), cancel=flag.fd).code == 130
        timer.join()


def late_copy(script: str, env: dict[str, str]) -> bool:
    """Whether a tree that is killed in a materialised directory leaves its next file there."""
    policy = keysh.Policy(materialize=True)
    with keysh.Shell(
        files={"/p/a": "1"}, cwd="/p", env={**env, "S": script}, external=policy
    ) as sh:
        sh.run('/bin/sh -c "$S"', timeout=0.05)
        return any(entry.name == "next" for entry in sh.fs.list("/p"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=2000)
    wanted = parser.parse_args().kills
    counts = Counts()
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "next")
        turn = 0
        while counts.kills < wanted:
            name = list(TREES)[turn % len(TREES)]
            way = turn // len(TREES) % (len(TIMEOUTS_MS) + 2)
            turn += 1
            mark = uuid.uuid4().hex
            env = {"PATH": PATH, "KEYSH_TEST": mark}
            argv = ["sh", "-c", tree_script(name, file)]
            if way < len(TIMEOUTS_MS):
                late = end_by_timeout(argv, env, TIMEOUTS_MS[way])
                if name not in WITH_GRACE:
                    counts.late_ms.append(late)
            elif way == len(TIMEOUTS_MS):
                end_by_cancel(argv, env)
            else:
                counts.late_copies += late_copy(tree_script(name, "next"), env)
            counts.kills += 1
            counts.survivors += kill_marked(mark)
            if os.path.exists(file):
                counts.next_commands += 1
                os.unlink(file)
    delays = sorted(counts.late_ms)
    print(
        f"{counts.kills} kills: {counts.survivors} survivors, "
        f"{counts.next_commands} next commands, {counts.late_copies} late copies; "
        f"timeouts late by {delays[len(delays) // 2]:.1f} ms "
        f"(median), {delays[len(delays) * 99 // 100]:.1f} (99 %), {delays[-1]:.1f} (most)"
    )
    return 1 if counts.survivors or counts.next_commands or counts.late_copies else 0


if __name__ == "__main__":
    sys.exit(main())
