"""The filter of system calls, judged by a machine of packet filters as the kernel has it."""

from __future__ import annotations

import errno
import struct

import pytest

from keysh import Confinement
from keysh.process.confine.seccomp import filter_program
from keysh.process.confine.system_calls import (
    ARCHITECTURES,
    ATTRIBUTE_CALLS,
    EXTENDED_ATTRIBUTE_CALLS,
    JUDGED_CALLS,
    REFUSED_CALLS,
)

pytestmark = pytest.mark.quick

ALLOWED, KILLED = "allowed", "killed"
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET = 1, 2, 10, 16, 17
STREAM, DATAGRAM, RAW, SEQPACKET = 1, 2, 3, 5
CLOEXEC = 0o2000000
# Calls of every program: read, write, openat, execve, exit_group, mmap.
PLAIN_CALLS = {"x86_64": (0, 1, 257, 59, 231, 9), "aarch64": (63, 64, 56, 221, 94, 222)}


def verdict(program: bytes, number: int, *arguments: int, architecture: int) -> object:
    """Return what a filter answers: allowed, killed or the name of an errno."""
    words = [argument & (1 << 64) - 1 for argument in (*arguments, *[0] * 6)[:6]]
    data = struct.pack("=IIQ6Q", number, architecture, 0, *words)
    instructions = list(struct.iter_unpack("=HBBI", program))
    place = accumulator = 0
    while True:
        code, when_true, when_false, value = instructions[place]
        place += 1
        if code == 0x20:
            [accumulator] = struct.unpack_from("=I", data, value)
        elif code == 0x54:
            accumulator &= value
        elif code == 0x06:
            if value == 0x7FFF_0000:
                return ALLOWED
            return KILLED if value == 0x8000_0000 else errno.errorcode[value & 0xFFFF]
        else:
            is_true = {
                0x15: accumulator == value, 0x25: accumulator > value, 0x45: accumulator & value,
            }[code]  # fmt: skip
            place += when_true if is_true else when_false


@pytest.fixture(params=sorted(ARCHITECTURES))
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Filter:
    """The filter of a confinement on a machine, asked by the names of calls."""

    def __init__(
        self, machine: str, *, truncates: bool = True, extended: bool = True,
        **options: object,
    ) -> None:  # fmt: skip
        confinement = Confinement(**options)  # type: ignore[arg-type]
        confinement.extended_attributes &= extended
        self._program = filter_program(confinement, machine, holds_truncation=truncates)
        self.architecture, self._column = ARCHITECTURES[machine]
        self.calls = {
            **REFUSED_CALLS, **ATTRIBUTE_CALLS, **EXTENDED_ATTRIBUTE_CALLS, **JUDGED_CALLS,
        }  # fmt: skip

    def number(self, number: int, *arguments: int) -> object:
        return verdict(self._program, number, *arguments, architecture=self.architecture)

    def call(self, name: str, *arguments: int) -> object:
        return self.number(self.calls[name][self._column], *arguments)

    def numbers(self, calls: dict[str, tuple[int, int]]) -> list[int]:
        return [row[self._column] for row in calls.values() if row[self._column] >= 0]


def test_plain_calls_pass_and_listed_ones_do_not(machine: str) -> None:
    one = Filter(machine)
    assert {one.number(number) for number in PLAIN_CALLS[machine]} == {ALLOWED}
    assert {one.number(number) for number in one.numbers(REFUSED_CALLS)} == {"EPERM"}
    every = {**ATTRIBUTE_CALLS, **EXTENDED_ATTRIBUTE_CALLS}
    assert {one.number(number) for number in one.numbers(every)} == {"EPERM"}
    free = Filter(machine, attributes=True)
    assert {free.number(number) for number in free.numbers(every)} == {ALLOWED}
    assert free.call("ioctl", 0, 0x4008_6602) == ALLOWED
    common = Filter(machine, attributes=True, extended=False)
    assert {common.number(number) for number in common.numbers(ATTRIBUTE_CALLS)} == {ALLOWED}
    extended = {common.number(number) for number in common.numbers(EXTENDED_ATTRIBUTE_CALLS)}
    assert extended == {"ENOTSUP"}
    assert common.call("ioctl", 0, 0x4008_6602) == "EPERM"


def test_other_architectures_and_unknown_calls(machine: str) -> None:
    one = Filter(machine)
    assert {one.number(number) for number in (470, 5000, 0x4000_0000, 0xFFFF_FFFF)} == {"ENOSYS"}
    program = filter_program(Confinement(), machine, holds_truncation=True)
    assert verdict(program, 0, architecture=0x4000_0003) == KILLED  # i386


def test_no_number_stands_twice(machine: str) -> None:
    one = Filter(machine)
    numbers = [number for number in one.numbers(one.calls) if number >= 0]
    assert len(numbers) == len(set(numbers))


