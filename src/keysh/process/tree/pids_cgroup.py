"""Pids cgroup: the kernel's own limit of the tasks of a tree, where this process may set one.

    /proc/self/cgroup     8:pids:/user.slice        0::/user.slice/session.scope
    /proc/self/mountinfo  … /sys/fs/cgroup/pids … cgroup … pids

    version 1   a directory below our own cgroup
    version 2   the same if it is given `pids`, which the kernel allows in its root only;
                else beside ours, where a user's systemd has delegated that

A process enters before its first instruction (`process.launcher`), or is moved before that if it is
confined; what it starts is inside too.
Nothing of the machine is changed but the new directory, which `remove` removes.
"""

from __future__ import annotations

import os
from contextlib import suppress

from keysh.diagnostics.uncopied import Uncopied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MEMBERSHIP_FILE = "/proc/self/cgroup"  # "number:controllers:path"
MOUNTS_FILE = "/proc/self/mountinfo"
CONTROLLER = "pids"
MEMBERS = "cgroup.procs"
REMOVAL_ATTEMPTS = 20  # what the tree has left may start others while it is moved out


class PidsCgroup(Uncopied):
    """A cgroup for one tree."""

    __slots__ = ("_has_entered", "_own", "path")

    def __init__(self, parent: str, own: str, limit: int) -> None:
        """`own` is the cgroup of this process. OSError if none can be made in a directory."""
        self._own = own
        self._has_entered = False
        self.path = f"{parent}/keysh-{os.getpid()}-{os.urandom(8).hex()}"
        os.mkdir(self.path)
        try:
            self.set_limit(limit)
        except OSError:
            os.rmdir(self.path)
            raise

    @property
    def members_file(self) -> str:
        """The file to which a process writes 0 to enter."""
        return f"{self.path}/{MEMBERS}"

    def enter(self, pid: int) -> None:
        """Move a process inside, if the kernel allows it."""
        with suppress(OSError):
            write_file(self.members_file, str(pid))

    def has_entered(self) -> bool:
        """Whether any process has entered; one that has entered stays, with all that it starts."""
        self._has_entered = self._has_entered or self.task_count() > 0
        return self._has_entered

    def set_limit(self, limit: int) -> None:
        """The kernel refuses more tasks than this from now on."""
        write_file(f"{self.path}/pids.max", str(limit))

    def task_count(self) -> int:
        """The number of tasks: threads, and processes, dead ones too."""
        return int(read_file(f"{self.path}/pids.current") or 0)

    def has_refused(self) -> bool:
        """Whether the kernel has refused a task."""
        # "max 3" among other lines
        fields = read_file(f"{self.path}/pids.events").split()
        return "max" in fields and fields[fields.index("max") + 1] != "0"

    def members(self) -> list[int]:
        """The processes inside."""
        return list(map(int, read_file(self.members_file).split()))

    def remove(self) -> None:
        """Remove it. What is left inside goes where this process is."""
        for _ in range(REMOVAL_ATTEMPTS):
            try:
                os.rmdir(self.path)
            except FileNotFoundError:
                return
            except OSError:
                for pid in self.members():
                    with suppress(OSError):  # it has ended
                        write_file(f"{self._own}/{MEMBERS}", str(pid))
            else:
                return


def make_pids_cgroup(limit: int) -> PidsCgroup | None:
    """A cgroup that may hold a number of tasks; None if this process may not make one."""
    for parent, own in cgroup_directories():
        # Who moves a process must be allowed to write where both cgroups are.
        if all(os.access(f"{path}/{MEMBERS}", os.W_OK) for path in (parent, own)):
            with suppress(OSError):
                return PidsCgroup(parent, own, limit)
    return None


def cgroup_directories() -> Iterator[tuple[str, str]]:
    """The directories in which a new cgroup may be able to count tasks, each with our own one."""
    paths = {
        controller: path
        for line in read_file(MEMBERSHIP_FILE).splitlines()
        for _, controllers, path in [line.split(":", 2)]
        for controller in controllers.split(",")
    }
    for line in read_file(MOUNTS_FILE).splitlines():
        fields, _, rest = line.partition(" - ")
        root, point = fields.split()[3:5]
        kind, *_, options = rest.split()
        is_unified = kind == "cgroup2"
        if not is_unified and (kind != "cgroup" or CONTROLLER not in options.split(",")):
            continue
        path = paths.get("" if is_unified else CONTROLLER)
        if path is None or not (path + "/").startswith(root.rstrip("/") + "/"):
            continue  # it is outside of what is mounted here
        below = path[len(root.rstrip("/")) :].rstrip("/")
        yield point + below, point + below
        if is_unified and below:
            yield point + os.path.dirname(below).rstrip("/"), point + below


def read_file(path: str) -> str:
    """The content of a small file; empty if there is none."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def write_file(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
