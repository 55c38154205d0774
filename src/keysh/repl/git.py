"""The branch of the git repository that a directory is in, read from its files."""

from __future__ import annotations

from keysh.vfs.paths import join, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.router import Router

DEPTH = 64  # directories that are looked through
MOST = 4096  # bytes of a file
SHOWN = 7  # digits of a commit


def branch(fs: Router, folder: str) -> str:
    """The branch, or the beginning of the commit; empty outside of a repository."""
    for _ in range(DEPTH):
        head = first_line(fs, join(folder, ".git/HEAD"))
        if not head:
            link = first_line(fs, join(folder, ".git"))  # of a worktree or a submodule
            if link.startswith("gitdir: "):
                head = first_line(fs, join(join(folder, link[8:]), "HEAD"))
        if head:
            return head.removeprefix("ref: refs/heads/") if head[:5] == "ref: " else head[:SHOWN]
        if folder == "/":
            break
        folder = parent(folder)
    return ""


def first_line(fs: Router, path: str) -> str:
    """The first line of a small file; empty where there is none."""
    try:
        with fs.open(path) as stream:
            return stream.read(MOST).decode("utf-8", "replace").partition("\n")[0]
    except OSError:
        return ""
