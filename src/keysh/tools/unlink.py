"""unlink - remove one file."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1")
def unlink(sh: Call, file: Path) -> None:
    """Remove one file name.

    file  the file, which must not be a directory
    """
    try:
        sh.fs.remove(sh.path(file))
    except OSError as error:
        raise sh.fail(f"cannot unlink {quoted_name(file)}: {os_error_text(error)}") from None
