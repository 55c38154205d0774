"""External variables: `--arg`, `--argjson`, `--slurpfile`, `--rawfile` and `$ARGS`."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.library.text import fromjson
from keysh.tools.jq.values.reader import JqParseError, JsonReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.interp.state.call import Call
    from keysh.tools.jq.values.value import Value


USAGE_HINT = """Use jq --help for help with command-line options,
or see the jq manpage, or online docs  at https://jqlang.github.io/jq"""


def command_line_variables(sh: Call, operands: Sequence[str]) -> tuple[dict[str, Value], int]:
    """Return the variables that the options set, and the number of operands that are files.

    If a variable is set twice, the first value counts.
    """
    named: dict[str, Value] = {}
    groups: list[tuple[int, bool]] = []  # where each kind starts, whether JSON
    for option, option_value in sh.given:
        if option in VARIABLE_READERS:
            for name, text in option_value:
                if name not in named:
                    named[name] = VARIABLE_READERS[option](sh, name, text)
        elif option in ("args", "jsonargs"):
            groups.append((option_value, option == "jsonargs"))
    group_ends = [border for border, _ in groups[1:]] + [len(operands)]
    positional: list[Value] = []
    for (start, are_values), end in zip(groups, group_ends, strict=True) if groups else ():
        texts = operands[start:end]
        positional += [json_operand(sh, text) for text in texts] if are_values else texts
    count = groups[0][0] if groups else len(operands)
    return {**named, "ARGS": {"positional": positional, "named": named}}, count


def json_operand(sh: Call, text: str, option: str = "jsonargs") -> Value:
    """Parse an operand that is a JSON value."""
    try:
        return fromjson(text)
    except JqError:
        raise sh.fail(f"invalid JSON text passed to --{option}\n{USAGE_HINT}", 2) from None


def slurp_file(sh: Call, name: str, path: str) -> Value:
    """Read the JSON values of a file."""
    try:
        with sh.open_reader(path) as reader:
            return list(JsonReader(reader.chunks(), reserve=sh.reserve))
    except OSError as error:
        message = f"Could not open {path}: {os_error_text(error)}"
    except JqParseError as error:
        message = str(error)
    raise sh.fail(f"Bad JSON in --slurpfile {name} {path}: {message}", 2)


def read_raw_file(sh: Call, name: str, path: str) -> Value:
    """Read a file as a string."""
    try:
        with sh.open_reader(path) as reader:
            return reader.read_data().decode("utf-8", "replace")
    except OSError as error:
        message = f"Could not open {path}: {os_error_text(error)}"
    raise sh.fail(f"Bad JSON in --rawfile {name} {path}: {message}", 2)


VARIABLE_READERS: dict[str, Callable[[Call, str, str], Value]] = {
    "arg": lambda sh, name, text: text,
    "argjson": lambda sh, name, text: json_operand(sh, text, "argjson"),
    "slurpfile": slurp_file,
    "rawfile": read_raw_file,
}
