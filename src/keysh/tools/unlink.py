"""unlink - take one name of a file away."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command
def unlink(sh: Call, file: Path) -> None:
    """Take one name of a file away.

    file  the file, which is no directory
    """
    try:
        sh.fs.remove(sh.path(file))
    except OSError as error:
        raise sh.fail(f"cannot unlink {quoted_name(file)}: {os_error_text(error)}") from None
