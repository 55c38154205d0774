"""The base class of tools for a language model, and their registry."""

from __future__ import annotations

from enum import StrEnum
from time import monotonic

from keysh.adapters.thread import run_coroutine
from keysh.adapters.tool_result import RESULT_SCHEMA, ToolResult
from keysh.interp.state.exception_report import unexpected_error_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal, TypeAlias

    Form: TypeAlias = Literal["openai", "anthropic", "mcp"]

MAX_QUOTED_CHARACTERS = 200  # of an invalid value
PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool,
}  # fmt: skip


class ToolCategory(StrEnum):
    """The category of a tool."""

    EXECUTION = "execution"
    FILES = "files"


class ExecutionContext:
    """Settings of the host for a call.

    dry_run            report what would run, and run nothing
    working_directory  a directory to enter first; it is entered again only when it changes
    """

    __slots__ = ("dry_run", "working_directory")

    def __init__(self, *, dry_run: bool = False, working_directory: str | None = None) -> None:
        self.dry_run, self.working_directory = dry_run, working_directory


class ToolParameter:
    """A parameter, in the terms of JSON Schema; of type string, integer, number or boolean."""

    __slots__ = ("default", "description", "maximum", "minimum", "name", "required", "type")

    def __init__(
        self,
        name: str,
        type: str,
        description: str,
        *,
        required: bool = False,
        default: object = None,
        minimum: int | None = None,
        maximum: int | None = None,
    ) -> None:
        if type not in PYTHON_TYPES:
            raise ValueError(f"type must be one of {', '.join(PYTHON_TYPES)}, but is {type!r}")
        self.name, self.type, self.description = name, type, description
        self.required, self.default = required, default
        self.minimum, self.maximum = minimum, maximum

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the parameter."""
        schema: dict[str, Any] = {"type": self.type, "description": self.description}
        for key in ("default", "minimum", "maximum"):
            if getattr(self, key) is not None:
                schema[key] = getattr(self, key)
        return schema

    def error_in(self, value: object) -> str:
        """Return what is wrong with a value; empty if it is valid."""
        is_of_type = isinstance(value, PYTHON_TYPES[self.type])
        if not is_of_type or (isinstance(value, bool) and self.type != "boolean"):
            return f"{self.name} must be of type {self.type}, but is {value!r}"
        if isinstance(value, str) and not is_utf8(value):
            return f"{self.name} must be valid UTF-8, but is {value[:MAX_QUOTED_CHARACTERS]!r}"
        if isinstance(value, int | float):
            if self.minimum is not None and value < self.minimum:
                return f"{self.name} must be {self.minimum} at least, but is {value}"
            if self.maximum is not None and value > self.maximum:
                return f"{self.name} must be {self.maximum} at most, but is {value}"
        return ""


def is_utf8(text: str) -> bool:
    """Whether a text can be encoded: JSON can contain lone surrogates, which cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class BaseTool:
    """A tool. Subclasses define `name`, `description`, `category`, `parameters` and `_execute`."""

    name = ""
    description = ""
    category = ToolCategory.EXECUTION
    parameters: tuple[ToolParameter, ...] = ()
    title = ""  # for people
    # What a client may rely on before it asks somebody, by the names of the Model Context Protocol.
    hints: Mapping[str, bool] = {}

    def parameters_schema(self) -> dict[str, Any]:
        """Return the parameters as a JSON Schema."""
        return {
            "type": "object",
            "properties": {one.name: one.schema() for one in self.parameters},
            "required": [one.name for one in self.parameters if one.required],
            "additionalProperties": False,
        }

    def schema(self, form: Form = "anthropic") -> dict[str, Any]:
        """Return the declaration of the tool in the format of a model's API."""
        declaration: dict[str, Any] = {"name": self.name, "description": self.description}
        if form == "openai":
            return {
                "type": "function",
                "function": {**declaration, "parameters": self.parameters_schema()},
            }
        if form == "anthropic":
            return {**declaration, "input_schema": self.parameters_schema()}
        if form == "mcp":
            return {
                **declaration, "title": self.title or self.name,
                "inputSchema": self.parameters_schema(), "outputSchema": RESULT_SCHEMA,
                "annotations": {"title": self.title or self.name, **self.hints},
            }  # fmt: skip
        raise ValueError(f"form must be openai, anthropic or mcp, but is {form!r}")

    async def execute(
        self, context: ExecutionContext | None = None, /, **arguments: Any
    ) -> ToolResult:
        """Check the arguments and run the tool. Errors are in the result."""
        began = monotonic()
        error = self._error_in(arguments)
        if error:
            result = ToolResult.fail(f"{self.name}: {error}")
        else:
            values = {one.name: one.default for one in self.parameters} | {
                name: value for name, value in arguments.items() if value is not None
            }
            try:
                result = await self._execute(context or ExecutionContext(), values)
            except Exception as defect:  # noqa: BLE001 - of the tool, or of the host's files
                result = ToolResult.fail(unexpected_error_message(defect, self.name))
        result.metadata["duration_ms"] = round((monotonic() - began) * 1000, 3)
        return result

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        """Run the tool with valid arguments."""
        raise NotImplementedError(self.name)

    def _error_in(self, arguments: Mapping[str, Any]) -> str:
        """Return what is wrong with the arguments; empty if they are valid."""
        parameters = {one.name: one for one in self.parameters}
        for name, value in arguments.items():
            if name not in parameters:
                return f"{name} is not one of {', '.join(parameters)}"
            if value is not None and (error := parameters[name].error_in(value)):
                return error
        for one in self.parameters:
            if one.required and arguments.get(one.name) is None:
                return f"{one.name} is required"
        return ""


class ToolRegistry:
    """The tools of a host, by name."""

    __slots__ = ("_tools",)

    def __init__(self, *tools: BaseTool) -> None:
        self._tools: dict[str, BaseTool] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: BaseTool) -> None:
        """Add a tool; raise ValueError if its name is taken."""
        if tool.name in self._tools:
            raise ValueError(f"there is a tool {tool.name} already")
        self._tools[tool.name] = tool

    def get(self, name: str) -> BaseTool | None:
        """Return the tool with a name, or None."""
        return self._tools.get(name)

    def list(self, category: ToolCategory | None = None) -> list[BaseTool]:
        """Return all tools, or those of a category."""
        return [tool for tool in self._tools.values() if category in (None, tool.category)]

    def schemas(self, form: Form = "anthropic") -> Sequence[dict[str, Any]]:
        """Return the declarations of the tools in the format of a model's API."""
        return [tool.schema(form) for tool in self._tools.values()]

    def system_prompt(self) -> str:
        """Return what a model should know beside the descriptions of the tools."""
        return ""

    async def execute(
        self,
        name: str,
        arguments: Mapping[str, Any],
        context: ExecutionContext | None = None,
    ) -> ToolResult:
        """Run a tool by name."""
        tool = self._tools.get(name)
        if tool is None:
            return ToolResult.fail(f"no such tool: {name}; available: {', '.join(self._tools)}")
        return await tool.execute(context, **{str(key): one for key, one in arguments.items()})

    def execute_sync(
        self,
        name: str,
        arguments: Mapping[str, Any],
        context: ExecutionContext | None = None,
    ) -> ToolResult:
        """Run a tool by name, and wait for it; for hosts without coroutines."""
        return run_coroutine(lambda: self.execute(name, arguments, context))
