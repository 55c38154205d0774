"""What a command name means: a function, a builtin, a script or a program, in this order.

`resolve` is the one answer to that question; dispatch, the compiler, `type` and completion ask it.
Aliases come before all of these, but they are replaced in the script's words, not here.

Without real programs keysh's tools are what /usr/bin and /bin have, so that `/bin/cat` means `cat`:
`tool_at` knows. The files there are of no other use.
"""

from __future__ import annotations

from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE, STATUS_NOT_FOUND
from keysh.interp.run.options import HASHALL
from keysh.interp.state.hashed_files import HashedFile, HashedFiles
from keysh.interp.state.tool_file import PROGRAM_DIRECTORIES, ToolFile, tool_at
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.interp.run.function import ShellFunction
    from keysh.interp.state.state import State
    from keysh.schema.command import Command


# Values of PATH that lead to keysh's tools first.
USUAL_PATHS = ("/usr/bin:", "/bin:")
MAX_KNOWN_TOOLS = 1000


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
    return command_named(state, name) if function is None else function


def command_named(state: State, name: str) -> Command | None:
    """Return the command of keysh that a name means.

    A tool is a file to sh: another file of its name may stand before it on `$PATH`.
    """
    session = state.session
    command = session.registry.command_named(name)
    if command is None or session.open_programs is not None:
        return command
    path = state.variables.get("PATH")
    if state.hashed_files is None and (path.__class__ is not str or path.startswith(USUAL_PATHS)):
        return command
    if not session.registry.is_program(name):
        return command
    hashed = hashed_files(state).get(name) if state.hashed_files is not None else None
    if hashed is not None:
        return command if hashed.path.rpartition("/")[0] in PROGRAM_DIRECTORIES else None
    key = (path, state.cwd, name, state.dialect)
    tools = session.tools_on_path
    if tools is None or len(tools) >= MAX_KNOWN_TOOLS:
        tools = session.tools_on_path = {}
    known = tools.get(key)
    if known is None:
        known = tools[key] = is_first_on_path(state, name)
    return command if known else None


def is_first_on_path(state: State, name: str) -> bool:
    """Whether a tool of keysh comes before other files of its name on `$PATH`.

    If `$PATH` leads to neither, only keysh's own language has the tool.
    """
    if "PATH" not in state.variables:
        return True
    from keysh.vfs.paths import join  # noqa: PLC0415 - the usual path begins with /usr/bin

    for folder in text_of(state.variables["PATH"]).split(":"):
        whole = join(state.cwd, folder)
        if whole in PROGRAM_DIRECTORIES:
            return True
        stat = state.fs.stat_or_none(join(whole, name))
        if stat is not None and not stat.is_directory and stat.mode & 0o111:
            return False
    return not state.dialect.finds_tools_on_path


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


def hashes_files(state: State) -> bool:
    """Whether this shell remembers where files are. With real programs in keysh's own language
    the programs themselves do."""
    return state.dialect.finds_tools_on_path or not state.session.has_programs


def hashed_files(state: State) -> dict[str, HashedFile]:
    """Return the table of `hash`: the files that names of commands stand for."""
    if state.hashed_files is None:
        state.hashed_files = HashedFiles()
    return state.hashed_files.for_path(state.variables.get("PATH"))


def path_to_run(state: State, name: str) -> str | None:
    """Return the path of the file that a name runs, and count the run.

    It returns None without one, and for a name that is a path itself.
    """
    if "/" in name or not state.flags & HASHALL or not hashes_files(state):
        return None
    table = hashed_files(state)
    if name not in table:
        file, _ = find_external(state, name)
        if file is None or isinstance(file, ToolFile):
            return None
        table[name] = HashedFile(file.path if "/" in file.path else f"./{file.path}")
    table[name].hits += 1
    return table[name].path


def is_program(state: State, name: str) -> bool:
    """Whether a name means a real program."""
    if not state.session.has_programs or name in state.aliases:
        return False
    return isinstance(resolve(state, name), ProgramFile)
