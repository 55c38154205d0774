"""Values: what a variable or an argument holds, as text and by name."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]

NAMES = {
    type(None): "null",
    bool: "bool",
    int: "int",
    float: "float",
    str: "string",
    list: "list",
    dict: "record",
}


def text_of(value: object) -> str:
    """A value as text: a string as it is, numbers as JSON has them, null as nothing."""
    if value.__class__ is str:
        return value
    if value is None:
        return ""
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, list | dict):
        from json import dumps  # noqa: PLC0415 - 5 ms that most scripts do not need

        return dumps(value, ensure_ascii=False, separators=(",", ":"))
    return str(value)


def name_of(value: object) -> str:
    """What the language calls a value's type."""
    return NAMES.get(value.__class__, "string" if isinstance(value, str) else "value")
