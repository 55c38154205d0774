"""What a command name means: a function, a builtin, a script or a program, in this order.

`resolve` is the one answer to that question; dispatch, the compiler, `type` and completion ask it.
Aliases come before all of these, but they are replaced in the script's words, not here.

Without real programs keysh's tools are what /usr/bin and /bin have, so that `/bin/cat` means `cat`:
`tool_at` knows. The files there are of no other use.
"""

from __future__ import annotations

from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE, STATUS_NOT_FOUND
from keysh.interp.state.tool_file import ToolFile, tool_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.interp.run.function import ShellFunction
    from keysh.interp.state.state import State
    from keysh.schema.command import Command


class ScriptFile:
    """A script that keysh runs itself."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path


class ProgramFile:
    """A real program."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path


if TYPE_CHECKING:
    ExternalFile: TypeAlias = ScriptFile | ProgramFile | ToolFile
    Meaning: TypeAlias = ShellFunction | Command | ExternalFile


def resolve(state: State, name: str) -> Meaning | None:
    """Return what a name means as a command; None if it means nothing."""
    return resolve_in_shell(state, name) or find_external(state, name)[0]


def resolve_in_shell(state: State, name: str) -> ShellFunction | Command | None:
    """Return the function or builtin of a name, looking for no file."""
    function = state.functions.get(name)
    return state.session.registry.command_named(name) if function is None else function


def find_external(state: State, name: str) -> tuple[ExternalFile | None, int]:
    """Return the file of a name, a script or a program; without one the status says why."""
    programs = state.session.programs
    if not name:
        return None, STATUS_NOT_FOUND
    if programs is not None:
        known = programs.recall(state, name)
        if known is not None:
            return ProgramFile(known), 0
    from keysh.interp.engine.scripts import find_script  # noqa: PLC0415 - few names are files

    script, status = find_script(state, name)
    if script is not None:
        return ScriptFile(script), 0
    if "/" in name and status == STATUS_NOT_FOUND and not state.session.has_programs:
        from keysh.vfs.paths import join  # noqa: PLC0415 - most scripts name no file

        tool = tool_at(state, join(state.cwd, name))
        return tool, 0 if tool is not None else status
    if programs is None or (status == STATUS_NOT_EXECUTABLE and "/" in name):
        return None, status
    path = programs.find(state, name)
    return (None, status) if path is None else (ProgramFile(path), 0)


def is_program(state: State, name: str) -> bool:
    """Whether a name means a real program."""
    if not state.session.has_programs or name in state.aliases:
        return False
    return isinstance(resolve(state, name), ProgramFile)
