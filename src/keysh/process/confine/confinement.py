"""Confinement: what a program may reach, and the paths of this machine that this means."""

from __future__ import annotations

import errno
import os

from keysh.process.result import NotStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MODES = ("auto", "require", "off")

# What every program needs: the system's programs and libraries, what the loader reads, and two
# files without which git and clocks do not work.
SYSTEM_DIRECTORIES = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SYSTEM_FILES = (
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload",
    "/etc/gitconfig", "/etc/localtime",
)  # fmt: skip
# Numbers of the machine that libraries read when they start; nothing of a process.
MACHINE_FILES = (
    "/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg", "/proc/meminfo", "/proc/stat",
    "/proc/uptime", "/proc/version", "/proc/sys/kernel/ngroups_max", "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max", "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu/online", "/sys/devices/system/cpu/possible",
    "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
)  # fmt: skip
DEVICES = ("/dev/full", "/dev/null", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero")
# How names of other machines are found, and whom to trust.
NETWORK_FILES = (
    "/etc/ca-certificates", "/etc/gai.conf", "/etc/host.conf", "/etc/hosts", "/etc/nsswitch.conf",
    "/etc/pki", "/etc/protocols", "/etc/resolv.conf", "/etc/services", "/etc/ssl",
)  # fmt: skip

MAX_PORT = 65535
# Entries that the way to a denied directory may have beside it: each becomes a rule of its own.
MAX_SIBLING_RULES = 10_000

# What a rule lets a program do with a file, or with all below a directory.
READ, WRITE, EXECUTE = 1, 2, 4


class Confinement:
    """What a program may reach. Whatever is not listed is refused by the kernel.

    read              files and directories that it may read
    write             those that it may read and change; what is below a directory it may make and
                      remove
    execute           those that it may read and run
    deny              files and directories that it may not use. The longest path decides
    connect, bind     TCP ports. With `connect=None` it may reach all of the network, by UDP too;
                      with `bind=None` as well it may be reached
    signals           it may signal processes of others than its policy
    abstract_sockets  it may connect to Unix sockets of the machine, by abstract name or by path
    attributes        it may change modes, owners, times and extended attributes. The kernel cannot
                      limit that to some files: it holds for all whose path the program knows and
                      that its user owns
    system            it may use the programs, libraries and devices of the machine that all
                      programs need
    """

    __module__ = "keysh"
    __slots__ = (
        "abstract_sockets", "attributes", "bind", "connect", "deny", "execute",
        "extended_attributes", "read", "signals", "system", "write",
    )  # fmt: skip

    def __init__(
        self,
        read: Iterable[str] = (),
        write: Iterable[str] = (),
        execute: Iterable[str] = (),
        *,
        deny: Iterable[str] = (),
        connect: Iterable[int] | None = (),
        bind: Iterable[int] | None = (),
        signals: bool = False,
        abstract_sockets: bool = False,
        attributes: bool = False,
        system: bool = True,
    ) -> None:
        self.read, self.write = path_tuple("read", read), path_tuple("write", write)
        self.execute = path_tuple("execute", execute)
        self.deny: tuple[str, ...] = ()
        self._deny(path_tuple("deny", deny))
        self.connect, self.bind = port_tuple("connect", connect), port_tuple("bind", bind)
        if (self.bind is None and self.connect is not None) or (self.connect is None and self.bind):
            raise ValueError(
                "bind=None needs connect=None, and connect=None takes no list of ports"
            )
        self.signals, self.abstract_sockets = signals, abstract_sockets
        self.attributes, self.system = attributes, system
        # Not with "auto", which allows what programs cannot do without.
        self.extended_attributes = attributes

    def _deny(self, paths: tuple[str, ...]) -> None:
        """Deny real paths, whatever was allowed until now."""
        for name in ("read", "write", "execute"):
            setattr(self, name, tuple(path for path in getattr(self, name) if path not in paths))
        self.deny = (*self.deny, *(path for path in paths if path not in self.deny))

    @property
    def has_network(self) -> bool:
        """Whether it may reach all of the network."""
        return self.connect is None

    @property
    def ports(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The TCP ports that it may bind and connect to, if it may not use all."""
        return self.bind or (), self.connect or ()

    def with_paths(
        self,
        read: Iterable[str] = (),
        write: Iterable[str] = (),
        execute: Iterable[str] = (),
        deny: Iterable[str] = (),
    ) -> Confinement:
        """The same with more paths, which are real ones. Those that allow decide over `deny`."""
        more = Confinement.__new__(Confinement)
        for name in self.__slots__:
            setattr(more, name, getattr(self, name))
        more.read = (*self.read, *read)
        more.write = (*self.write, *write)
        more.execute = (*self.execute, *execute)
        more.deny = (*self.deny, *deny)
        return more

    def without(self, deny: Iterable[str]) -> Confinement:
        """The same, but for real paths, which decide over those that allow."""
        less = self.with_paths()
        less._deny(tuple(deny))
        return less

    def key(self) -> tuple[object, ...]:
        """What two confinements with the same rules share, as long as their files are the same."""
        values = tuple(getattr(self, name) for name in self.__slots__)
        if not self.deny:
            paths = (*self.read, *self.write, *self.execute)
            return values, tuple(map(file_identity, paths))
        # The rules change with the files beside what is denied.
        return (
            values, tuple(map(file_identity, self.asked_rules())),
            system_change_times(self.deny) if self.system else (),
        )  # fmt: skip

    def rules(self) -> dict[str, int]:
        """What may be done with which real files; NotStarted for a path that does not exist."""
        rules = self.asked_rules()
        for path, access in self.system_rules():
            if os.path.exists(path) and os.path.realpath(path) not in self.deny:
                for place in undenied_places(os.path.realpath(path), self.deny):
                    rules[place] = rules.get(place, 0) | access
        return rules

    def asked_rules(self) -> dict[str, int]:
        """The rules for what is listed here."""
        rules: dict[str, int] = {}
        asked = [(path, READ) for path in self.read]
        asked += [(path, READ | WRITE) for path in self.write]
        asked += [(path, READ | EXECUTE) for path in self.execute]
        for path, access in asked:
            if not os.path.lexists(path):
                raise confinement_refusal(path, "cannot be allowed: " + os.strerror(errno.ENOENT))
            for place in undenied_places(path, self.deny):
                rules[place] = rules.get(place, 0) | access
        return rules

    def system_rules(self) -> Iterator[tuple[str, int]]:
        """The rules for what is there on some machines only."""
        if self.system:
            yield from ((path, READ | EXECUTE) for path in SYSTEM_DIRECTORIES)
            yield from ((path, READ) for path in (*SYSTEM_FILES, *MACHINE_FILES))
            yield from ((path, READ | WRITE) for path in DEVICES)
        if self.has_network or any(self.ports):
            yield from ((path, READ) for path in NETWORK_FILES)

    def __repr__(self) -> str:
        shown = [
            f"{name}={list(value) if isinstance(value, tuple) else value!r}"
            for name in ("read", "write", "execute", "deny", "connect", "bind")
            if (value := getattr(self, name)) != ()
        ]
        shown += [
            f"{name}=True" for name in ("signals", "abstract_sockets", "attributes")
            if getattr(self, name)
        ]  # fmt: skip
        if not self.system:
            shown.append("system=False")
        return f"Confinement({', '.join(shown)})"


def path_tuple(name: str, paths: Iterable[str]) -> tuple[str, ...]:
    """The real paths of a list; TypeError for anything else.

    They are resolved now: later, a program could have put a link where it may write.
    """
    if isinstance(paths, str | bytes) or not hasattr(paths, "__iter__"):
        raise TypeError(f"{name} must be a list of paths, but is {paths!r:.60}")
    return tuple(os.path.realpath(path) for path in paths)


def port_tuple(name: str, ports: Iterable[int] | None) -> tuple[int, ...] | None:
    """The ports of a list; TypeError or ValueError for anything else."""
    if ports is None:
        return None
    if isinstance(ports, str | bytes | int):
        raise TypeError(f"{name} must be a list of ports, but is {ports!r:.60}")
    for port in (ports := tuple(ports)):
        if isinstance(port, bool) or not isinstance(port, int) or not 0 < port <= MAX_PORT:
            raise ValueError(f"{name} must have ports from 1 to {MAX_PORT}, but has {port!r:.60}")
    return ports


def undenied_places(path: str, denied: Iterable[str]) -> Iterator[str]:
    """The paths that are all of `path` but what is denied.

    A rule holds for all below its path, so the way to something denied has none: what stands beside
    it is allowed, each by itself, and nothing new can be made there. Another name of a denied file
    on that way is denied as well.
    """
    pending, count = [path], 0
    names = {file_identity(one) for one in denied if os.path.isfile(one)}
    while pending:
        place = pending.pop()
        below = place.rstrip("/") + "/"
        if place != path and (place in denied or (names and file_identity(place) in names)):
            continue
        if not any(one.startswith(below) for one in denied):
            yield place
            continue
        entries = [entry.path for entry in os.scandir(place) if not entry.is_symlink()]
        count += len(entries)
        if count > MAX_SIBLING_RULES:
            raise confinement_refusal(
                place,
                f"more than {MAX_SIBLING_RULES} files stand beside what is denied below it; "
                "the kernel cannot hold that",
            )
        pending += entries


def system_change_times(denied: Iterable[str]) -> tuple[int, ...]:
    """When the system's directories above something denied were changed: what has been installed
    since has no rule.
    """
    parents = set()
    for path in denied:
        if path.startswith(tuple(f"{place}/" for place in SYSTEM_DIRECTORIES)):
            while (path := os.path.dirname(path)) != "/":
                parents.add(path)
    return tuple(os.stat(parent).st_mtime_ns for parent in sorted(parents) if os.path.isdir(parent))


def file_identity(path: str) -> tuple[int, int] | None:
    """What tells a file from another at the same path; None if there is none."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def confinement_refusal(subject: str, reason: str) -> NotStarted:
    """A program does not run because it cannot be confined as it was asked."""
    return NotStarted("refused", "POLICY", subject, reason, rule="confine")
