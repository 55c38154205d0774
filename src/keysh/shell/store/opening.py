"""Open the store of a shell: its files become the root, its session becomes the state."""

from __future__ import annotations

from keysh.shell.host.host_files import FIRST_DIRECTORIES, mounts_of
from keysh.shell.lazy_files import existing_directory
from keysh.shell.store.session_store import SessionStore
from keysh.vfs.paths import join, normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from keysh.interp.run.limits import Limits
    from keysh.interp.state.state import State
    from keysh.shell.history.journal import Journal
    from keysh.shell.host.host_files import Contents, Files
    from keysh.shell.lazy_files import LazyFiles
    from keysh.vfs.api import FileSystem
    from keysh.vfs.sqlite.filesystem import SqliteFS


def open_store(path: str | os.PathLike[str], files: LazyFiles, limits: Limits) -> SessionStore:
    """Open a file and mount its files at the root of a shell that has not begun."""
    mounts = mounts_beside(files.source)
    store = SessionStore(path, mounts, limits, files.user.full, files.clock)
    files.source = {"/": store.files, **mounts}
    return store


def refuse_journal(journal: Journal | bool | None) -> None:
    """Raise ValueError for a journal that is not in the store."""
    if journal is False or getattr(journal, "directory", None) is not None:
        raise ValueError("the history of a store is in the store, so that it needs no directory")


def mounts_beside(source: Files | Callable[[], Files]) -> Mapping[str, FileSystem]:
    """Return the file systems that a host mounts beside a store."""
    if source is None:
        return {}
    if not hasattr(source, "keys"):
        raise TypeError(
            f"with a store, fs must be file systems by their mount points, but is {source!r:.60}"
        )
    mounts = mounts_of(source)
    if "/" in map(normal_path, mounts):
        raise ValueError("with a store, fs has no root of its own: what is at / is in the store")
    return mounts


def begin_session(
    store: SessionStore, state: State, files: LazyFiles, cwd: str, dialect: str | None
) -> None:
    """Give a new state what is in the store; make a session of it if there is none."""

    def prepare(is_first: bool) -> None:
        if is_first:
            make_first_directories(store.files)
        else:
            files.contents = files_outside(files.contents, store.mounts_beside)
        state.cwd = state.variables["PWD"] = existing_directory(files.router(), "/", cwd)

    store.open(state, dialect, prepare)
    files.contents = files_outside(files.contents, store.mounts_beside)


def make_first_directories(fs: SqliteFS) -> None:
    """Make the directories that every shell has, as far as a file of AgentFS lacks them."""
    names = {entry.name for entry in fs.list("/")}
    for name, mode in FIRST_DIRECTORIES.items():
        if name not in names:
            fs.make_directory(f"/{name}")
            fs.set_mode(f"/{name}", mode)


def files_outside(
    contents: Mapping[str, Contents] | None, mounts: Mapping[str, FileSystem]
) -> dict[str, Contents]:
    """Return the host's files that are not in the store, but in a file system beside it."""
    points = [f"{normal_path(point)}/" for point in mounts]
    return {
        path: content
        for path, content in (contents or {}).items()
        if normal_path(join("/", path)).startswith(tuple(points))
    }
