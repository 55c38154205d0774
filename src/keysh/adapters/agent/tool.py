"""Tool: what a language model may ask for: a name, parameters, and an answer."""

from __future__ import annotations

from enum import StrEnum

from keysh.adapters.tool_result import ToolResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal, TypeAlias

    Form: TypeAlias = Literal["openai", "anthropic", "mcp"]

MAX_QUOTED_CHARACTERS = 200  # characters of a wrong value that are shown
PYTHON_TYPES = {"string": str, "integer": int, "boolean": bool}


class ToolCategory(StrEnum):
    """What kind of thing a tool does."""

    EXECUTION = "execution"
    FILES = "files"


class ExecutionContext:
    """What a host says beside the arguments.

    dry_run            say what would run, and run nothing
    working_directory  where the session is taken, once, and again when it names another one
    """

    __slots__ = ("dry_run", "working_directory")

    def __init__(self, *, dry_run: bool = False, working_directory: str | None = None) -> None:
        self.dry_run, self.working_directory = dry_run, working_directory


class ToolParameter:
    """One parameter, by JSON Schema's words."""

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
        self.name, self.type, self.description = name, type, description
        self.required, self.default = required, default
        self.minimum, self.maximum = minimum, maximum

    def schema(self) -> dict[str, Any]:
        """As JSON Schema has it."""
        made: dict[str, Any] = {"type": self.type, "description": self.description}
        for key in ("default", "minimum", "maximum"):
            if getattr(self, key) is not None:
                made[key] = getattr(self, key)
        return made

    def complaint(self, value: object) -> str:
        """What is wrong with a value; empty for nothing."""
        is_of_type = isinstance(value, PYTHON_TYPES[self.type])
        if not is_of_type or (isinstance(value, bool) and self.type != "boolean"):
            return f"{self.name} must be of type {self.type}, but is {value!r}"
        if isinstance(value, str) and not is_utf8(value):
            return (
                f"{self.name} must be what UTF-8 can hold, but is {value[:MAX_QUOTED_CHARACTERS]!r}"
            )
        if isinstance(value, int):
            if self.minimum is not None and value < self.minimum:
                return f"{self.name} must be {self.minimum} at least, but is {value}"
            if self.maximum is not None and value > self.maximum:
                return f"{self.name} must be {self.maximum} at most, but is {value}"
        return ""


def is_utf8(text: str) -> bool:
    """Whether a text has bytes: JSON can spell half of a pair, which has none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class BaseTool:
    """A tool gives `name`, `description`, `category`, `parameters`, and `_execute`."""

    name = ""
    description = ""
    category = ToolCategory.EXECUTION
    parameters: tuple[ToolParameter, ...] = ()

    def parameters_schema(self) -> dict[str, Any]:
        """The parameters as one JSON Schema object."""
        return {
            "type": "object",
            "properties": {one.name: one.schema() for one in self.parameters},
            "required": [one.name for one in self.parameters if one.required],
            "additionalProperties": False,
        }

    def schema(self, form: Form = "anthropic") -> dict[str, Any]:
        """The declaration as a model's interface wants it."""
        named: dict[str, Any] = {"name": self.name, "description": self.description}
        if form == "openai":
            return {
                "type": "function",
                "function": {**named, "parameters": self.parameters_schema()},
            }
        if form in ("anthropic", "mcp"):
            key = "input_schema" if form == "anthropic" else "inputSchema"
            return {**named, key: self.parameters_schema()}
        raise ValueError(f"form must be openai, anthropic or mcp, but is {form!r}")

    async def execute(
        self, context: ExecutionContext | None = None, /, **arguments: Any
    ) -> ToolResult:
        """Do it. What is wrong with the arguments, or goes wrong, is in the result."""
        complaint = self._complaint(arguments)
        if complaint:
            return ToolResult.fail(f"{self.name}: {complaint}")
        given = {one.name: one.default for one in self.parameters} | {
            name: value for name, value in arguments.items() if value is not None
        }
        return await self._execute(context or ExecutionContext(), given)

    async def _execute(self, context: ExecutionContext, given: Mapping[str, Any]) -> ToolResult:
        """Do it, with arguments that fit."""
        raise NotImplementedError(self.name)

    def _complaint(self, arguments: Mapping[str, Any]) -> str:
        """What is wrong with arguments; empty for nothing."""
        known = {one.name: one for one in self.parameters}
        for name, value in arguments.items():
            if name not in known:
                return f"{name} is not one of {', '.join(known)}"
            if value is not None and (complaint := known[name].complaint(value)):
                return complaint
        for one in self.parameters:
            if one.required and arguments.get(one.name) is None:
                return f"{one.name} is required"
        return ""


class ToolRegistry:
    """The tools of a host, by their names."""

    __slots__ = ("_tools",)

    def __init__(self, *tools: BaseTool) -> None:
        self._tools: dict[str, BaseTool] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: BaseTool) -> None:
        """Add a tool; ValueError where its name is taken."""
        if tool.name in self._tools:
            raise ValueError(f"there is a tool {tool.name} already")
        self._tools[tool.name] = tool

    def get(self, name: str) -> BaseTool | None:
        """The tool of a name."""
        return self._tools.get(name)

    def list(self, category: ToolCategory | None = None) -> list[BaseTool]:
        """All tools, or those of a category."""
        return [tool for tool in self._tools.values() if category in (None, tool.category)]

    def schemas(self, form: Form = "anthropic") -> Sequence[dict[str, Any]]:
        """What a model is told of them."""
        return [tool.schema(form) for tool in self._tools.values()]

    async def execute(
        self,
        name: str,
        arguments: Mapping[str, Any],
        context: ExecutionContext | None = None,
    ) -> ToolResult:
        """Do what a model has asked for."""
        tool = self._tools.get(name)
        if tool is None:
            return ToolResult.fail(f"no such tool: {name}; there are {', '.join(self._tools)}")
        return await tool.execute(context, **{str(key): one for key, one in arguments.items()})
