"""Dispatch: which command a name means, and running it: function, command, script, program."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shortened
from keysh.interp.engine.errexit import is_allowed
from keysh.interp.engine.function_call import call
from keysh.interp.engine.invoke import invoke
from keysh.interp.run.problem import Problem
from keysh.interp.state.call import Call
from keysh.schema.arguments import passed
from keysh.text.chunks import encoded
from keysh.values import CONTAINERS, name_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.interp.run.function import Function
    from keysh.interp.state.state import State
    from keysh.schema.command import Command

NOT_FOUND, NOT_ALLOWED = 127, 126
MOST_NEAR, MOST_LISTED = 3, 10_000  # names that are offered; those looked at in a directory
LONGEST_NAME = 255  # bytes of one step of a path, as Linux has it


def run_words(state: State, words: Sequence[object], line: int = 0) -> int:
    """Run the command that words are, for another command; its status."""
    if not words:
        return 0
    if not is_allowed(state, words):
        return NOT_ALLOWED
    name = text_of(words[0])
    function = state.functions.get(name)
    if function is not None:
        return call(state, function, words[1:], line)
    return run_command(state, name, words[1:])


def run_command(state: State, name: str, arguments: Sequence[object]) -> int:
    """Run a command that is no function; its status."""
    command = state.session.registry.command_named(name)
    if command is not None:
        return run_builtin(state, name, command, arguments)
    return run_outside(state, name, arguments)


def run_builtin(state: State, name: str, command: Command, arguments: Sequence[object]) -> int:
    """Run a declared command."""
    return invoke(command, Call(name, state, state.stdin, state.out, state.err), arguments)


def run_outside(state: State, name: str, arguments: Sequence[object]) -> int:
    """Run a script of keysh or a real program, found by its path or on `$PATH`."""
    programs = state.session.programs
    program, script, status = outside(state, name)
    if script is not None:
        from keysh.interp.engine.scripts import run_script  # noqa: PLC0415 - few commands are scripts

        return run_script(state, script, passed(arguments))
    if program is not None and programs is not None:
        words = [name, *texts(passed(arguments))]
        streams = Call(name, state, state.stdin, state.out, state.err)
        return programs.run(state, streams, words, program)
    if status == NOT_ALLOWED:
        reason = "Is a directory" if is_folder(state, name) else "Permission denied"
        state.err.write(f"keysh: {name}: {reason}\n")
        return NOT_ALLOWED
    handler = state.functions.get("command_not_found_handle")
    if handler is not None:
        return call_handler(state, handler, name, arguments)
    if is_too_long(name):
        state.err.write(f"keysh: {name}: File name too long\n")
        return NOT_ALLOWED
    if "/" in name:
        state.err.write(f"keysh: {name}: No such file or directory\n")
        return NOT_FOUND
    near = nearest(state, name)
    if not near and len(name.split()) > 1:
        fix = "write `$(words $name)` for the words of a variable"
        raise Problem("E301", "no command has a name of several words", f"`{shortened(name)}`",
                      fix, status=NOT_FOUND)  # fmt: skip
    from keysh.text.gnu_quoting import printable  # noqa: PLC0415 - only for an error

    hint = f" (near: {near})" if near else ""
    state.err.write(f"keysh: {printable(name)}: command not found{hint}\n")
    return NOT_FOUND


def outside(state: State, name: str) -> tuple[str | None, str | None, int]:
    """The path of the program that a name means, or that of the script, or why there is neither."""
    programs = state.session.programs
    if not name:
        return None, None, NOT_FOUND
    if programs is not None:
        known = programs.recall(state, name)
        if known is not None:
            return known, None, 0
    from keysh.interp.engine.scripts import find_script  # noqa: PLC0415 - as above

    script, status = find_script(state, name)
    if script is not None or programs is None or (status == NOT_ALLOWED and "/" in name):
        return None, script, status
    return programs.find(state, name), None, status


def program_of(
    state: State, name: str, arguments: Callable[[State], Sequence[object]]
) -> tuple[list[str], str] | None:
    """The words and the path of the real program that a command is; None for any other."""
    if name in state.functions or name in state.aliases or not state.session.has_programs:
        return None
    if state.session.registry.command_named(name) is not None:
        return None
    program = outside(state, name)[0]
    return None if program is None else ([name, *texts(passed(arguments(state)))], program)


def call_handler(state: State, handler: Function, name: str, arguments: Sequence[object]) -> int:
    """`command_not_found_handle`, which bash calls in a subshell."""
    return call(state.fork(), handler, [name, *passed(arguments)], 0)


def is_folder(state: State, name: str) -> bool:
    """Whether what stands where a command should is a directory."""
    from keysh.interp.streams.files import stat_at  # noqa: PLC0415 - only for an error
    from keysh.vfs.paths import join  # noqa: PLC0415 - as above

    there = stat_at(state.fs, join(state.cwd, name)) if "/" in name else None
    return there is not None and there.is_directory


def is_too_long(name: str) -> bool:
    """Whether a path has a step that no file system takes as a name."""
    return "/" in name and any(len(encoded(step)) > LONGEST_NAME for step in name.split("/"))


def nearest(state: State, name: str) -> str:
    """The names that a mistyped one is nearest to: of commands, else of programs."""
    from keysh.diagnostics.suggestions import nearest as near  # noqa: PLC0415 - only for an error

    own = (*state.session.registry.names(), *state.functions, *state.aliases)
    found = near(name, own, MOST_NEAR)
    if not found and state.session.programs is not None:
        found = near(name, programs_on_path(state), MOST_NEAR)
    return ", ".join(found)


def programs_on_path(state: State) -> set[str]:
    """The names of the files on `$PATH`, as far as its directories can be read."""
    from itertools import islice  # noqa: PLC0415 - as above

    from keysh.vfs.paths import join  # noqa: PLC0415 - as above

    names: set[str] = set()
    for folder in text_of(state.variables.get("PATH")).split(":"):
        try:
            listed = state.fs.list(join(state.cwd, folder)) if folder else ()
            names.update(entry.name for entry in islice(listed, MOST_LISTED))
        except OSError:
            continue
    return names


def texts(words: Sequence[object]) -> list[str]:
    """Words as a real program gets them."""
    made: list[str] = []
    for word in words:
        if isinstance(word, CONTAINERS):
            raise Problem(
                "E201", f"a {name_of(word)} cannot be an argument of a program", text_of(word),
                "...$x for its elements, or $(tojson $x)",
            )  # fmt: skip
        made.append(text_of(word))
    return made
