"""Listed: the files that lines of paths name, as a directory that may be nowhere."""

from __future__ import annotations

import stat as kinds

from keysh.text.chunks import encoded
from keysh.vfs.api import Stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ARROW = " -> "


class Listed:
    """A file: those in it by their names, and where it leads to where it is a link."""

    __slots__ = ("inside", "is_folder", "target")

    def __init__(self) -> None:
        self.inside: dict[str, Listed] = {}
        self.is_folder = False
        self.target: str | None = None

    @property
    def stat(self) -> Stat:
        """What is known of it: its kind."""
        kind = kinds.S_IFLNK if self.target is not None else kinds.S_IFREG
        return Stat(kinds.S_IFDIR if self.is_folder else kind)

    def entries(self) -> Iterator[tuple[str, Listed]]:
        """What is in it, by names."""
        return iter(sorted(self.inside.items(), key=lambda entry: encoded(entry[0])))


def listed(lines: Iterable[str], tick: Callable[[], object], *, has_links: bool) -> Listed:
    """The directory that lines tell; with links, ` -> ` stands before where one leads to."""
    top = Listed()
    top.is_folder = True
    for line in lines:
        tick()
        path, target = line.removesuffix("\n"), None
        if has_links:
            path, arrow, behind = path.partition(ARROW)
            target = behind if arrow else None
        at = top
        for step in path.split("/"):
            if step:
                at.is_folder = True
                at = at.inside.setdefault(step, Listed())
        if at is not top:
            at.is_folder = at.is_folder or path.endswith("/")
            at.target = at.target if target is None else target
    return top
