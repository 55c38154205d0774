"""Resource limits: what `ulimit` names, how the system counts it, and the words that set it.

    prlimit --nofile=64:128 --  /usr/bin/make all

They are set by a launcher, for this process stays as it is: a subshell may set its own.
"""

from __future__ import annotations

import resource

from keysh.process.launcher import program
from keysh.process.resolve import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.spec import Ulimits

UNLIMITED = resource.RLIM_INFINITY


class Kind:
    """One limit: its name in `resource` and as prlimit's option, ulimit's letter and its unit."""

    __slots__ = ("letter", "number", "option", "unit")

    def __init__(self, name: str, option: str, letter: str, unit: int) -> None:
        self.number: int = getattr(resource, name)
        self.option, self.letter, self.unit = option, letter, unit


KINDS = {
    "core": Kind("RLIMIT_CORE", "core", "c", 1024),
    "data": Kind("RLIMIT_DATA", "data", "d", 1024),
    "files": Kind("RLIMIT_FSIZE", "fsize", "f", 1024),
    "locked": Kind("RLIMIT_MEMLOCK", "memlock", "l", 1024),
    "resident": Kind("RLIMIT_RSS", "rss", "m", 1024),
    "open": Kind("RLIMIT_NOFILE", "nofile", "n", 1),
    "stack": Kind("RLIMIT_STACK", "stack", "s", 1024),
    "time": Kind("RLIMIT_CPU", "cpu", "t", 1),
    "processes": Kind("RLIMIT_NPROC", "nproc", "u", 1),
    "virtual": Kind("RLIMIT_AS", "as", "v", 1024),
}


def own(name: str) -> tuple[int, int]:
    """The limits of a kind that this process has, which those it starts inherit."""
    return resource.getrlimit(KINDS[name].number)


def setting(limits: Ulimits) -> list[str]:
    """The words before a program that set limits; none where none are set."""
    if not limits:
        return []
    prlimit = find("prlimit")
    if prlimit is not None:
        options = [
            f"--{KINDS[name].option}={shown(soft, 1)}:{shown(hard, 1)}"
            for name, (soft, hard) in limits.items()
        ]
        return [prlimit, *options, "--"]
    parts = [
        f"ulimit -{which} -{KINDS[name].letter} {shown(value, KINDS[name].unit)}"
        for name, pair in limits.items()
        for which, value in zip("SH", pair, strict=True)
    ]
    script = " && ".join([*parts, 'exec "$@"'])
    return [program("bash"), "-c", script, "bash"]


def shown(value: int, unit: int) -> str:
    """A limit in units, as ulimit and prlimit write it."""
    return "unlimited" if value == UNLIMITED else str(value // unit)
