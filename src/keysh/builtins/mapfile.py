"""mapfile - read lines into an array."""

from __future__ import annotations

from keysh.interp.builtin_operations.number_operand import parse_number
from keysh.interp.builtin_operations.read_line import descriptor_reader
from keysh.interp.engine.scripts import evaluate_text
from keysh.interp.state.attributes import as_array
from keysh.interp.state.state_of_call import invalid_identifier, state_of
from keysh.interp.variables.value_paths import write_path
from keysh.schema.declare import Refusals, command
from keysh.text.chunks import utf8_bytes, whole_lines
from keysh.text.shell_quoting import quoted_text
from keysh.values import ShellList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Reader

CALLBACK_LINES = 5000  # default of -c


@command(refusals=Refusals(usage_status=2))
def mapfile(
    sh: Call,
    array: str = "MAPFILE",
    *,
    delimiter: str = "\n",
    count: str = "0",
    origin: str | None = None,
    skip: str = "0",
    trim: bool = False,
    descriptor: int = 0,
    callback: str | None = None,
    quantum: str = str(CALLBACK_LINES),
) -> None:
    """Read lines of standard input into an array.

    array                 the variable
    -d, --delimiter CHAR  the line terminator; empty for NUL
    -n, --count NUM       read at most NUM lines; 0 means all
    -O, --origin NUM      start at index NUM and keep the other elements
    -s, --skip NUM        discard the first NUM lines
    -t, --trim            remove the terminators
    -u, --descriptor FD   read from descriptor FD
    -C, --callback CODE   run CODE with the index and the line, every -c lines
    -c, --quantum NUM     number of lines between two calls of CODE
    """
    state = state_of(sh)
    if not array.isidentifier():
        raise invalid_identifier(sh, array)
    if isinstance(state.own_value(array), dict):
        raise sh.fail(f"{array}: not an indexed array")
    reader = descriptor_reader(sh, state, descriptor)
    terminator = delimiter[:1] or "\0"
    trim = trim or terminator == "\0"  # in bash strings end at NUL, so scripts omit -t
    max_lines, first = (
        parse_count(sh, count, "invalid line count"),
        parse_count(sh, skip, "invalid line count"),
    )
    index = 0 if origin is None else parse_count(sh, origin, "invalid array origin")
    turn = parse_count(sh, quantum, "invalid callback quantum") if callback is not None else 0
    if callback is not None and not turn:
        raise sh.fail(f"{quantum}: invalid callback quantum")
    bounded = sh.bounded_reader(reader)
    for _ in range(first):
        if not bounded.read_line(terminator):
            break
        sh.tick()
    if callback is None and not max_lines:
        lines = all_lines(sh, state, bounded, terminator, trim)
    else:
        lines = some_lines(sh, state, bounded, terminator, trim, max_lines)
    kept = state.own_value(array) if origin is not None else None
    elements = kept if isinstance(kept, ShellList) else as_array(kept)
    if not elements and not index and callback is None:
        elements.extend(lines)
        state.assign(array, elements)
        return
    state.assign(array, elements)
    for number, line in enumerate(lines, 1):
        if turn and number % turn == 0:
            evaluate_text(state, f"{callback} {index} {quoted_text(line)}", "mapfile")
        write_path(state, array, [index], line)
        index += 1


def parse_count(sh: Call, text: str, message: str) -> int:
    """Parse a number that is not negative."""
    number = parse_number(text)
    if number is None or number < 0:
        raise sh.fail(f"{text}: {message}")
    return number


def all_lines(sh: Call, state: State, reader: Reader, terminator: str, trim: bool) -> list[str]:
    """Read all lines at once."""
    lines: list[str] = []
    size = 0
    for text in whole_lines(reader.chunks(), sh.check_size, terminator):
        size += utf8_bytes(text)
        state.check_size(size)
        *whole, last = text.split(terminator)
        lines.extend(whole if trim else [line + terminator for line in whole])
        if last:
            lines.append(last)
        state.check_elements(len(lines))
    return lines


def some_lines(
    sh: Call, state: State, reader: Reader, terminator: str, trim: bool, max_lines: int
) -> list[str]:
    """Read at most `max_lines` lines; 0 means all."""
    lines: list[str] = []
    size = 0
    while not max_lines or len(lines) < max_lines:
        sh.tick()
        line = reader.read_line(terminator)
        if not line:
            break
        size += utf8_bytes(line)
        state.check_size(size)
        state.check_elements(len(lines))
        lines.append(line.removesuffix(terminator) if trim else line)
    return lines
