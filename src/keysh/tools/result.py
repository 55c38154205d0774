"""result - the output of an earlier command of an agent's session, as a value."""

from __future__ import annotations

from stat import S_ISREG

from keysh.schema.declare import OutputStyle, command
from keysh.text.chunks import text_of_bytes
from keysh.values import value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.interp.state.call import Call
    from keysh.vfs.api import Entry

RESULT_DIRECTORY = "/v/results"
JSON_STARTS = ("{", "[")


@command(output=OutputStyle(value=True))
def result(sh: Call, number: int = -1) -> object:
    """Print the standard output of an earlier command; in `$(…)` it is a value.

    number  the number that the result of the command has; -1 is the last one,
            -2 the one before

    A list or a record in JSON is that value, anything else a text. Sessions of
    agents keep the last 100 results, as files in /v/results; a shell keeps none.
    """
    fs = sh.fs
    is_there = fs.stat_or_none(RESULT_DIRECTORY, follow=True) is not None
    entries = fs.list(RESULT_DIRECTORY) if is_there else ()
    numbers = result_numbers(entries)
    at = numbers[number] if number < 0 and -number <= len(numbers) else number
    if at not in numbers:
        kept = f"{numbers[0]} to {numbers[-1]} are kept" if numbers else "none is kept"
        raise sh.fail(f"there is no result {number}: {kept}")
    path = f"{RESULT_DIRECTORY}/{at}"
    size = fs.stat(path, follow=True).size
    sh.check_size(size)
    with fs.open(path) as stream:
        text = text_of_bytes(stream.read(size))
    if text.lstrip().startswith(JSON_STARTS):
        try:
            return value_of_json(text)
        except ValueError:
            return text.removesuffix("\n")
    return text.removesuffix("\n")


def result_numbers(entries: Iterable[Entry]) -> list[int]:
    """Return the numbers of the files that are named by one; a script may make others there."""
    names = (entry.name for entry in entries if S_ISREG(entry.kind) and entry.name.isdecimal())
    return sorted(int(name) for name in names if str(int(name)) == name)
