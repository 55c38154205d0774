"""Landlock: domains of the kernel that hold a thread, and what it starts, to some files and ports.

Sources: Documentation/userspace-api/landlock.rst, <linux/landlock.h>. Each ABI adds to the one
before: 2 moves between directories, 3 truncation, 4 TCP, 5 ioctl of devices, 6 scopes.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat as kinds
import struct

from keysh.process.confine.confinement import EXECUTE, READ, WRITE, confinement_refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.confine.confinement import Confinement

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on all architectures
ASK_VERSION = 1
RULE_PATH, RULE_PORT = 1, 2
MAX_ABI = 7  # newer ones are used as this one, which they contain

ABI_REFER, ABI_TRUNCATE, ABI_TCP, ABI_IOCTL, ABI_SCOPES = 2, 3, 4, 5, 6

RIGHT_EXECUTE, RIGHT_WRITE_FILE, RIGHT_READ_FILE, RIGHT_READ_DIRECTORY = 1, 2, 4, 8
RIGHTS_TO_CHANGE_DIRECTORIES = 0b1_0111_1011_0000  # all but making devices
RIGHTS_OF_ABI_1 = (1 << 13) - 1
RIGHT_REFER, RIGHT_TRUNCATE, RIGHT_IOCTL = 1 << 13, 1 << 14, 1 << 15
RIGHTS_OF_FILES = (
    RIGHT_EXECUTE | RIGHT_WRITE_FILE | RIGHT_READ_FILE | RIGHT_TRUNCATE | RIGHT_IOCTL
)  # the kernel refuses others for what is no directory
RIGHT_BIND, RIGHT_CONNECT = 1, 2
SCOPE_ABSTRACT_SOCKETS, SCOPE_SIGNALS = 1, 2


def kernel_abi() -> int:
    """The version of Landlock in this kernel; 0 if it has none."""
    if not os.path.exists("/proc/sys/kernel/seccomp"):  # not Linux, or one without filters
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, ASK_VERSION)))


def held_rights(abi: int) -> int:
    """The rights to files that an ABI can refuse."""
    rights = RIGHTS_OF_ABI_1
    for least, right in (
        (ABI_REFER, RIGHT_REFER), (ABI_TRUNCATE, RIGHT_TRUNCATE), (ABI_IOCTL, RIGHT_IOCTL),
    ):  # fmt: skip
        if abi >= least:
            rights |= right
    return rights


def rights_of(access: int) -> int:
    """The rights that a rule of a Confinement gives."""
    rights = 0
    if access & READ:
        rights |= RIGHT_READ_FILE | RIGHT_READ_DIRECTORY
    if access & WRITE:
        rights |= RIGHT_WRITE_FILE | RIGHTS_TO_CHANGE_DIRECTORIES
        rights |= RIGHT_REFER | RIGHT_TRUNCATE | RIGHT_IOCTL
    if access & EXECUTE:
        rights |= RIGHT_EXECUTE
    return rights


class Ruleset:
    """The rules of a domain, as a descriptor of the kernel."""

    __slots__ = ("_abi", "_held", "_libc", "fd")

    def __init__(self, confinement: Confinement, abi: int) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._abi, self._held = abi, held_rights(abi)
        ports = 0
        if abi >= ABI_TCP:
            ports |= 0 if confinement.bind is None else RIGHT_BIND
            ports |= 0 if confinement.connect is None else RIGHT_CONNECT
        scopes = 0
        if abi >= ABI_SCOPES:
            scopes |= 0 if confinement.abstract_sockets else SCOPE_ABSTRACT_SOCKETS
            scopes |= 0 if confinement.signals else SCOPE_SIGNALS
        # An older kernel does not know the later fields.
        fields = (self._held, ports, scopes)[: 1 if abi < ABI_TCP else 2 if abi < ABI_SCOPES else 3]
        attributes = struct.pack(f"={len(fields)}Q", *fields)
        self.fd = self._call(CREATE_RULESET, attributes, len(attributes), 0)
        try:
            for path, access in confinement.rules().items():
                self._allow_path(path, rights_of(access))
            if ports:
                for right, allowed in zip(
                    (RIGHT_BIND, RIGHT_CONNECT), confinement.ports, strict=True
                ):
                    for port in allowed:
                        self._add(RULE_PORT, struct.pack("=QQ", right, port))
        except BaseException:
            self.close()
            raise

    def restrict_thread(self) -> None:
        """Hold this thread, and all that it starts from now on."""
        self._call(RESTRICT_SELF, self.fd, 0)

    def close(self) -> None:
        os.close(self.fd)

    def _allow_path(self, path: str, rights: int) -> None:
        """Allow a real path. A program that may write above it could have put a link there."""
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError as error:
            raise confinement_refusal(path, f"cannot be allowed: {error.strerror}") from None
        try:
            opened = f"/proc/self/fd/{fd}"
            status = os.fstat(fd)
            if kinds.S_ISLNK(status.st_mode) or os.readlink(opened) != path:
                raise confinement_refusal(path, "cannot be allowed: it is a link now")
            if not kinds.S_ISDIR(status.st_mode):
                rights &= RIGHTS_OF_FILES
            self._add(RULE_PATH, struct.pack("=Qi", rights & self._held, fd))
        except OSError as error:
            if error.errno != errno.EBADFD:  # a file of the kernel's own, which is never refused
                raise
        finally:
            os.close(fd)

    def _add(self, kind: int, rule: bytes) -> None:
        self._call(ADD_RULE, self.fd, kind, rule, 0)

    def _call(self, number: int, *arguments: object) -> int:
        words = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
        result = int(self._libc.syscall(ctypes.c_long(number), *words))
        if result < 0:
            fault = ctypes.get_errno()
            raise OSError(fault, os.strerror(fault))
        return result
