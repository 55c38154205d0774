"""mkfifo - create named pipes."""

from __future__ import annotations

from keysh.gnu.modes import changed_mode, parse_mode_changes
from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

DEFAULT_MODE = 0o666


@command(compatible="GNU coreutils 9.1", ignored="-Z")
def mkfifo(sh: Call, *names: Path, mode: str | None = None) -> None:
    """Create named pipes.

    names ...        the pipes to create (at least 1)
    -m, --mode MODE  their permissions, as for chmod, instead of rw-rw-rw- and the
                     umask

    In memory, and where scripts see the files of the machine, as in the program
    keysh. Directories that a host mounts have no pipes, unless it allows them.
    """
    permissions = DEFAULT_MODE & ~sh.umask
    if mode is not None:
        changes = parse_mode_changes(mode)
        if changes is None:
            raise sh.fail("invalid mode")
        permissions = changed_mode(DEFAULT_MODE, changes, sh.umask, is_directory=False)
        if permissions & ~0o777:
            raise sh.fail("mode must specify only file permission bits")
    for name in names:
        try:
            sh.fs.make_fifo(sh.path(name), permissions)
            if mode is not None:
                sh.fs.set_mode(sh.path(name), permissions)
        except OSError as error:
            sh.warn(f"cannot create fifo {quoted_name(name)}: {os_error_text(error)}")
