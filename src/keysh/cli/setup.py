"""Equipment: the files, programs, variables and limits that a script is run with, as wished for."""

from __future__ import annotations

import os

from keysh.cli.console import UsageError
from keysh.interp.run.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.cli.arguments import Wishes
    from keysh.shell.shell import Shell
    from keysh.vfs.api import FileSystem

LEVEL_DIGITS, MOST_LEVELS = 3, 1000  # of $SHLVL; as in bash the thousandth is the first again
MOST_UNPACKED = 1 << 40  # bytes: more than is meant, and less than a bomb may hold
MOST_MEMORY = 0.75  # of the machine's: beyond that it would end some program or other
# What keysh's own stand in for where no program may run. curl knows the machine's certificates and
# proxies, sqlite3 locks a file that others have open, and the others tell of the machine, of which
# a shell by itself knows nothing.
PROGRAMS_FIRST = (
    "arch", "curl", "getconf", "hostname", "id", "logname", "nproc", "ps", "sqlite3", "sync", "tty",
    "uname", "uptime", "users", "who", "whoami",
)  # fmt: skip


def files_of(
    wishes: Wishes,
) -> tuple[Callable[[], dict[str, FileSystem]] | dict[str, FileSystem], str]:
    """The file systems, and the directory to begin in."""
    try:
        here = os.getcwd()
    except FileNotFoundError as error:  # it has been removed
        raise FileNotFoundError(error.errno, error.strerror, ".") from None
    if sees_machine(wishes):
        return machine_mounts, here
    return mounts_of(wishes), "/" if is_apart(wishes) else here


def is_apart(wishes: Wishes) -> bool:
    """Whether the root is another one than the machine's."""
    return "--memory" in wishes.flags or wishes.sandbox is not None


def sees_machine(wishes: Wishes) -> bool:
    """Whether a script sees the files of the machine, and only those."""
    return not (is_apart(wishes) or "--overlay" in wishes.flags or wishes.all("--mount"))


def machine() -> FileSystem:
    """The files of the machine."""
    from keysh.vfs.local.filesystem import LocalFS  # noqa: PLC0415 - some scripts need no file

    return LocalFS("/", allow_fifos=True, umask=process_umask())


def process_umask() -> int:
    """The umask of this process, asked for before a script runs."""
    mask = os.umask(0)  # which can only be read so
    os.umask(mask)
    return mask


def machine_mounts() -> dict[str, FileSystem]:
    """The same, with its devices where it has any: /dev/tty, /dev/shm."""
    from keysh.vfs.machine_dev import MachineDev  # noqa: PLC0415 - as above

    mounts = {"/": machine()}
    return {**mounts, "/dev": MachineDev()} if os.path.isdir("/dev") else mounts


def mounts_of(wishes: Wishes) -> dict[str, FileSystem]:
    """The file systems, by where they are mounted."""
    from keysh.vfs.local.filesystem import LocalFS  # noqa: PLC0415 - as above

    if "--memory" in wishes.flags:
        from keysh.vfs.memory.filesystem import MemoryFS  # noqa: PLC0415 - only where it is asked for

        limits = limits_of(wishes)
        memory = MemoryFS(max_bytes=limits.file_bytes, max_files=limits.files)
        mounts: dict[str, FileSystem] = {"/": memory}
    elif wishes.sandbox is not None:
        mounts = {"/": LocalFS(wishes.sandbox)}
    else:
        mounts = {"/": machine()} if "--overlay" in wishes.flags else machine_mounts()
    if "--overlay" in wishes.flags:
        from keysh.vfs.overlay.filesystem import OverlayFS  # noqa: PLC0415 - as above, and takes 4 ms

        mounts["/"] = OverlayFS(mounts["/"])
    for text in wishes.all("--mount"):
        place, equals, real = text.partition("=")
        if not equals or not place.startswith("/"):
            raise UsageError(f"--mount needs V=R, but has {text}")
        real, _, mode = real.rpartition(":") if real.endswith(":ro") else (real, "", "")
        mounts[place] = read_only(LocalFS(real)) if mode else LocalFS(real)
    return mounts


