"""fromtoml - the value of a TOML text."""

from __future__ import annotations

from tomllib import TOMLDecodeError, loads

from keysh.runtime.value_operands import text_or_input
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.schema.types import Raw


@command(value=True)
def fromtoml(sh: Call, *words: Raw) -> object:
    """Read TOML: `$(fromtoml …)` is its record. Dates and times become text.

    words ...  the TOML; standard input without it
    """
    try:
        return plain(loads(text_or_input(sh, words)))
    except (TOMLDecodeError, ValueError, RecursionError) as error:
        raise sh.fail(f"no TOML: {error}") from None


def plain(value: object) -> object:
    """A value with texts for the dates and times in it."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value if isinstance(value, bool | int | float | str) else str(value)
