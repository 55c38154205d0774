"""`keysh doctor`: what this machine can hold of real programs, and what not."""

# ruff: noqa: PLC0415

from __future__ import annotations

from keysh.cli.command_line import CLI_REFUSALS
from keysh.cli.console import put, put_json
from keysh.schema.command import OptionStyle
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_HELD_STATUS = 1
MIN_CGROUP_TASKS = 2  # of the cgroup that is made to see whether one can be


@command(refusals=CLI_REFUSALS, style=OptionStyle(binds_by_key=False))
def doctor(program: str, *, require: bool = False, json: bool = False) -> int:
    """Print what this machine can hold of real programs, and what not.

    --require  the status is 1 if there is something that it cannot hold
    --json     print the answers as JSON
    """
    answers = [*machine_answers()]
    if json:
        put_json([{"held": is_held, "what": text} for is_held, text in answers])
    else:
        put("".join(f"{'yes' if is_held else 'no ':3}  {text}\n" for is_held, text in answers))
    return NOT_HELD_STATUS if require and not all(is_held for is_held, _ in answers) else 0


def machine_answers() -> Iterator[tuple[bool, str]]:
    """Return a line for each part: whether the machine has it, and what it holds."""
    import os

    from keysh.process.confine.kernel import Kernel
    from keysh.process.resolve import find_executable
    from keysh.process.tree.pids_cgroup import make_pids_cgroup

    yield from Kernel().report()
    cgroup = make_pids_cgroup(MIN_CGROUP_TASKS)
    if cgroup is not None:
        cgroup.remove()
    has_bash = find_executable("bash") is not None
    yield cgroup is not None and has_bash, "numbers of processes (a cgroup, entered by bash)"
    yield find_executable("prlimit") is not None, "memory, processor time and files (prlimit)"
    yield hasattr(os, "pidfd_open"), "ends of programs without a race (pidfd)"
