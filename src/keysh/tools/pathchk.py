"""pathchk - check whether file names are valid or portable."""

from __future__ import annotations

import errno
import re

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, command
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import locale_quoted_text, message_name, quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

MAX_NAME_BYTES, MAX_PATH_BYTES = 255, 4096  # on Linux; the path's end counts
PORTABLE_NAME_BYTES, PORTABLE_PATH_BYTES = 14, 256  # POSIX, <limits.h>
NONPORTABLE_CHARACTER = re.compile("[^A-Za-z0-9._/-]")


@command(compatible="GNU coreutils 9.1", style=OptionStyle(options_first=True))
def pathchk(
    sh: Call, *names: str, posix: bool = False, special: bool = False, portability: bool = False
) -> None:
    """Check whether file names are valid, or portable to other systems.

    names ...      the file names, which need not exist
    -p, --posix    check for most systems of POSIX: at most 14 bytes in each
                   component and 255 in all, of letters, digits, '.', '_' and '-'
    -P, --special  check for empty names and components that begin with '-'
    --portability  check for all of that
    """
    if not names:
        raise UsageFailure("missing operand")
    for name in names:
        if problem := name_problem(sh, name, posix or portability, special or portability):
            sh.warn(problem)


def name_problem(sh: Call, name: str, is_portable: bool, is_plain: bool) -> str:
    """Return what is wrong with a name; empty if nothing is."""
    if is_plain and (name.startswith("-") or "/-" in name):
        return f"leading '-' in a component of file name {quoted_name(name)}"
    if (is_portable or is_plain) and not name:
        return "empty file name"
    if is_portable and (found := NONPORTABLE_CHARACTER.search(name)):
        char = locale_quoted_text(found[0])
        return f"nonportable character {char} in file name {quoted_name(name)}"
    if not is_portable:
        try:
            sh.fs.stat(sh.path(name), follow=False)
            return ""
        except OSError as error:
            if error.errno != errno.ENOENT or not name:
                return (
                    f"{message_name(name) if name else quoted_name(name)}: {os_error_text(error)}"
                )
    name_limit = PORTABLE_NAME_BYTES if is_portable else MAX_NAME_BYTES
    path_limit = PORTABLE_PATH_BYTES if is_portable else MAX_PATH_BYTES
    length = len(bytes_of_text(name))
    if length >= path_limit:
        excess = f"limit {path_limit - 1} exceeded by length {length}"
        return f"{excess} of file name {quoted_name(name)}"
    for component in name.split("/"):
        length = len(bytes_of_text(component))
        if length > name_limit:
            excess = f"limit {name_limit} exceeded by length {length}"
            return f"{excess} of file name component {locale_quoted_text(component)}"
    return ""
