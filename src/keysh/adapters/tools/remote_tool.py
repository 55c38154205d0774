"""RemoteTool: what a server offers, and the command that it becomes."""

from __future__ import annotations

from keysh.adapters.tools.json_schema import JsonSchema
from keysh.adapters.tools.schema_type import SchemaType
from keysh.adapters.tools.shell_names import (
    MAX_DESCRIPTION_CHARACTERS,
    key_of,
    shown_lines,
    summary_of,
)
from keysh.schema.command import HELP_OPTION, Command, CommandParameter, OutputStyle
from keysh.schema.function_commands import register_full_names
from keysh.schema.types import BOOL
from keysh.values import ABSENT, json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from keysh.interp.state.call import Call

MAX_PARAMETERS = 200
MAX_PARAMETER_HELP_CHARACTERS, MAX_SHOWN_NAME = 500, 60
FREE_ARGUMENTS = "arguments"  # the parameter of a tool that takes any record


class RemoteTool:
    """A tool of a server.

    name         as the server calls it
    parameters   the schema of each argument by its name, in the server's order
    required     the names of those that a call must have
    """

    __slots__ = ("description", "name", "parameters", "required", "takes_any")

    def __init__(
        self, name: str, description: object, parameters: Mapping[str, JsonSchema],
        required: set[str], *, takes_any: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.description = shown_lines(description, MAX_DESCRIPTION_CHARACTERS)
        self.parameters, self.required, self.takes_any = parameters, required, takes_any

    @classmethod
    def of_schema(cls, name: str, description: object, schema: object) -> RemoteTool:
        """Return a tool whose arguments are the properties of a schema."""
        record = JsonSchema(schema)
        parameters = record.properties()
        takes_any = not parameters and record.keywords().get("additionalProperties") is not False
        return cls(name, description, parameters, record.required_names(), takes_any=takes_any)


def tool_command(
    name: str,
    tool: RemoteTool,
    call: Callable[[Call, RemoteTool, dict[str, Any]], object],
    faults: list[str],
) -> Command:
    """Return a tool as a command of this name; `call` gets the arguments by the server's names.

    Required arguments are operands, too. What cannot be a parameter is added to `faults`.
    """
    names: dict[str, str] = {}  # the server's, by key
    parameters: list[CommandParameter] = []
    # Required ones come first, as operands.
    ordered = sorted(tool.parameters, key=lambda one: one not in tool.required)
    for given in ordered:
        key = key_of(given)
        shown = f"{name}: the parameter {shown_lines(given, MAX_SHOWN_NAME)!r}"
        if len(parameters) >= MAX_PARAMETERS:
            faults.append(f"{shown} and more are left out: {MAX_PARAMETERS} are enough")
            break
        if key in names:
            other = shown_lines(names[key], MAX_SHOWN_NAME)
            faults.append(f"{shown} is left out: {other!r} has its name")
            continue
        names[key] = given
        parameters.append(parameter_of(key, tool.parameters[given], given in tool.required))
    if tool.takes_any:
        parameters.append(parameter_of(FREE_ARGUMENTS, JsonSchema({"type": "object"}), False))
    operands = [one.name for one in parameters if one.role == "operand"]

    def run(sh: Call, *values: object, **options: object) -> object:
        bound = {**dict(zip(operands, values, strict=False)), **options}
        arguments = bound.pop(FREE_ARGUMENTS, {}) if tool.takes_any else {}
        assert isinstance(arguments, dict)
        arguments |= {names[key]: value for key, value in bound.items()}
        return call(sh, tool, arguments)

    command = Command(name, run, parameters, OutputStyle(value=True))
    for parameter in parameters:
        register_full_names(command, parameter)
    command.by_long.setdefault("help", HELP_OPTION)
    command.summary = summary_of(tool.description)
    rows = [help_row(one) for one in parameters]
    command.help = "\n".join([tool.description, "", *rows]).strip()
    return command


def parameter_of(key: str, schema: JsonSchema, is_required: bool) -> CommandParameter:
    """Return a parameter; one that is not given is not sent, so the server's default holds."""
    is_flag = schema.types() == {"boolean"} and not schema.words()
    type_ = BOOL if is_flag else SchemaType(schema)
    keywords = schema.keywords()
    role = "operand" if is_required else "option"
    parameter = CommandParameter(key, type_, ABSENT if is_required else None, role)
    parameter.key = key
    parameter.help = " ".join(
        shown_lines(keywords.get("description"), MAX_PARAMETER_HELP_CHARACTERS).split()
    )
    if "default" in keywords and not is_required:
        shown = shown_lines(json_of(keywords["default"]), 100)
        parameter.help = f"{parameter.help} (default: {shown})".strip()
    return parameter


def help_row(parameter: CommandParameter) -> str:
    """Return a parameter's line of the help: its name, what it must be, what it means."""
    mark = "" if parameter.is_required else "[optional] "
    row = f"{parameter.key}=  {mark}{parameter.type.requirement}"
    return f"{row}  {parameter.help}" if parameter.help else row
