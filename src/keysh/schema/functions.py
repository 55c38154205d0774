"""A declared function's parameters become a Command, so that it binds as a builtin does.

    deploy(host, port: int = 8080, *files: path, dry_run: bool = false) { … }

What stands before `*files` is given by place or by name, what stands behind it by name only.
"""

from __future__ import annotations

from keysh.schema.command import HELP_OPTION, Command, CommandParameter
from keysh.schema.parameter_type import OptionalType
from keysh.schema.types import (
    BOOL,
    FLOAT,
    INT,
    PATH,
    RECORD,
    STR,
    JsonType,
    ParameterType,
    UnfitValue,
)
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


class ListType(JsonType):
    """A list; text is read as a JSON array."""

    __slots__ = ()

    def parse(self, text: str) -> Any:
        given = super().parse(text)
        if not isinstance(given, list):
            raise UnfitValue(self.requirement, text)
        return given

    def take(self, value: object) -> Any:
        if not isinstance(value, list):
            raise UnfitValue(self.requirement, value)
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "array"}


class AnyType(ParameterType):
    """Any value as it is; text stays text."""

    __slots__ = ()

    def take(self, value: object) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {}


LIST_TYPE = ListType("list", "a list")
ANY_TYPE = AnyType("any", "anything")

TYPES_BY_WORD = {
    "": ANY_TYPE, "any": ANY_TYPE, "string": STR, "int": INT, "float": FLOAT, "bool": BOOL, "list": LIST_TYPE,
    "record": RECORD, "path": PATH,
}  # fmt: skip


class DeclaredParameter:
    """A parameter as a script declares it; a default that is not ABSENT comes back as it is."""

    __slots__ = ("default", "is_nullable", "is_rest", "name", "type")

    def __init__(
        self,
        name: str,
        type: str = "",
        *,
        is_nullable: bool = False,
        is_rest: bool = False,
        default: object = ABSENT,
    ) -> None:
        self.name, self.type = name, type
        self.is_nullable, self.is_rest, self.default = is_nullable, is_rest, default


def declared_type(declared: DeclaredParameter) -> ParameterType:
    """The type that a parameter's word means."""
    kind = TYPES_BY_WORD[declared.type]
    return OptionalType(kind) if declared.is_nullable else kind


def function_command(
    name: str, function: Callable[..., Any], declared: Iterable[DeclaredParameter]
) -> Command:
    """The command that a declared function is; `function` is what its call runs."""
    parameters: list[CommandParameter] = []
    place = "operand"
    for one in declared:
        here = "rest" if one.is_rest else place
        parameter = CommandParameter(one.name, declared_type(one), one.default, here)
        parameter.key = one.name  # a script's names are its own: `end_` is not `end`
        parameters.append(parameter)
        if one.is_rest:
            place = "option"
    made = Command(name, function, parameters)
    for parameter in parameters:
        register_full_names(made, parameter)
    made.by_long.setdefault("help", HELP_OPTION)
    made.summary = f"Call the function {name}."
    made.help = "\n".join([made.summary, "", *map(parameter_help_row, parameters)]).rstrip()
    return made


def register_full_names(made: Command, parameter: CommandParameter) -> None:
    """File a parameter under `--its-name`, and a flag also under `--no-its-name`."""
    if not parameter.has_name:
        return
    word = parameter.key.replace("_", "-")
    if parameter.role == "option":
        parameter.long_names = (word,)
        made.by_long[word] = parameter
    made.by_full_name[word] = (parameter, True)
    if parameter.is_flag:
        made.by_full_name[f"no-{word}"] = (parameter, False)


def parameter_help_row(parameter: CommandParameter) -> str:
    """A parameter's line of the help."""
    shown = f"--{parameter.long_names[0]}" if parameter.long_names else parameter.key
    if parameter.role == "rest":
        shown += " ..."
    elif parameter.long_names and not parameter.is_flag:
        shown += f" {parameter.key.upper()}"
    return f"{shown}  {parameter.type.requirement}"
