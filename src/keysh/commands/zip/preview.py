"""Preview: what -sf tells of the members that a call would deal with, without doing it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CONTAINS, WOULD_ADD, WOULD_DELETE = "Archive contains:", "Would Add/Update:", "Would Delete:"


def preview(heading: str, members: Iterable[tuple[str, int]]) -> Iterator[str]:
    """The lines for members and their sizes."""
    yield f"{heading}\n"
    count = total = 0
    for name, size in members:
        yield f"  {name}\n"
        count += 1
        total += size
    yield f"Total {count} entries ({total} bytes)\n"
