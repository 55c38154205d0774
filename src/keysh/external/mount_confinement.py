"""What the mounts of a shell allow its programs, for a kernel that holds them to it.

/      LocalFS("/srv/app")                 write /srv/app, except /srv/app/etc
/etc   ReadOnlyFS(LocalFS("/srv/etc"))     read  /srv/etc
/mem   MemoryFS()                          nothing: no file of the machine
"""

from __future__ import annotations

import os

from keysh.process.confine.confinement import Confinement
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.synthetic.machine_dev import MachineDev

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.vfs.api import FileSystem
    from keysh.vfs.router import Router

TEMPORARY_DIRECTORY = "/tmp"


def confinement_of_mounts(state: State) -> Confinement:
    """What programs of a shell may reach: the files and the network that its scripts have."""
    read: list[str] = []
    write: list[str] = []
    deny: list[str] = []
    local = {point: machine_root(mounted) for point, mounted in state.fs.mounts.items()}
    for point, (root, is_writable) in local.items():
        if not root:
            continue
        (write if is_writable else read).append(root)
        below = point.rstrip("/") + "/"
        for other, (other_root, other_is_writable) in local.items():
            if other == point or not other.startswith(below):
                continue
            # What another mount hides. If it shows the same files, its own rule allows them again.
            hidden = os.path.join(root, other[len(below) :])
            is_same = bool(other_root) and os.path.realpath(hidden) == os.path.realpath(other_root)
            if os.path.lexists(hidden) and not (is_same and other_is_writable >= is_writable):
                deny.append(hidden)
    ports = None if state.session.network is True else ()
    network = Confinement(connect=ports, bind=ports)
    return network.with_paths(read, write, [*read, *write], deny)


def machine_root(mounted: FileSystem) -> tuple[str, bool]:
    """The directory of the machine that a mount shows, and whether it may be changed."""
    is_writable = True
    while isinstance(mounted, ReadOnlyFS):
        mounted, is_writable = mounted.inner, False
    if isinstance(mounted, MachineDev):
        return "/dev", is_writable
    if not isinstance(mounted, LocalFS):
        return "", False
    return mounted.real_path("/") or "", is_writable and not mounted.is_read_only


def open_machine_directory(fs: Router, path: str) -> int | None:
    """Open a directory for a program that the kernel holds; None if it is none of the machine."""
    mounted, inner = fs.locate(path)
    while isinstance(mounted, ReadOnlyFS):
        mounted = mounted.inner
    return mounted.open_directory(inner)


def has_temporary_directory(confinement: Confinement) -> bool:
    """Whether programs can make files where they look for a temporary directory."""
    real = os.path.realpath(TEMPORARY_DIRECTORY)
    return any(f"{real}/".startswith(root.rstrip("/") + "/") for root in confinement.write)
