"""sync - make written data permanent."""

from __future__ import annotations

import errno

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.api import failure
from keysh.vfs.real_paths import is_access_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1")
def sync(sh: Call, *files: Path, data: bool = False, file_system: bool = False) -> None:
    """Check that files can be opened; written data is already permanent.

    files ...          the files
    -d, --data         ignored
    -f, --file-system  ignored
    """
    if data and file_system:
        raise sh.fail("cannot specify both --data and --file-system")
    if data and not files:
        raise sh.fail("--data needs at least one argument")
    for file in files:
        try:
            path = sh.path(file)
            stat = sh.fs.stat(path, follow=True)
            if not (
                is_access_allowed(sh.fs, path, stat, 4) or is_access_allowed(sh.fs, path, stat, 2)
            ):
                raise failure(errno.EACCES, path)
        except OSError as error:
            sh.warn(f"error opening {quoted_name(file)}: {os_error_text(error)}")
