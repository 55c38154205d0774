"""Build the file system of a shell from what its host passes as `fs` and `files`."""

from __future__ import annotations

from os import PathLike, fsdecode

from keysh.diagnostics.exceptions import refuse
from keysh.interp.state.tool_file import PROGRAM_DIRECTORIES
from keysh.vfs.api import FileSystem
from keysh.vfs.paths import join, normal_path
from keysh.vfs.router import Router
from keysh.vfs.synthetic.dev import DevFS
from keysh.vfs.synthetic.program_files import ProgramFilesFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol, TypeAlias

    from keysh.interp.run.limits import Limits
    from keysh.vfs.memory.quota import Full
    from keysh.vfs.stream import Stream

    class FileUser(Protocol):
        """What /dev and the quota of the memory file system ask about a shell."""

        @property
        def full(self) -> Full: ...
        def stream(self, number: int) -> Stream | None: ...
        def random_bytes(self, size: int) -> bytes: ...

    Names: TypeAlias = Callable[[], Iterable[str]]
    Clock: TypeAlias = Callable[[], int]  # nanoseconds since 1970

    Contents: TypeAlias = str | bytes | Callable[[], str | bytes]
    Files: TypeAlias = FileSystem | Mapping[str, FileSystem] | None


SHARED_DIRECTORY_MODE = 0o1777  # anyone may write, and remove only their own files
FIRST_DIRECTORIES_WITHOUT_USR = {"tmp": SHARED_DIRECTORY_MODE}
# Around the mount point /usr/bin scripts may make others.
FIRST_DIRECTORIES = {**FIRST_DIRECTORIES_WITHOUT_USR, "usr": 0o777}


def file_system(
    source: Files | Callable[[], Files],
    files: Mapping[str, Contents] | None,
    limits: Limits,
    user: FileUser,
    program_names: Names | None,
    clock: Clock | None,
) -> Router:
    """Return a router: the host's file systems or memory, /dev, and the host's files in it.

    The commands that `program_names` returns are files in /usr/bin and /bin, except where the host
    has a directory of that name. `clock` gives files in memory their times, by default the
    machine's.
    """
    if callable(source):
        source = source()
    if isinstance(source, Router):
        router = source
    elif source is None:
        mounts = {"/": memory_files(limits, user.full, clock, has_usr=program_names is not None)}
        mounts["/dev"] = DevFS(user.stream, random=user.random_bytes)
        if program_names is not None and not any(map(is_program_file, files or ())):
            mounts |= dict.fromkeys(PROGRAM_DIRECTORIES, ProgramFilesFS(program_names))
            program_names = None  # nothing else can be there: half the work of the general way
        router = Router(mounts)
    else:
        mounts = mounts_of(source)
        if "/" not in mounts:
            mounts["/"] = memory_files(limits, user.full, clock, has_usr=program_names is not None)
        router = Router(mounts)
    devices = router.mounts.get("/dev")
    if devices is None:
        router.mount("/dev", DevFS(user.stream, random=user.random_bytes))
    elif source is not None:
        from keysh.vfs.synthetic.machine_dev import MachineDev  # noqa: PLC0415 - only the command line has one

        if isinstance(devices, MachineDev):
            devices.connect(user.stream)
    for path, content in (files or {}).items():
        put_file(router, join("/", path), content)
    if program_names is not None:
        mount_programs(router, program_names)
    return router


def mount_programs(router: Router, names: Names) -> None:
    """Mount the commands as files, where nothing else is."""
    missing = [path for path in PROGRAM_DIRECTORIES if router.stat_or_none(path) is None]
    if missing:
        programs = ProgramFilesFS(names)
        for path in missing:
            router.mount(path, programs)


def is_program_file(path: str) -> bool:
    """Whether a path of the host's files may lie in a directory of programs."""
    whole = normal_path(join("/", path))
    return any(whole.startswith(f"{directory}/") for directory in PROGRAM_DIRECTORIES)


def mounts_of(source: Any) -> dict[str, FileSystem]:
    """Return the file systems by mount point; raise TypeError for other values."""
    mounts: dict[Any, Any] = dict(source) if hasattr(source, "keys") else {"/": source}
    for mount_point, fs in mounts.items():
        if not isinstance(mount_point, str) or not mount_point.startswith("/"):
            refuse("a mount point in fs", "a path such as '/data'", mount_point)
        if not isinstance(fs, FileSystem):
            is_path = isinstance(fs, str | bytes | PathLike)
            directory = repr(fsdecode(fs)) if is_path else "'directory'"
            what = f"what is mounted at {mount_point}"
            refuse(what, "a FileSystem", fs, f"keysh.LocalFS({directory})")
    return mounts


def memory_files(limits: Limits, full: Full, clock: Clock | None, *, has_usr: bool) -> FileSystem:
    """Return a memory file system that has only `/tmp`, with the quota of the limits."""
    from keysh.vfs.memory.filesystem import MemoryFS  # noqa: PLC0415 - a shell on the machine's files has none

    memory = MemoryFS(max_bytes=limits.file_bytes, max_files=limits.files, clock=clock, full=full)
    memory.make_first_directories(FIRST_DIRECTORIES if has_usr else FIRST_DIRECTORIES_WITHOUT_USR)
    return memory


def put_file(router: Router, path: str, content: Contents) -> None:
    """Write a file, and create its parent directories."""
    from keysh.vfs.transfer import missing_parents  # noqa: PLC0415 - most shells get no files

    for directory in missing_parents(router, path):
        router.make_directory(directory, SHARED_DIRECTORY_MODE if directory == "/tmp" else 0o755)
    if callable(content):
        content = content()
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    with router.open(path, "w", 0o644) as stream:
        stream.write(data)
