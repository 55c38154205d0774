"""Seccomp: a filter of system calls, as a program for the kernel's packet filter machine.

    is this the architecture?  no: kill       a 32-bit call would have other numbers
    is the number too high?    refuse         calls that are newer than this table, and x32
    for each refused call      refuse
    for each judged call       load an argument, compare it, refuse or go on
    allow

Source: Documentation/userspace-api/seccomp_filter.rst. Arguments of 32 bits are compared by their
lower half, as the kernel reads them.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from keysh.process.confine.system_calls import (
    ARCHITECTURES,
    ATTRIBUTE_CALLS,
    EXTENDED_ATTRIBUTE_CALLS,
    JUDGED_CALLS,
    MAX_CALL_NUMBER,
    REFUSED_CALLS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from keysh.process.confine.confinement import Confinement

# Of <linux/bpf_common.h>: load a word; jump if equal, above, or if bits are set; and; return.
LOAD, JUMP_EQUAL, JUMP_ABOVE, JUMP_BITS, AND, RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
# The fields of struct seccomp_data.
NUMBER_OFFSET, ARCHITECTURE_OFFSET, ARGUMENTS_OFFSET, ARGUMENT_BYTES = 0, 4, 16, 8
ACTION_ALLOW, ACTION_ERRNO, ACTION_KILL_PROCESS = 0x7FFF_0000, 0x0005_0000, 0x8000_0000

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
PR_CAPBSET_DROP = 24
# Capabilities above this one are not about files, signals and ids: CAP_SETUID of <capability.h>.
LAST_KEPT_CAPABILITY, MAX_CAPABILITY = 7, 63
# Of <linux/capability.h>: the effective, permitted and inheritable ones below 32, then the others.
CAPABILITY_VERSION, CAPABILITY_SETS = 0x2008_0522, struct.Struct("=6I")

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET, SOCKET_KIND_MASK = 1, 2, 3, 5, 0xF
NETLINK_ROUTE = 0
ANY_PROTOCOL, PROTOCOL_TCP = 0, 6  # not MPTCP and SCTP, whose ports Landlock does not see
MSG_FASTOPEN = 0x2000_0000  # connects without `connect`
MFD_NOEXEC_SEAL = 8
# How a file is opened, and what makes it empty. For the kernel 3 is no access at all.
ACCESS_MASK, READ_ONLY_ACCESS, NO_ACCESS, TRUNCATE_FLAG = 0o3, 0, 3, 0o1000
# New namespaces: time, mount, cgroup, uts, ipc, user, pid, net. The first is a bit of the signal
# in `clone`, so only `clone3` and `unshare` know it.
CLONE_NAMESPACES = 0x7E02_0000
# TIOCSTI and TIOCLINUX type for the user, TIOCSETD and TIOCCONS change terminals of others.
REFUSED_IOCTLS = (0x5412, 0x541C, 0x5423, 0x541D)
# FS_IOC_SETFLAGS (two widths), FS_IOC_FSSETXATTR: `chattr`.
ATTRIBUTE_IOCTLS = (0x4008_6602, 0x4004_6602, 0x401C_5820)


class FilterProgram:
    """Instructions in order. A judged call is a block that ends in a return."""

    __slots__ = ("_column", "instructions")

    def __init__(self, architecture: int, column: int) -> None:
        self._column = column
        self.instructions: list[tuple[int, int, int, int]] = []
        self._add(LOAD, ARCHITECTURE_OFFSET)
        self._add(JUMP_EQUAL, architecture, 1, 0)
        self._add(RETURN, ACTION_KILL_PROCESS)
        self._add(LOAD, NUMBER_OFFSET)
        self._add(JUMP_ABOVE, MAX_CALL_NUMBER, 0, 1)
        self._refuse(errno.ENOSYS)

    def refuse(self, calls: Mapping[str, tuple[int, int]], fault: int = errno.EPERM) -> None:
        """Refuse calls whatever their arguments are."""
        for numbers in calls.values():
            if numbers[self._column] >= 0:
                self._add(JUMP_EQUAL, numbers[self._column], 0, 1)
                self._refuse(fault)

    def judge(self, call: str, *conditions: list[tuple[int, int, int, int]]) -> None:
        """Judge a call by conditions, each of which may refuse it; else it is allowed."""
        block = [one for condition in conditions for one in condition]
        number = JUDGED_CALLS[call][self._column]
        if number < 0:
            return
        self._add(JUMP_EQUAL, number, 0, len(block) + 1)
        self.instructions += block
        self._add(RETURN, ACTION_ALLOW)

    def text(self) -> bytes:
        """The program as the kernel reads it."""
        self._add(RETURN, ACTION_ALLOW)
        return b"".join(
            struct.pack("=HBBI", code, when_true, when_false, value)
            for code, when_true, when_false, value in self.instructions
        )

    def _add(self, code: int, value: int, when_true: int = 0, when_false: int = 0) -> None:
        self.instructions.append((code, when_true, when_false, value))

    def _refuse(self, fault: int) -> None:
        self._add(RETURN, ACTION_ERRNO | fault)


def load(argument: int, *, upper: bool = False) -> tuple[int, int, int, int]:
    """Load one half of an argument; both architectures have the lower one first."""
    return LOAD, 0, 0, ARGUMENTS_OFFSET + ARGUMENT_BYTES * argument + (4 if upper else 0)


def refusal(fault: int = errno.EPERM) -> tuple[int, int, int, int]:
    return RETURN, 0, 0, ACTION_ERRNO | fault


def unless_one_of(
    argument: int, values: Iterable[int], fault: int = errno.EPERM, mask: int = 0
) -> list[tuple[int, int, int, int]]:
    """Refuse unless an argument is one of some values."""
    values = tuple(values)
    tests = [(JUMP_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    masks = [(AND, 0, 0, mask)] if mask else []
    return [load(argument), *masks, *tests, refusal(fault)]


def if_one_of(
    argument: int, values: Iterable[int], mask: int = 0
) -> list[tuple[int, int, int, int]]:
    """Refuse if an argument is one of some values."""
    masks = [(AND, 0, 0, mask)] if mask else []
    return [load(argument), *masks] + [
        one for value in values for one in ((JUMP_EQUAL, 0, 1, value), refusal())
    ]


def if_bits(argument: int, bits: int, fault: int = errno.EPERM) -> list[tuple[int, int, int, int]]:
    """Refuse if an argument has one of some bits."""
    return [load(argument), (JUMP_BITS, 0, 1, bits), refusal(fault)]


def unless_bits(argument: int, bits: int) -> list[tuple[int, int, int, int]]:
    """Refuse unless an argument has one of some bits."""
    return [load(argument), (JUMP_BITS, 1, 0, bits), refusal()]


def if_address(argument: int) -> list[tuple[int, int, int, int]]:
    """Refuse if an argument is an address, not a null pointer."""
    return [
        load(argument), (JUMP_EQUAL, 0, 2, 0),
        load(argument, upper=True), (JUMP_EQUAL, 1, 0, 0), refusal(),
    ]  # fmt: skip


def family(
    number: int, kinds: Iterable[int], protocols: Iterable[int] = ()
) -> list[tuple[int, int, int, int]]:
    """Allow sockets of a family that have one of some kinds and, if given, of some protocols."""
    judged = unless_one_of(1, kinds, mask=SOCKET_KIND_MASK)
    if protocols := tuple(protocols):
        judged += unless_one_of(2, protocols, errno.EPROTONOSUPPORT)
    judged.append((RETURN, 0, 0, ACTION_ALLOW))
    return [load(0), (JUMP_EQUAL, 0, len(judged), number), *judged]


def filter_program(confinement: Confinement, machine: str, *, holds_truncation: bool) -> bytes:
    """The filter of a confinement for a machine: a key of ARCHITECTURES.

    `holds_truncation`: Landlock does.
    """
    program = FilterProgram(*ARCHITECTURES[machine])
    program.refuse(REFUSED_CALLS)
    if not confinement.attributes:
        program.refuse(ATTRIBUTE_CALLS)
        program.refuse(EXTENDED_ATTRIBUTE_CALLS)
    elif not confinement.extended_attributes:
        program.refuse(EXTENDED_ATTRIBUTE_CALLS, errno.EOPNOTSUPP)
    if not holds_truncation:
        hold_truncation(program)
    program.refuse({"clone3": JUDGED_CALLS["clone3"]}, errno.ENOSYS)  # the C library tries `clone`
    program.judge("clone", if_bits(0, CLONE_NAMESPACES))
    program.judge("memfd_create", unless_bits(1, MFD_NOEXEC_SEAL))
    attribute_ioctls = () if confinement.extended_attributes else ATTRIBUTE_IOCTLS
    program.judge("ioctl", if_one_of(1, (*REFUSED_IOCTLS, *attribute_ioctls)))
    # Of itself only: a process may set the limits and priorities of all others of its user.
    for call in (
        "prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"
    ):  # fmt: skip
        program.judge(call, unless_one_of(0, (0,)))
    program.judge("setpriority", unless_one_of(0, (0,)), unless_one_of(1, (0,)))
    program.judge("ioprio_set", unless_one_of(0, (1,)), unless_one_of(1, (0,)))
    judge_sockets(program, confinement)
    return program.text()


def hold_truncation(program: FilterProgram) -> None:
    """Refuse what empties a file that was not opened to be written, which Landlock judges."""
    program.refuse({"truncate": JUDGED_CALLS["truncate"]})
    # Its flags are in memory. Programs use `openat` instead.
    program.refuse({"openat2": JUDGED_CALLS["openat2"]}, errno.ENOSYS)
    flags = [access | TRUNCATE_FLAG for access in (READ_ONLY_ACCESS, NO_ACCESS)]
    for call, argument in (("open", 1), ("openat", 2)):
        program.judge(call, if_one_of(argument, flags, mask=ACCESS_MASK | TRUNCATE_FLAG))


def judge_sockets(program: FilterProgram, confinement: Confinement) -> None:
    """Which sockets there are, and how they may be connected.

    Landlock knows ports of TCP and abstract names, but no paths of Unix sockets: where a program
    may connect at all, it gets none of these, and where it has them, it may not connect.
    """
    unix = confinement.abstract_sockets
    has_ports = any(confinement.ports)
    may_connect = unix or has_ports or confinement.has_network
    pair_kinds = (SOCK_STREAM, SOCK_SEQPACKET, *((SOCK_DGRAM,) if unix else ()))
    families = []
    if unix or not may_connect:
        families += family(AF_UNIX, pair_kinds, (ANY_PROTOCOL, AF_UNIX))
    if confinement.has_network:
        families += family(AF_INET, (SOCK_STREAM, SOCK_DGRAM))
        families += family(AF_INET6, (SOCK_STREAM, SOCK_DGRAM))
        # Which addresses this machine has, as name services ask.
        families += family(AF_NETLINK, (SOCK_RAW, SOCK_DGRAM), (NETLINK_ROUTE,))
    elif has_ports:
        families += family(AF_INET, (SOCK_STREAM,), (ANY_PROTOCOL, PROTOCOL_TCP))
        families += family(AF_INET6, (SOCK_STREAM,), (ANY_PROTOCOL, PROTOCOL_TCP))
    program.judge("socket", [*families, refusal(errno.EAFNOSUPPORT)])
    pairs = family(AF_UNIX, pair_kinds)
    program.judge("socketpair", [*pairs, refusal(errno.EAFNOSUPPORT)])
    if not may_connect:
        program.judge("connect", [refusal()])
        program.judge("sendto", if_address(4))
    if confinement.has_network and confinement.bind is not None:
        # Landlock sees no datagrams.
        program.judge("bind", [refusal()])
        program.judge("listen", [refusal()])
    elif has_ports and not confinement.has_network:
        program.judge("sendto", if_bits(3, MSG_FASTOPEN))
        program.judge("sendmsg", if_bits(2, MSG_FASTOPEN))
        program.judge("sendmmsg", if_bits(3, MSG_FASTOPEN))
        if not confinement.bind:
            program.judge("listen", [refusal()])  # it would take a port of the kernel's choice


def confine_calls(program: bytes) -> None:
    """Hold this thread, and all that it starts from now on, to a filter."""
    libc = ctypes.CDLL(None, use_errno=True)
    text = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: the number of instructions and their address.
    header = ctypes.create_string_buffer(
        struct.pack("@HP", len(program) // 8, ctypes.addressof(text))
    )
    change_thread(libc, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(header))


def refuse_privileges() -> None:
    """Let setuid programs give nothing to what this thread starts, and root only rights to files.

    Root that may not drop a capability of its bounding set keeps that one.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    # What starts would inherit these whatever the bounding set is; with them go the ambient ones.
    header = struct.pack("=Ii", CAPABILITY_VERSION, 0)
    sets = ctypes.create_string_buffer(CAPABILITY_SETS.size)
    if not libc.capget(header, sets):
        effective, permitted, _, upper_effective, upper_permitted, _ = CAPABILITY_SETS.unpack(sets)
        libc.capset(
            header,
            CAPABILITY_SETS.pack(effective, permitted, 0, upper_effective, upper_permitted, 0),
        )
    for capability in range(LAST_KEPT_CAPABILITY + 1, MAX_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    change_thread(libc, PR_SET_NO_NEW_PRIVS, 1)


def change_thread(libc: ctypes.CDLL, option: int, first: int, second: int = 0) -> None:
    """Call prctl; OSError if it fails."""
    words = [ctypes.c_ulong(word) for word in (first, second, 0, 0)]
    if libc.prctl(ctypes.c_int(option), *words):
        fault = ctypes.get_errno()
        raise OSError(fault, os.strerror(fault))
