"""Launchers: small programs that change themselves and then execute the program.

    nice -n 5  prlimit --cpu=1:2 --  bash -c 'exec -a "$0" "$@" 3<&64 64<&-' make  /usr/bin/make all

They do what must be in force before the program's first instruction: this process may have threads,
so it cannot run code between fork and exec.
"""

from __future__ import annotations

import os

from keysh.process.resolve import find_executable
from keysh.process.result import NotStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.process.spec import ProcessSpec

# ProcessSpec's parameter, prlimit's option, ulimit's option and unit, the name in `resource`
LAUNCHER_LIMITS = (
    ("max_memory", "--as", "-v", 1024, "RLIMIT_AS"),
    ("cpu_seconds", "--cpu", "-t", 1, "RLIMIT_CPU"),
    ("max_open_files", "--nofile", "-n", 1, "RLIMIT_NOFILE"),
)

MAX_NICE = 19  # the lowest priority


def limit_words(spec: ProcessSpec) -> list[str]:
    """The words in front of the program that limit it; none without limits."""
    words = []
    nice = spec.limit("nice")
    if nice is not None:
        if not 0 <= nice <= MAX_NICE:
            raise limit_refusal("nice", nice, f"is not within 0 and {MAX_NICE}")
        words += [launcher_path("nice"), "-n", str(nice), "--"]
    limits = [(row, value) for row in LAUNCHER_LIMITS if (value := spec.limit(row[0])) is not None]
    for (name, _, _, _, kind), value in limits:
        check_limit(name, value, kind)
    if not limits:
        return words
    prlimit = find_executable("prlimit")
    if prlimit is not None:
        # At the soft limit the kernel sends SIGXCPU, at the hard one SIGKILL, which names no cause.
        options = [
            f"{option}={value}:{value + 1}" if option == "--cpu" else f"{option}={value}"
            for (_, option, _, _, _), value in limits
        ]
        return [*words, prlimit, *options, "--"]
    settings = []
    for (_, _, option, unit, _), value in limits:
        if option == "-t":
            settings += [f"ulimit -S -t {value}", f"ulimit -H -t {value + 1}"]
        else:
            settings.append(f"ulimit {option} {value // unit}")
    script = " && ".join([*settings, 'exec "$@"'])
    return [*words, launcher_path("sh"), "-c", script, "sh"]


def check_limit(name: str, value: int, kind: str) -> None:
    """Refuse a limit that the launcher could not set: above our own hard limit, or negative."""
    import resource  # noqa: PLC0415 - only where there are limits

    if value < 0:
        raise limit_refusal(name, value, "is negative")
    _, hard = resource.getrlimit(getattr(resource, kind))
    if hard not in (resource.RLIM_INFINITY, -1) and value > hard:
        raise limit_refusal(name, value, f"is above this program's own limit of {hard}")


def limit_refusal(name: str, value: int, reason: str) -> NotStarted:
    return NotStarted("limits", "EINVAL", f"{name}={value}", reason)


def terminal_words(path: str) -> list[str]:
    """The words that make a terminal the controlling one: the first to open it acquires it."""
    script = 'terminal=$1; shift; exec "$@" <>"$terminal" >&0 2>&1'
    return [launcher_path("sh"), "-c", script, "sh", path]


def renumber_words(numbers: Mapping[int, int], name: str) -> list[str]:
    """The words that move descriptors from their numbers here to those that are wanted.

    The program sees the name it was called by, which its messages begin with.
    """
    moves = " ".join(f"{wanted}<&{fd} {fd}<&-" for fd, wanted in numbers.items())
    return [launcher_path("bash"), "-c", f'exec -a "$0" "$@" {moves}', name]


def collects_ends() -> bool:
    """Whether this program may wait for any process: it ignores SIGCHLD, or has a handler."""
    from signal import SIG_DFL, SIGCHLD, getsignal  # noqa: PLC0415 - an enum, loaded with Popen

    return getsignal(SIGCHLD) is not SIG_DFL


def held_words(spec: ProcessSpec, fd: int) -> list[str]:
    """The words that wait for the end of our descriptor, so that no end comes before the watch.

    None without bash: then a short process may end unseen. If it cannot read, it does not wait.
    """
    return bash_words(spec, 'read -r _ <"$1"', f"/proc/{os.getpid()}/fd/{fd}")


def gate_words(spec: ProcessSpec, fd: int) -> list[str]:
    """The words that wait for the end of a pipe that the process has as `fd`; none without bash."""
    return bash_words(spec, f"read -r _ <&{fd}; exec {fd}<&-", "")


def cgroup_words(spec: ProcessSpec, members_file: str) -> list[str]:
    """The words that enter a cgroup, if the kernel allows it; none without bash."""
    return bash_words(spec, 'echo 0 >"$1"', members_file)


def bash_words(spec: ProcessSpec, command: str, argument: str) -> list[str]:
    """The words that run a command of bash, which may fail, with an argument; none without bash.

    The program sees the name that it was called by, and its environment as it was given, which bash
    would change: an array is not exported.
    """
    from shlex import quote  # noqa: PLC0415 - few programs are launched by bash

    bash = find_executable("bash")
    if bash is None:
        return []
    names = ("PWD", "OLDPWD")
    settings = [f"{x}={quote(spec.env[x])}; export {x}" for x in names if x in spec.env]
    settings += [f"unset {x}" for x in names if x not in spec.env]
    if "SHLVL" not in spec.env:
        settings.append("unset SHLVL; declare -a SHLVL")
    script = f'{{ {command}; }} 2>/dev/null; shift; {"; ".join(settings)}; exec -a "$0" "$@"'
    return [bash, "-p", "-c", script, spec.argv[0], argument]


def launcher_path(name: str) -> str:
    """The path of a launcher; NotStarted if this machine has none."""
    path = find_executable(name)
    if path is None:
        raise NotStarted("limits", "ENOENT", name, "is needed to launch the process")
    return path
