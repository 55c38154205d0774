"""Launchers: small programs that change themselves and then become the one that is wanted.

    nice -n 5  prlimit --cpu=1:2 --  bash -c 'exec "$@" 3<&64 64<&-' bash  /usr/bin/make all

Whatever must be in force before the program's first instruction is done by one of them, for this
process may have threads and cannot run code between fork and exec.
"""

from __future__ import annotations

from keysh.process.resolve import find_executable
from keysh.process.result import NotStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.process.spec import ProcessSpec

# Parameter of ProcessSpec, option of prlimit, option of ulimit and its unit, name in `resource`.
LAUNCHER_LIMITS = (
    ("max_memory", "--as", "-v", 1024, "RLIMIT_AS"),
    ("cpu_seconds", "--cpu", "-t", 1, "RLIMIT_CPU"),
    ("max_open_files", "--nofile", "-n", 1, "RLIMIT_NOFILE"),
)

MAX_NICE = 19  # the least urgent that `nice` can make a process


def limit_words(spec: ProcessSpec) -> list[str]:
    """The words before the program that limit it; none where nothing is limited."""
    words = []
    nice = spec.limit("nice")
    if nice is not None:
        if not 0 <= nice <= MAX_NICE:
            raise limit_refusal("nice", nice, f"is not within 0 and {MAX_NICE}")
        words += [launcher_path("nice"), "-n", str(nice), "--"]
    wanted = [(row, value) for row in LAUNCHER_LIMITS if (value := spec.limit(row[0])) is not None]
    for (name, _, _, _, kind), value in wanted:
        check_limit(name, value, kind)
    if not wanted:
        return words
    prlimit = find_executable("prlimit")
    if prlimit is not None:
        # The soft limit on time is a signal that names itself; the hard one would be a bare kill.
        options = [
            f"{option}={value}:{value + 1}" if option == "--cpu" else f"{option}={value}"
            for (_, option, _, _, _), value in wanted
        ]
        return [*words, prlimit, *options, "--"]
    settings = []
    for (_, _, option, unit, _), value in wanted:
        if option == "-t":
            settings += [f"ulimit -S -t {value}", f"ulimit -H -t {value + 1}"]
        else:
            settings.append(f"ulimit {option} {value // unit}")
    script = " && ".join([*settings, 'exec "$@"'])
    return [*words, launcher_path("sh"), "-c", script, "sh"]


def check_limit(name: str, value: int, kind: str) -> None:
    """Refuse what could only fail in the launcher: a limit takes away, it does not grant."""
    import resource  # noqa: PLC0415 - only where there are limits

    if value < 0:
        raise limit_refusal(name, value, "is negative")
    _, hard = resource.getrlimit(getattr(resource, kind))
    if hard not in (resource.RLIM_INFINITY, -1) and value > hard:
        raise limit_refusal(name, value, f"is above this program's own limit of {hard}")


def limit_refusal(name: str, value: int, reason: str) -> NotStarted:
    return NotStarted("limits", "EINVAL", f"{name}={value}", reason)


def terminal_words(path: str) -> list[str]:
    """The words that make a terminal the controlling one: it becomes that of who opens it first."""
    script = 'terminal=$1; shift; exec "$@" <>"$terminal" >&0 2>&1'
    return [launcher_path("sh"), "-c", script, "sh", path]


def renumber_words(numbers: Mapping[int, int]) -> list[str]:
    """The words that give descriptors, by their number here, the numbers that the program wants."""
    moves = " ".join(f"{wanted}<&{held} {held}<&-" for held, wanted in numbers.items())
    return [launcher_path("bash"), "-c", f'exec "$@" {moves}', "bash"]


def launcher_path(name: str) -> str:
    """A launcher's path; NotStarted where this machine has none."""
    found = find_executable(name)
    if found is None:
        raise NotStarted("limits", "ENOENT", name, "is needed to launch the process")
    return found