def test_judged_calls(machine: str) -> None:
    one = Filter(machine)
    assert one.call("clone3") == "ENOSYS"
    assert one.call("clone", 17) == ALLOWED
    assert one.call("clone", 0x0001_0F00 | 0x80) == ALLOWED  # a thread
    for namespace in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert one.call("clone", namespace | 17) == "EPERM", hex(namespace)
    assert one.call("memfd_create", 0, 1) == "EPERM"
    assert one.call("memfd_create", 0, 9) == ALLOWED
    assert one.call("ioctl", 0, 0x5401) == ALLOWED  # TCGETS
    assert one.call("ioctl", 0, 0x5412) == "EPERM"
    assert one.call("ioctl", 0, 0x5412 | 1 << 32) == "EPERM"  # the kernel reads 32 bits
    assert one.call("ioctl", 0, 0x40086602) == "EPERM"
    for name in ("prlimit64", "sched_setaffinity", "sched_setscheduler"):
        assert (one.call(name, 0), one.call(name, 1)) == (ALLOWED, "EPERM")
    assert one.call("setpriority", 0, 0, 5) == ALLOWED
    assert (one.call("setpriority", 0, 9), one.call("setpriority", 2, 0)) == ("EPERM", "EPERM")
    assert (one.call("ioprio_set", 1, 0), one.call("ioprio_set", 3, 0)) == (ALLOWED, "EPERM")
    assert one.call("truncate") == ALLOWED


def test_truncation_that_landlock_does_not_see(machine: str) -> None:
    new, old = Filter(machine), Filter(machine, truncates=False)
    assert (old.call("truncate"), old.call("openat2")) == ("EPERM", "ENOSYS")
    for flags, answer in (
        (0o1000, "EPERM"), (0o1003, "EPERM"), (0o2001000, "EPERM"), (0o1000 | 1 << 32, "EPERM"),
        (0, ALLOWED), (0o3, ALLOWED), (0o1101, ALLOWED), (0o1002, ALLOWED), (0o2000000, ALLOWED),
    ):  # fmt: skip
        assert old.call("openat", 5, 9, flags) == answer, oct(flags)
        assert new.call("openat", 5, 9, flags) == ALLOWED
        if machine == "x86_64":
            assert old.call("open", 9, flags) == answer, oct(flags)


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({}, {(AF_UNIX, STREAM), (AF_UNIX, SEQPACKET)}),
        (
            {"abstract_sockets": True},
            {(AF_UNIX, STREAM), (AF_UNIX, SEQPACKET), (AF_UNIX, DATAGRAM)},
        ),
        ({"connect": [443]}, {(AF_INET, STREAM), (AF_INET6, STREAM)}),
        ({"bind": [80]}, {(AF_INET, STREAM), (AF_INET6, STREAM)}),
        (
            {"connect": None},
            {(family, kind) for family in (AF_INET, AF_INET6) for kind in (STREAM, DATAGRAM)}
            | {(AF_NETLINK, DATAGRAM), (AF_NETLINK, RAW)},
        ),
    ],
)
def test_sockets(machine: str, options: dict[str, object], allowed: set[tuple[int, int]]) -> None:
    one = Filter(machine, **options)
    answers = {
        (family, kind): one.call("socket", family, kind | CLOEXEC)
        for family in range(46) for kind in (STREAM, DATAGRAM, RAW, SEQPACKET)
    }  # fmt: skip
    assert {key for key, answer in answers.items() if answer == ALLOWED} == allowed
    assert one.call("socketpair", AF_UNIX, STREAM) == ALLOWED
    assert one.call("socketpair", AF_INET, STREAM) == "EAFNOSUPPORT"
    assert (one.call("connect") == ALLOWED) == bool(options)


def test_protocols_that_landlock_does_not_see(machine: str) -> None:
    one = Filter(machine, connect=[443])
    assert one.call("socket", AF_INET, STREAM, 6) == ALLOWED
    for protocol in (132, 262):  # SCTP, MPTCP
        assert one.call("socket", AF_INET, STREAM, protocol) == "EPROTONOSUPPORT"
    fast = 0x2000_0000
    assert (one.call("sendto", 3, 0, 0, fast), one.call("sendto", 3)) == ("EPERM", ALLOWED)
    assert (one.call("sendmsg", 3, 0, fast), one.call("sendmsg", 3)) == ("EPERM", ALLOWED)
    assert (one.call("sendmmsg", 3, 0, 1, fast), one.call("listen", 3)) == ("EPERM", "EPERM")
    assert Filter(machine, connect=[443], bind=[80]).call("listen", 3) == ALLOWED
    assert Filter(machine, connect=None).call("socket", AF_NETLINK, RAW, 15) == "EPROTONOSUPPORT"


def test_network_that_only_reaches_others(machine: str) -> None:
    reaching, all_of_it = Filter(machine, connect=None), Filter(machine, connect=None, bind=None)
    for name in ("bind", "listen"):
        assert (reaching.call(name, 3), all_of_it.call(name, 3)) == ("EPERM", ALLOWED)
    assert reaching.call("connect", 3) == all_of_it.call("connect", 3) == ALLOWED


def test_address_in_a_send_is_refused_where_nothing_may_connect(machine: str) -> None:
    one = Filter(machine)
    assert one.call("sendto", 3, 1, 1, 0, 0) == ALLOWED
    assert one.call("sendto", 3, 1, 1, 0, 0x7FFF_0000) == "EPERM"
    assert one.call("sendto", 3, 1, 1, 0, 1 << 33) == "EPERM"
