"""Kernel: what the kernel of this machine can hold of a confinement, and what not."""

from __future__ import annotations

import os

from keysh.process.confine.landlock import (
    ABI_IOCTL,
    ABI_REFER,
    ABI_SCOPES,
    ABI_TCP,
    ABI_TRUNCATE,
    MAX_ABI,
    kernel_abi,
)
from keysh.process.confine.system_calls import ARCHITECTURES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.confine.confinement import Confinement

SECCOMP_ACTIONS_FILE = "/proc/sys/kernel/seccomp/actions_avail"

# What each part holds: a word, then what a program can do where it is not held.
UNHELD_FILES = "files: programs use all files that the user may"
UNHELD_CALLS = "system calls: programs make all that the user may, sockets and ptrace included"
UNHELD_IOCTLS = "devices: programs control those that they can open"
UNHELD_SIGNALS = "signals: programs can signal all processes of the user"
UNHELD_SOCKETS = "abstract sockets: programs can connect to those of the machine"
UNHELD_PORTS = "ports: all TCP ports can be used"
UNHELD_ATTRIBUTES = "attributes: programs can change modes, owners and times of files outside"


class Kernel:
    """The parts of the kernel that hold programs. `landlock_abi` stands for an older one."""

    __slots__ = ("has_seccomp", "landlock_abi", "machine")

    def __init__(self, landlock_abi: int | None = None) -> None:
        abi = kernel_abi()
        self.landlock_abi = min(abi if landlock_abi is None else min(abi, landlock_abi), MAX_ABI)
        self.machine = os.uname().machine
        self.has_seccomp = self.machine in ARCHITECTURES and os.path.exists(SECCOMP_ACTIONS_FILE)

    def unheld_parts(self, confinement: Confinement) -> list[str]:
        """What a program could do although the confinement does not allow it."""
        abi = self.landlock_abi
        calls, ports = self.has_seccomp, any(confinement.ports) and not confinement.has_network
        # Without sockets that could connect, seccomp holds names and ports by itself.
        connects = confinement.has_network or ports
        facts = [
            (abi == 0, UNHELD_FILES),
            (not calls, UNHELD_CALLS),
            (0 < abi < ABI_TRUNCATE and not calls, "truncation: files can be cut by path"),
            (0 < abi < ABI_IOCTL, UNHELD_IOCTLS),
            (abi < ABI_SCOPES and not confinement.signals, UNHELD_SIGNALS),
            (
                abi < ABI_SCOPES and not confinement.abstract_sockets and connects and not calls,
                UNHELD_SOCKETS,
            ),
            (abi < ABI_TCP and ports, UNHELD_PORTS),
        ]
        return [fact for is_true, fact in facts if is_true]

    def report(self) -> list[tuple[bool, str]]:
        """What this machine can hold, a line for each part: whether it can, and what that is."""
        abi = self.landlock_abi
        return [
            (abi >= 1, f"files: only those that a program is allowed (Landlock ABI {abi})"),
            (abi >= ABI_REFER, "moves between directories that both are allowed (ABI 2)"),
            (abi >= ABI_TRUNCATE, "truncation by path (ABI 3)"),
            (abi >= ABI_TCP, "ports of TCP (ABI 4)"),
            (abi >= ABI_IOCTL, "control of devices (ABI 5)"),
            (abi >= ABI_SCOPES, "signals and abstract sockets (ABI 6)"),
            (self.has_seccomp, f"system calls and socket families (seccomp, {self.machine})"),
        ]
