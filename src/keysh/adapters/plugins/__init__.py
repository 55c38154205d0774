"""Plugins: programs in folders, each with a manifest, as commands of a shell and as objects.

    plugins = load("/opt/tools")
    shell = Shell(commands=plugins.commands)
    shell.run("gpio_write device=pico0 pin=5")

Who loads a plugin lets it run: it is a program of the machine, whatever the shell may run itself.
"""

from __future__ import annotations

import os

from keysh.adapters.plugins.manifest import FILE, ManifestError, read_manifest
from keysh.adapters.plugins.manifest import Manifest as Manifest
from keysh.adapters.plugins.manifest import ToolParameter as ToolParameter
from keysh.adapters.plugins.tool import EXIT_TIMEOUT, LINE_TIMEOUT
from keysh.adapters.plugins.tool import PluginTool as PluginTool
from keysh.adapters.tool_result import ToolResult as ToolResult
from keysh.interp.state.state_of_call import state_of
from keysh.schema.functions import DeclaredParameter, function_command
from keysh.shell.command_listing import names as names_of_commands
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from keysh.interp.state.call import Call

# The words that declare a parameter in a script, for those of a manifest.
TYPES = {
    "string": "string", "integer": "int", "number": "float", "boolean": "bool", "array": "list",
    "object": "record",
}  # fmt: skip


class Plugins:
    """The tools that were found, and what is wrong with the manifests that were not used."""

    __slots__ = ("faults", "tools")

    def __init__(self) -> None:
        self.tools: list[PluginTool] = []
        self.faults: list[ManifestError] = []

    @property
    def commands(self) -> list[Callable[..., object]]:
        """Each tool as a command: for `Shell(commands=…)`."""
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
        """Give the files of the tools back."""
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
    """The plugins in folders of the machine: each a folder with a `tool.toml`, read once, now.

    A manifest that is wrong is left out, and so is a name that is taken; `faults` says which field
    of which file. A folder that cannot be read is an OSError.
    """
    found = Plugins()
    taken = dict.fromkeys(names_of_commands(), "keysh")
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            file = os.path.join(folder, name, FILE)
            if not os.path.lexists(file):
                continue
            try:
                manifest = read_manifest(file)
                if (owner := taken.get(manifest.name)) is not None:
                    reason = f"{manifest.name} is taken by {owner}"
                    raise ManifestError(file, "tool.name", reason)
                tool = opened(file, manifest, env, timeout, exit_timeout)
            except ManifestError as error:
                found.faults.append(error)
                continue
            taken[manifest.name] = file
            found.tools.append(tool)
    return found


def opened(
    file: str,
    manifest: Manifest,
    env: Mapping[str, str] | None,
    timeout: float,
    exit_timeout: float,
) -> PluginTool:
    """A tool whose program can be opened."""
    try:
        return PluginTool(manifest, env=env, timeout=timeout, exit_timeout=exit_timeout)
    except OSError as error:
        raise ManifestError(file, "exec.binary", error.strerror or str(error)) from None


def command_for(tool: PluginTool) -> Callable[..., object]:
    """A tool as a command: its parameters are bound and checked as those of any other."""
    # Those that may be left out stand last, where operands without a name leave them out too.
    parameters = sorted(tool.manifest.parameters, key=lambda one: not one.required)
    declared = []
    for one in parameters:
        kind = TYPES[one.type]
        if one.default is not ABSENT:
            declared.append(DeclaredParameter(one.name, kind, default=one.default))
        elif one.required:
            declared.append(DeclaredParameter(one.name, kind))
        else:
            declared.append(DeclaredParameter(one.name, kind, is_nullable=True, default=None))

    def run(sh: Call, *values: object, **named: object) -> None:
        given = {one.name: value for one, value in zip(parameters, values, strict=False)}
        given = {name: value for name, value in (given | named).items() if value is not None}
        budget = state_of(sh).budget
        budget.check()
        answer = tool.ask(given, cancel=budget.flag().fd, deadline=budget.deadline)
        budget.check()
        if answer.output:
            sh.out.write(answer.output if answer.output.endswith("\n") else f"{answer.output}\n")
        if not answer.success:
            raise sh.fail(answer.error or "failed and did not say why")

    made = function_command(tool.name, run, declared)
    made.summary = tool.description
    for parameter, one in zip(made.parameters, parameters, strict=True):
        parameter.help = one.description
    rows = [f"{one.name}  {one.type}: {one.description}" for one in parameters]
    made.help = "\n".join([tool.description, "", *rows]).rstrip()
    setattr(run, "__keysh__", made)  # noqa: B010 - as `@command` does, for a type checker to see
    return run
