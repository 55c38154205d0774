"""tojsonl - print the elements of a list as JSON lines."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.schema.value_operands import one_value, text_or_input, wrong_type
from keysh.values import json_of, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command
def tojsonl(sh: Call, *words: Raw) -> Iterator[str]:
    """Print each element of a list as JSON on a line.

    words ...  the list; by default parsed as JSON from standard input
    """
    value = one_value(words) if words else None
    if not words:
        try:
            value = value_of_json(text_or_input(sh, ()))
        except ValueError as error:
            raise sh.fail(f"invalid JSON: {error}") from None
    if not isinstance(value, list):
        raise sh.fail(wrong_type("a list", value, "tojson for one value on one line"))
    for item in value:
        yield f"{json_of(item)}\n"
