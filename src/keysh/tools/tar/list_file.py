"""Read the files of -T and -X: lists of names or patterns, one a line."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.tools.tar.safe_names import fatal_error, shown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call


def list_lines(sh: Call, path: str, terminator: str, *, may_turn: bool = False) -> Iterator[str]:
    """Yield the lines of a list. With `may_turn`, a NUL switches to names that end with NUL."""
    try:
        reader = sh.stdin if path == "-" else sh.open_reader(path)
    except OSError as error:
        raise fatal_error(sh, f"{shown_name(path)}: Cannot stat: {os_error_text(error)}") from None
    try:
        while line := reader.read_line(terminator):
            if may_turn and terminator != "\0" and "\0" in line:
                message = f"{shown_name(path)}: file name read contains nul character"
                sh.note(message)
                reader.push_back(line)
                terminator = "\0"
                continue
            yield line.removesuffix(terminator)
    finally:
        if reader is not sh.stdin:
            reader.close()
