"""Tools as files: without real programs, /usr/bin/cat and /bin/cat stand for keysh's `cat`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.schema.command import Command

PROGRAM_DIRECTORIES = ("/usr/bin", "/bin")


class ToolFile:
    """A file that stands for a command of keysh."""

    __slots__ = ("command", "name")

    def __init__(self, name: str, command: Command) -> None:
        self.name, self.command = name, command


def tool_at(state: State, path: str) -> ToolFile | None:
    """Return the command that an absolute path stands for, through links or not."""
    if state.session.has_programs:
        return None
    for is_resolved in (False, True):
        try:
            path = state.fs.resolve(path) if is_resolved else path
        except OSError:
            return None
        directory, _, name = path.rpartition("/")
        if directory in PROGRAM_DIRECTORIES and name in state.session.registry.file_names():
            found = state.fs.stat_or_none(path)
            command = state.session.registry.command_named(name)
            if command is not None and found is not None and found.mode & 0o111:
                return ToolFile(name, command)
    return None
