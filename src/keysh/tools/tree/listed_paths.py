"""Trees of paths that are read from a list (--fromfile), not from a file system."""

from __future__ import annotations

import stat as kinds

from keysh.text.chunks import bytes_of_text
from keysh.vfs.api import Stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LINK_ARROW = " -> "


class ListedPath:
    """A path of the list with its children, and its target if it is a link."""

    __slots__ = ("children", "is_directory", "target")

    def __init__(self) -> None:
        self.children: dict[str, ListedPath] = {}
        self.is_directory = False
        self.target: str | None = None

    @property
    def stat(self) -> Stat:
        """A status with the file type only."""
        kind = kinds.S_IFLNK if self.target is not None else kinds.S_IFREG
        return Stat(kinds.S_IFDIR if self.is_directory else kind)

    def entries(self) -> Iterator[tuple[str, ListedPath]]:
        """Return the children, sorted by name."""
        return iter(sorted(self.children.items(), key=lambda entry: bytes_of_text(entry[0])))


def parse_path_list(
    lines: Iterable[str], tick: Callable[[], object], *, has_links: bool
) -> ListedPath:
    """Build the tree for lines of paths; with links, ` -> ` precedes a target."""
    top = ListedPath()
    top.is_directory = True
    for line in lines:
        tick()
        path, target = line.removesuffix("\n"), None
        if has_links:
            path, arrow, target_text = path.partition(LINK_ARROW)
            target = target_text if arrow else None
        node = top
        for step in path.split("/"):
            if step:
                node.is_directory = True
                node = node.children.setdefault(step, ListedPath())
        if node is not top:
            node.is_directory = node.is_directory or path.endswith("/")
            node.target = node.target if target is None else target
    return top
