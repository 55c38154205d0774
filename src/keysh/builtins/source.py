"""source - run a file in this shell."""

from __future__ import annotations

import errno

from keysh.interp.engine.scripts import source_text
from keysh.interp.state.call import os_error_text
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import words_for_function
from keysh.schema.declare import Refusals, command
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Raw


@command(refusals=Refusals(usage_status=2))
def source(sh: Call, file: Path, /, *words: Raw) -> int:
    """Run a file in this shell, so that its variables and functions stay.

    file       the script; a name without a slash is searched for on $PATH first
    words ...  its arguments (default: the current ones)
    """
    state = state_of(sh)
    path = find_source(sh, file)
    try:
        with sh.open_reader(path) as reader:
            text = reader.read()
    except IsADirectoryError:
        raise sh.fail(f"{file}: is a directory") from None
    except OSError as error:
        sh.complain(f"{file}: {os_error_text(error)}")
        return 1
    line = 0 if state.site is None else state.site.line
    return source_text(state, path, text, words_for_function(words), line)


def find_source(sh: Call, file: str) -> str:
    """Return the path of a script, searched for on $PATH."""
    if "/" not in file:
        for folder in text_of(state_of(sh).variables.get("PATH")).split(":"):
            path = join(folder, file) if folder else file
            if is_file(sh, path):
                return path
    return file


def is_file(sh: Call, path: str) -> bool:
    """Whether a path exists and is not a directory."""
    try:
        return not sh.fs.stat(sh.path(path), follow=True).is_directory
    except OSError as error:
        return error.errno not in (errno.ENOENT, errno.ENOTDIR)
