"""fromtoml - parse TOML."""

from __future__ import annotations

from tomllib import TOMLDecodeError, loads

from keysh.schema.declare import OutputStyle, command
from keysh.schema.value_operands import text_or_input
from keysh.values import Numeral, json_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

MAX_INTEGER_DIGITS = 4300  # that Python reads, or writes
MAX_INTEGER_BITS = 14_284  # less than 10**4300 takes


@command(output=OutputStyle(value=True))
def fromtoml(sh: Call, *words: Raw) -> object:
    """Parse TOML: `$(fromtoml ...)` is its record; dates and times become strings.

    words ...  the TOML text; standard input by default

    Numbers keep their spelling. inf and nan, which JSON does not have, are refused.
    """
    try:
        return json_value(loads(text_or_input(sh, words), parse_float=parse_float))
    except (TOMLDecodeError, NoJsonValue) as error:
        fault = str(error)
    except RecursionError:
        fault = "values are nested too deeply"
    except ValueError:  # the only one that tomllib lets through
        fault = f"an integer has more than {MAX_INTEGER_DIGITS} digits"
    raise sh.fail(f"invalid TOML: {fault}")


class NoJsonValue(ValueError):
    """A value of TOML that JSON does not have."""


def json_value(value: object) -> object:
    """Return a value with its dates and times as strings."""
    if isinstance(value, dict):
        return {key: json_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [json_value(item) for item in value]
    if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS:  # of `0x`
        raise ValueError
    return value if isinstance(value, bool | int | float | str | Numeral) else str(value)


def parse_float(text: str) -> object:
    """Parse a float, which keeps its spelling as in JSON."""
    plain_text = text.replace("_", "").removeprefix("+")
    if plain_text.lstrip("-") in ("inf", "nan"):
        raise NoJsonValue(f"{text} has no JSON value")
    return json_number(plain_text)
