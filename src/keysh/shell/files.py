"""Tree: the files of a shell, as its host gives them."""

from __future__ import annotations

from keysh.vfs.api import FileSystem
from keysh.vfs.dev import DevFS
from keysh.vfs.paths import join
from keysh.vfs.router import Router

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from keysh.interp.run.limits import Limits
    from keysh.vfs.api import Stream
    from keysh.vfs.memory.quota import Full

    Contents: TypeAlias = str | bytes | Callable[[], str | bytes]
    Files: TypeAlias = FileSystem | Mapping[str, FileSystem] | None


EVERYBODYS = 0o1777  # all may write, and take away what is theirs, as on any machine


def file_system(
    given: Files | Callable[[], Files],
    files: Mapping[str, Contents] | None,
    limits: Limits,
    streams: Callable[[int], Stream | None],
    full: Full,
) -> Router:
    """The tree of a shell: what is given, or memory; /dev; and files put into it."""
    if callable(given):
        given = given()
    if isinstance(given, Router):
        router = given
    elif given is None:
        router = Router(memory(limits, full))
    else:
        mounts = mounts_of(given)
        if "/" not in mounts:
            mounts["/"] = memory(limits, full)
        router = Router(mounts)
    devices = router.mounts.get("/dev")
    if devices is None:
        router.mount("/dev", DevFS(streams))
    else:
        from keysh.vfs.machine_dev import MachineDev  # noqa: PLC0415 - only the program has one

        if isinstance(devices, MachineDev):
            devices.connect(streams)
    for path, content in (files or {}).items():
        put_file(router, join("/", path), content)
    return router


def mounts_of(given: FileSystem | Mapping[str, FileSystem]) -> dict[str, FileSystem]:
    """By where they are mounted; raises TypeError for what is no file system."""
    mounts = {"/": given} if not hasattr(given, "keys") else dict(given)  # type: ignore[arg-type]
    for place, fs in mounts.items():
        if not isinstance(fs, FileSystem):
            raise TypeError(
                f"what is mounted at {place} must be a FileSystem, but is {fs!r}; "
                "a LocalFS shows a directory of the machine"
            )
    return mounts


def memory(limits: Limits, full: Full) -> FileSystem:
    """A tree in memory with nothing but `/tmp`, for as much as the limits allow."""
    from keysh.vfs.memory.filesystem import MemoryFS  # noqa: PLC0415 - a shell of the machine's files has none

    made = MemoryFS(max_bytes=limits.file_bytes, max_files=limits.files, full=full)
    made.make_directory("/tmp", EVERYBODYS)
    return made


def put_file(router: Router, path: str, content: Contents) -> None:
    """Make a file and the directories above it."""
    from keysh.vfs.transfer import missing_parents  # noqa: PLC0415 - most shells get no files

    for directory in missing_parents(router, path):
        router.make_directory(directory, EVERYBODYS if directory == "/tmp" else 0o755)
    if callable(content):
        content = content()
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    with router.open(path, "w", 0o644) as stream:
        stream.write(data)
