"""Resource limits: the names and units of `ulimit`, and the words that set limits.

    prlimit --nofile=64:128 --  /usr/bin/make all

A launcher sets them, since this process must not change: each subshell may have its own.
"""

from __future__ import annotations

import resource

from keysh.process.launcher import launcher_path
from keysh.process.resolve import find_executable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.spec import Ulimits

UNLIMITED = resource.RLIM_INFINITY


class ResourceLimit:
    """One limit: its number in `resource`, prlimit's option, ulimit's letter and unit."""

    __slots__ = ("letter", "number", "option", "unit")

    def __init__(self, name: str, option: str, letter: str, unit: int) -> None:
        self.number: int = getattr(resource, name)
        self.option, self.letter, self.unit = option, letter, unit


RESOURCE_LIMITS = {
    "core": ResourceLimit("RLIMIT_CORE", "core", "c", 1024),
    "data": ResourceLimit("RLIMIT_DATA", "data", "d", 1024),
    "files": ResourceLimit("RLIMIT_FSIZE", "fsize", "f", 1024),
    "locked": ResourceLimit("RLIMIT_MEMLOCK", "memlock", "l", 1024),
    "resident": ResourceLimit("RLIMIT_RSS", "rss", "m", 1024),
    "open": ResourceLimit("RLIMIT_NOFILE", "nofile", "n", 1),
    "stack": ResourceLimit("RLIMIT_STACK", "stack", "s", 1024),
    "time": ResourceLimit("RLIMIT_CPU", "cpu", "t", 1),
    "processes": ResourceLimit("RLIMIT_NPROC", "nproc", "u", 1),
    "virtual": ResourceLimit("RLIMIT_AS", "as", "v", 1024),
}


def current_limit(name: str) -> tuple[int, int]:
    """This process's soft and hard limit, which the processes it starts inherit."""
    return resource.getrlimit(RESOURCE_LIMITS[name].number)


def ulimit_words(limits: Ulimits) -> list[str]:
    """The words in front of a program that set limits; none if there are none."""
    if not limits:
        return []
    prlimit = find_executable("prlimit")
    if prlimit is not None:
        options = [
            f"--{RESOURCE_LIMITS[name].option}={limit_text(soft, 1)}:{limit_text(hard, 1)}"
            for name, (soft, hard) in limits.items()
        ]
        return [prlimit, *options, "--"]
    parts = []
    for name, pair in limits.items():
        limit = RESOURCE_LIMITS[name]
        for which, value in zip("SH", pair, strict=True):
            parts.append(f"ulimit -{which} -{limit.letter} {limit_text(value, limit.unit)}")
    script = " && ".join([*parts, 'exec "$@"'])
    return [launcher_path("bash"), "-c", script, "bash"]


def limit_text(value: int, unit: int) -> str:
    """A limit in units, as ulimit and prlimit write it."""
    return "unlimited" if value == UNLIMITED else str(value // unit)
