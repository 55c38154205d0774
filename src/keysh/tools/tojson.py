"""tojson - print values as JSON."""

from __future__ import annotations

from keysh.schema.arguments import NamedArgument, words_for_function
from keysh.schema.declare import OptionStyle, command
from keysh.values import CONTAINERS, json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

MAX_INDENT = 16


@command(style=OptionStyle(has_help=False))
def tojson(sh: Call, *words: Raw) -> str:
    """Print each value as JSON on a line; `fromjson` parses it.

    words ...  the values; indent=N before them indents nested values by N spaces
    """
    first = words[0] if words else None
    indent = 0
    if isinstance(first, NamedArgument) and first.key in ("indent", "--indent"):
        if not isinstance(first.value, int) or not 0 <= first.value <= MAX_INDENT:
            raise sh.fail(f"indent must be 0 to {MAX_INDENT}, but is {first.text}", 2)
        indent, words = first.value, words[1:]
    text = "".join(
        f"{indented_json(value, indent)}\n" for value in words_for_function(words) or [None]
    )
    sh.require_utf8(
        text, "JSON cannot hold bytes", "encode the bytes as text, for example with `base64`"
    )
    return text


def indented_json(value: object, indent: int, margin: str = "\n") -> str:
    """Format a value as JSON; empty lists and records stay on one line."""
    if not indent or not value or not isinstance(value, CONTAINERS):
        return json_of(value)
    inner = margin + " " * indent
    if isinstance(value, dict):
        parts: Sequence[str] = [
            f"{json_of(key)}: {indented_json(item, indent, inner)}" for key, item in value.items()
        ]
        return "{" + inner + f",{inner}".join(parts) + margin + "}"
    parts = [indented_json(item, indent, inner) for item in value]
    return "[" + inner + f",{inner}".join(parts) + margin + "]"
