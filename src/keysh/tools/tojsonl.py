"""tojsonl - the elements of a list as JSON lines."""

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
    """Print the elements of a list as JSON, each on a line.

    words ...  the list; without it the JSON text of one on standard input
    """
    found = one_value(words) if words else None
    if not words:
        try:
            found = value_of_json(text_or_input(sh, ()))
        except (ValueError, RecursionError) as error:
            raise sh.fail(f"no JSON: {error}") from None
    if not isinstance(found, list):
        raise sh.fail(wrong_type("a list", found, "tojson for one value on one line"))
    for item in found:
        yield f"{json_of(item)}\n"
