"""Plugins: programs in folders with a manifest, as commands of a shell and as objects.

    plugins = load("/opt/tools")
    shell = Shell(commands=plugins.commands)
    shell.run("gpio_write device=pico0 pin=5")

Hosts enter at `load`. Loading a plugin permits its program to run, even in a shell that may not run
programs itself. Plugins know the shell only through the declaration of commands.
"""

from __future__ import annotations

import os

from keysh.adapters.plugins.manifest import MANIFEST_NAME, ManifestError, read_manifest
from keysh.adapters.plugins.manifest import Manifest as Manifest
from keysh.adapters.plugins.manifest import ToolParameter as ToolParameter
from keysh.adapters.plugins.tool import EXIT_TIMEOUT, LINE_TIMEOUT, PluginFailure
from keysh.adapters.plugins.tool import PluginTool as PluginTool
from keysh.adapters.tool_result import ToolResult as ToolResult
from keysh.diagnostics.exceptions import refuse
from keysh.interp.state.exception_report import concealed_text, is_visible_path
from keysh.interp.state.state_of_call import state_of
from keysh.schema.function_commands import DeclaredParameter, function_command
from keysh.shell.command_listing import names as command_names
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from keysh.interp.state.call import Call

# The type names of declared parameters, by those of a manifest.
DECLARED_TYPES = {
    "string": "string", "integer": "int", "number": "float", "boolean": "bool", "array": "list",
    "object": "record",
}  # fmt: skip


class Plugins:
    """The loaded tools, and the errors of the manifests that were not used."""

    __slots__ = ("faults", "tools")

    def __init__(self) -> None:
        self.tools: list[PluginTool] = []
        self.faults: list[ManifestError] = []

    @property
    def commands(self) -> list[Callable[..., object]]:
        """Each tool as a command, for `Shell(commands=…)`."""
        return [command_for(tool) for tool in self.tools]

    def __getitem__(self, name: str) -> PluginTool:
        for tool in self.tools:
            if tool.name == name:
                return tool
        raise KeyError(name)

    def __iter__(self) -> Iterator[PluginTool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def close(self) -> None:
        """Close the program files of the tools."""
        for tool in self.tools:
            tool.close()

    def __enter__(self) -> Plugins:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def load(
    *folders: str | os.PathLike[str],
    env: Mapping[str, str] | None = None,
    timeout: float = LINE_TIMEOUT,
    exit_timeout: float = EXIT_TIMEOUT,
) -> Plugins:
    """Load the plugins in folders of the machine: each is a folder with a `tool.toml`.

    `env` is the environment of their programs, by default that of the host.

    A plugin with an invalid manifest or a name that is taken is skipped; `faults` names the file
    and the field. A folder that cannot be read raises OSError.
    """
    plugins = Plugins()
    taken = dict.fromkeys(command_names(), "keysh")
    for folder in folders:
        if not isinstance(folder, str | os.PathLike):
            refuse("folder", "a path", folder)
        for name in sorted(os.listdir(folder)):
            file = os.path.join(folder, name, MANIFEST_NAME)
            if not os.path.lexists(file):
                continue
            try:
                manifest = read_manifest(file)
                if (owner := taken.get(manifest.name)) is not None:
                    reason = f"{manifest.name} is taken by {owner}"
                    raise ManifestError(file, "tool.name", reason)
                tool = open_tool(file, manifest, env, timeout, exit_timeout)
            except ManifestError as error:
                plugins.faults.append(error)
                continue
            taken[manifest.name] = file
            plugins.tools.append(tool)
    return plugins


def open_tool(
    file: str,
    manifest: Manifest,
    env: Mapping[str, str] | None,
    timeout: float,
    exit_timeout: float,
) -> PluginTool:
    """Open the program of a tool; raise ManifestError if that fails."""
    try:
        return PluginTool(manifest, env=env, timeout=timeout, exit_timeout=exit_timeout)
    except OSError as error:
        raise ManifestError(file, "exec.binary", error.strerror or str(error)) from None


def command_for(tool: PluginTool) -> Callable[..., object]:
    """Return a tool as a command, whose parameters are bound and checked like any other's."""
    # Optional parameters come last, so that positional operands may omit them too.
    parameters = sorted(tool.manifest.parameters, key=lambda one: not one.required)
    declared = []
    for one in parameters:
        kind = DECLARED_TYPES[one.type]
        if one.default is not ABSENT:
            declared.append(DeclaredParameter(one.name, kind, default=one.default))
        elif one.required:
            declared.append(DeclaredParameter(one.name, kind))
        else:
            declared.append(DeclaredParameter(one.name, kind, is_nullable=True, default=None))

    def run(sh: Call, *values: object, **named: object) -> None:
        positional = {one.name: value for one, value in zip(parameters, values, strict=False)}
        bound = positional | named
        arguments = {name: value for name, value in bound.items() if value is not None}
        state = state_of(sh)
        budget = state.budget
        budget.check()
        try:
            answer = tool.answer(arguments, cancel=budget.flag().fd, deadline=budget.deadline)
        except PluginFailure as failure:
            budget.check()
            # The program is the host's, and so are the paths that it speaks of.
            text = failure.message(failure.errors.summary)
            raise sh.fail(concealed_text(text, lambda path: is_visible_path(state, path))) from None
        budget.check()
        if answer.output:
            sh.out.write(answer.output if answer.output.endswith("\n") else f"{answer.output}\n")
        if not answer.success:
            raise sh.fail(answer.error or "failed without a message")

    command = function_command(tool.name, run, declared)
    command.summary = tool.description
    for parameter, one in zip(command.parameters, parameters, strict=True):
        parameter.help = one.description
    rows = [f"{one.name}  {one.type}: {one.description}" for one in parameters]
    command.help = "\n".join([tool.description, "", *rows]).rstrip()
    setattr(run, "__keysh__", command)  # noqa: B010 - as `@command` does, for a type checker to see
    return run
