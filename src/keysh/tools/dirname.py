"""dirname - paths without their last component."""

from __future__ import annotations

from keysh.schema.declare import OutputStyle, command
from keysh.vfs.paths import without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call


@command(compatible="GNU coreutils 9.1", output=OutputStyle(lines=True))
def dirname(sh: Call, *names: str, zero: bool = False) -> Iterator[str]:
    """Print each path without its last component; `.` if it has only one.

    names ...   the paths (at least 1)
    -z, --zero  end each line with NUL, not with a newline
    """
    end = "\0" if zero else "\n"
    for path in names:
        above, slash, _ = without_slash(path).rpartition("/")
        yield (above.rstrip("/") or slash or ".") + end
