"""Worker confinement: what the kernel lets this process do besides computing.

It reads Python and the libraries of the system, and what its own limits are measured by. It writes
no file, starts no program and no process, and has no socket but those that it has got. What a
script may reach beyond that, the host does for it.
"""

from __future__ import annotations

import os
import sys
from ctypes import CDLL

from keysh.process.confine.confinement import Confinement
from keysh.process.confine.kernel import Kernel
from keysh.process.confine.seccomp import (
    FilterProgram,
    confine_calls,
    unless_bits,
)
from keysh.process.confine.system_calls import ARCHITECTURES, JUDGED_CALLS
from keysh.process.confine.thread_restriction import ThreadRestriction
from keysh.process.memory_use import STATM_PATH

READABLE_PATHS = (
    "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/usr/share/zoneinfo",
    "/etc/localtime", "/etc/ld.so.cache", "/dev/null", "/dev/urandom", STATM_PATH,
)  # fmt: skip
LINKS = ("pages", "syntax/keysh.lark")  # in the package of a checkout, to what is beside it
PACKAGE_FOLDERS = ("site-packages", "dist-packages")  # where Python keeps what was installed
CLONE_THREAD = 0x1_0000  # a thread of this process, not a process
# Calls that start processes and programs, by the columns of ARCHITECTURES.
STARTING_CALLS = {
    "fork": (57, -1), "vfork": (58, -1), "execve": (59, 221), "execveat": (322, 281),
}  # fmt: skip


def confine_worker() -> None:
    """Give up what a worker does not need, as far as this kernel can hold it; once and for all."""
    if not hasattr(CDLL(None), "prctl"):  # no Linux
        return
    kernel = Kernel()
    # Other places of the host's search path may be its own: its program, and what lies beside that.
    packages = [path for path in sys.path if os.path.basename(path) in PACKAGE_FOLDERS]
    library, own = os.path.dirname(os.__file__), sys.modules["keysh"].__path__[0]
    sys.path[:] = [path for path in sys.path if is_below(path, library) or path in packages]
    links = [os.path.join(own, name) for name in LINKS]
    readable = {*READABLE_PATHS, *packages, library, own, *links}
    present = [path for path in sorted(readable) if path != "/" and os.path.exists(path)]
    confinement = Confinement(read=present, system=False)
    with ThreadRestriction(confinement, kernel) as restriction:  # of the only thread so far
        restriction.apply()
    if kernel.has_seccomp:
        confine_calls(starting_filter(kernel.machine))


def is_below(path: str, folder: str) -> bool:
    """Whether a path is a folder, or below it."""
    return f"{path}/".startswith(f"{folder}/")


def starting_filter(machine: str) -> bytes:
    """Return the filter that refuses processes and programs, and further sockets."""
    program = FilterProgram(*ARCHITECTURES[machine])
    program.refuse(STARTING_CALLS)
    program.refuse({name: JUDGED_CALLS[name] for name in ("socket", "socketpair")})
    program.judge("clone", unless_bits(0, CLONE_THREAD))
    return program.text()
