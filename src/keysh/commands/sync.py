"""sync - see that what was written is kept."""

from __future__ import annotations

from keysh.runtime.call import why
from keysh.runtime.quoting import quoted
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.schema.types import Path


@command
def sync(sh: Call, *files: Path, data: bool = False, file_system: bool = False) -> None:
    """See that what was written is kept: it always is, so this only looks if the files are there.

    files ...          the files
    -d, --data         ignored
    -f, --file-system  ignored
    """
    for file in files:
        try:
            sh.fs.stat(sh.path(file), follow=True)
        except OSError as error:
            sh.warn(f"error opening {quoted(file)}: {why(error)}")
