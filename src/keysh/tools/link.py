"""link - create a hard link."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1")
def link(sh: Call, file: Path, name: Path) -> None:
    """Create a hard link to a file.

    file  the existing file
    name  the new name
    """
    try:
        sh.fs.link(sh.path(file), sh.path(name))
    except OSError as error:
        message = (
            f"cannot create link {quoted_name(name)} to {quoted_name(file)}: {os_error_text(error)}"
        )
        raise sh.fail(message) from None
