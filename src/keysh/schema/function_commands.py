"""Declared functions: their parameters become a Command, so that they bind as builtins do.

    deploy(host, port: int = 8080, *files: path, dry_run: bool = false) { … }

Parameters before `*files` are operands, which have names too; those after it are options.
"""

from __future__ import annotations

from keysh.schema.command import HELP_OPTION, Command, CommandParameter
from keysh.schema.parameter_type import OptionalType
from keysh.schema.types import (
    ANY,
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
    """A list; a string is parsed as a JSON array."""

    __slots__ = ()

    def parse(self, text: str) -> Any:
        value = super().parse(text)
        if not isinstance(value, list):
            raise UnfitValue(self.requirement, text)
        return value

    def take(self, value: object) -> Any:
        if not isinstance(value, list):
            raise UnfitValue(self.requirement, value)
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "array"}


LIST_TYPE = ListType("list", "a list")

TYPES_BY_WORD = {
    "": ANY, "any": ANY, "string": STR, "int": INT, "float": FLOAT, "bool": BOOL,
    "list": LIST_TYPE, "record": RECORD, "path": PATH,
}  # fmt: skip


class DeclaredParameter:
    """A parameter as a script declares it; a default other than ABSENT is passed unchanged."""

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
    """Return the type of a declared parameter."""
    type_ = TYPES_BY_WORD[declared.type]
    return OptionalType(type_) if declared.is_nullable else type_


def function_command(
    name: str, function: Callable[..., Any], declared: Iterable[DeclaredParameter]
) -> Command:
    """Return the command of a declared function; `function` is what a call runs."""
    parameters: list[CommandParameter] = []
    named_role = "operand"
    for item in declared:
        role = "rest" if item.is_rest else named_role
        parameter = CommandParameter(item.name, declared_type(item), item.default, role)
        parameter.key = item.name  # in a script `end_` is not `end`
        parameters.append(parameter)
        if item.is_rest:
            named_role = "option"
    command = Command(name, function, parameters)
    for parameter in parameters:
        register_full_names(command, parameter)
    command.by_long.setdefault("help", HELP_OPTION)
    command.summary = f"Call the function {name}."
    command.help = "\n".join([command.summary, "", *map(parameter_help_row, parameters)]).rstrip()
    return command


def register_full_names(command: Command, parameter: CommandParameter) -> None:
    """Register a parameter as `--its-name`, and a flag as `--no-its-name` too."""
    if not parameter.has_name:
        return
    word = parameter.key.replace("_", "-")
    if parameter.role == "option":
        parameter.long_names = (word,)
        command.by_long[word] = parameter
    command.by_full_name[word] = (parameter, True)
    if parameter.is_flag:
        command.by_full_name[f"no-{word}"] = (parameter, False)


def parameter_help_row(parameter: CommandParameter) -> str:
    """Return a parameter's line of the help."""
    head = f"--{parameter.long_names[0]}" if parameter.long_names else parameter.key
    if parameter.role == "rest":
        head += " ..."
    elif parameter.long_names and not parameter.is_flag:
        head += f" {parameter.key.upper()}"
    return f"{head}  {parameter.type.requirement}"