def read_only(fs: FileSystem) -> FileSystem:
    """A file system that cannot be written to."""
    from keysh.vfs.readonly import ReadOnlyFS  # noqa: PLC0415 - only where it is asked for

    return ReadOnlyFS(fs)


def limits_of(wishes: Wishes) -> Limits:
    """The limits; a program's output is written as it comes, so that nothing of it is held."""
    seconds = number(wishes, "--timeout")
    memory = int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * MOST_MEMORY)
    limits = Limits(output=None, unpacked=MOST_UNPACKED, memory=memory, seconds=seconds)
    for text in wishes.all("--limit"):
        kind, equals, count = text.partition("=")
        if not equals or kind not in Limits.__slots__ or not count.isdecimal():
            raise UsageError(f"--limit needs KIND=NUMBER, but has {text}")
        setattr(limits, kind, int(count))
    return limits


def number(wishes: Wishes, option: str) -> float | None:
    """The number above 0 that an option has."""
    given = wishes.all(option)
    if not given:
        return None
    try:
        found = float(given[-1])
    except ValueError:
        found = 0.0
    if not found > 0:  # nor is `nan`, which no moment is behind
        raise UsageError(f"{option} needs a number above 0, but has {given[-1]}")
    return found


def environment_of(wishes: Wishes) -> dict[str, str]:
    """The environment."""
    made: dict[str, str] = {}
    if "--clear-env" not in wishes.flags:
        made.update(os.environ)
        made["SHLVL"] = deeper_level(made.get("SHLVL", ""))
    for text in wishes.all("--env"):
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"--env needs NAME=VALUE, but has {text}")
        made[name] = value
    return made


def deeper_level(around: str) -> str:
    """`$SHLVL` of a shell in one of this level."""
    level = int(around) + 1 if around.isdecimal() and len(around) <= LEVEL_DIGITS else 1
    return str(level if level < MOST_LEVELS else 1)


def programs_of(path: str) -> frozenset[str]:
    """The programs that go before keysh's commands of their names, of those the machine has."""
    folders = [folder for folder in path.split(":") if folder]
    return frozenset(
        name
        for name in PROGRAMS_FIRST
        if any(os.access(f"{folder}/{name}", os.X_OK) for folder in folders)
    )


def external_of(wishes: Wishes) -> object:
    """Which programs may run."""
    if "--no-external" in wishes.flags or wishes.sandbox is not None:
        return False
    if "--memory" in wishes.flags and not wishes.all("--allow"):
        return False
    if allowed := wishes.all("--allow"):
        from keysh.process.policy import Policy  # noqa: PLC0415 - only where it is asked for

        return Policy(allow=allowed, allow_writable=True)
    return True


def options_of(wishes: Wishes) -> dict[str, Any]:
    """The options of `Shell` that the arguments ask for."""
    files, cwd = files_of(wishes)
    external = external_of(wishes)
    return {
        "fs": files, "cwd": cwd, "env": environment_of(wishes), "external": external,
        "limits": limits_of(wishes), "check": "--no-check" not in wishes.flags,
        "on_event": audit_of(wishes), "network": external is True,
    }  # fmt: skip


def introduce(shell: Shell, wishes: Wishes, options: dict[str, Any]) -> None:
    """Tell a shell that is to be as others are who runs it, on what machine and with what."""
    if options["external"] is not True or not sees_machine(wishes):
        return
    shell.registry.disabled = programs_of(options["env"].get("PATH", ""))
    shell.state.umask = process_umask()
    shell.state.variables.update({
        "UID": os.getuid(), "EUID": os.geteuid(), "PPID": os.getppid(),
        "HOSTNAME": os.uname().nodename,
    })  # fmt: skip


def audit_of(wishes: Wishes) -> Callable[[dict[str, object]], None] | None:
    """What is told of each program."""
    given = wishes.all("--audit")
    if not given:
        return None
    from keysh.external.events import AuditFile  # noqa: PLC0415 - only where it is asked for

    return AuditFile(given[-1])
