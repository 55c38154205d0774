"""Variables from outside: `--arg`, `--argjson`, `--slurpfile`, `--rawfile` and `$ARGS`."""

from __future__ import annotations

from keysh.commands.jq.failure import JqError
from keysh.commands.jq.reader import Documents, JqParseError
from keysh.commands.jq.text import fromjson
from keysh.runtime.call import why
from keysh.text.lines import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.commands.jq.value import Value
    from keysh.runtime.call import Call


def variables_of(sh: Call, operands: Sequence[str], *, are_values: bool) -> dict[str, Value]:
    """The variables that the options set; of two with one name the first counts."""
    named: dict[str, Value] = {}
    for option, pairs in sh.given:
        if option in READERS:
            for name, text in pairs:
                named.setdefault(name, READERS[option](sh, name, text))
    positional = [value_of(sh, text) for text in operands] if are_values else [*operands]
    return {**named, "ARGS": {"positional": positional, "named": named}}


def value_of(sh: Call, text: str, option: str = "jsonargs") -> Value:
    """The value that an operand is the JSON of."""
    try:
        return fromjson(text)
    except JqError:
        raise sh.fail(f"invalid JSON text passed to --{option}", 2) from None


def slurped(sh: Call, name: str, path: str) -> Value:
    """The values in a file."""
    try:
        with sh.open(path) as stream:
            return list(Documents(decoded(stream.read)))
    except OSError as error:
        message = f"Could not open {path}: {why(error)}"
    except JqParseError as error:
        message = str(error)
    raise sh.fail(f"Bad JSON in --slurpfile {name} {path}: {message}", 2)


def raw(sh: Call, name: str, path: str) -> Value:
    """The text of a file."""
    try:
        with sh.open(path) as stream:
            return stream.read().decode("utf-8", "replace")
    except OSError as error:
        message = f"Could not open {path}: {why(error)}"
    raise sh.fail(f"Bad JSON in --rawfile {name} {path}: {message}", 2)


READERS: dict[str, Callable[[Call, str, str], Value]] = {
    "arg": lambda sh, name, text: text,
    "argjson": lambda sh, name, text: value_of(sh, text, "argjson"),
    "slurpfile": slurped,
    "rawfile": raw,
}
