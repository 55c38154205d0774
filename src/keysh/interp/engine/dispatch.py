"""Run a command by name: a function, a builtin, a script or a program."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH, SHELLS_OF_BASH
from keysh.interp.engine.before_command import ask_host, perform_admitted
from keysh.interp.engine.command_lookup import (
    ProgramFile,
    ScriptFile,
    command_named,
    find_external,
    path_to_run,
    resolve,
)
from keysh.interp.engine.function_call import call_function
from keysh.interp.engine.invoke import invoke
from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE, STATUS_NOT_FOUND
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.call import Call
from keysh.interp.state.tool_file import ToolFile
from keysh.schema.arguments import words_for_function
from keysh.text.chunks import bytes_of_text
from keysh.values import CONTAINERS, text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.interp.run.function import ShellFunction
    from keysh.interp.state.state import State
    from keysh.schema.command import Command

MAX_SUGGESTIONS = 3
MAX_DIRECTORY_ENTRIES = 10_000  # read from each directory of $PATH to suggest a name
MAX_NAME_BYTES = 255  # of one path component (Linux NAME_MAX)


def run_words(
    state: State, words: Sequence[object], line: int = 0, *, launch_error: str = ""
) -> int:
    """Run a command for another command (`env`, `xargs`, …); return its status.

    `launch_error` is what that command says if there is no such command (`Call.run`).
    """
    if not words:
        return 0
    span = state.span
    if not ask_host(state, words):
        return STATUS_NOT_EXECUTABLE
    name = text_of(words[0])
    function = state.functions.get(name)
    if function is not None:
        return perform_admitted(
            state, span, lambda: call_function(state, function, words[1:], line)
        )
    return perform_admitted(state, span, lambda: run_command(state, name, words[1:], launch_error))


def run_command(
    state: State, name: str, arguments: Sequence[object], launch_error: str = ""
) -> int:
    """Run a builtin, script or program, ignoring functions; return its status."""
    command = command_named(state, name)
    if command is not None:
        return run_builtin(state, name, command, arguments)
    return run_external(state, name, arguments, launch_error)


def run_renamed_command(
    state: State, name: str, arguments: Sequence[object], shown_name: str
) -> int:
    """Run a shell or a program that is told another name than its own, as `exec -a` does."""
    command = command_named(state, name)
    if command is not None and name in SHELLS_OF_BASH:
        programs = state.session.programs
        path = None if programs is None else programs.find(state, name)
        if programs is None or path is None:
            return run_builtin(state, shown_name, command, arguments)
        return run_program(state, shown_name, path, arguments)
    file = None if command is not None else find_external(state, name)[0]
    if isinstance(file, ProgramFile):
        return run_program(state, shown_name, file.path, arguments)
    return run_command(state, name, arguments)


def run_program(state: State, name: str, path: str, arguments: Sequence[object]) -> int:
    """Run a real program, which is told a name."""
    programs = state.session.programs
    assert programs is not None
    words = [name, *program_arguments(words_for_function(arguments))]
    return programs.run(state, Call(name, state, state.stdin, state.out, state.err), words, path)


def run_builtin(state: State, name: str, command: Command, arguments: Sequence[object]) -> int:
    """Run a builtin; return its status."""
    return invoke(command, Call(name, state, state.stdin, state.out, state.err), arguments)


def run_external(
    state: State, name: str, arguments: Sequence[object], launch_error: str = ""
) -> int:
    """Run a keysh script or a real program, found by its path or on `$PATH`."""
    hashed = path_to_run(state, name)
    file, status = find_external(state, hashed or name)
    if isinstance(file, ScriptFile):
        from keysh.interp.engine.scripts import run_script  # noqa: PLC0415 - scripts are rare

        return run_script(state, file.path, words_for_function(arguments))
    if isinstance(file, ToolFile):
        return run_builtin(state, file.name, file.command, arguments)
    programs = state.session.programs
    if file is not None and programs is not None:
        return run_program(state, name, file.path, arguments)
    if hashed is not None:
        name = hashed
    if launch_error and state.dialect is BASH:
        from keysh.text.gnu_quoting import locale_quoted_text  # noqa: PLC0415 - only for an error

        is_found = status == STATUS_NOT_EXECUTABLE
        said = launch_error.format(name=name, quoted=locale_quoted_text(name))
        reason = "Permission denied" if is_found else "No such file or directory"
        state.err.write(f"{said}: {reason}\n")
        return status
    if status == STATUS_NOT_EXECUTABLE:
        reason = "Is a directory" if is_directory_path(state, name) else "Permission denied"
        state.complain(f"{name}: {reason}")
        return STATUS_NOT_EXECUTABLE
    handler = state.functions.get("command_not_found_handle")
    if handler is not None:
        return call_not_found_handler(state, handler, name, arguments)
    if is_name_too_long(name):
        state.complain(f"{name}: File name too long")
        return STATUS_NOT_EXECUTABLE
    if "/" in name:
        state.complain(f"{name}: No such file or directory")
        return STATUS_NOT_FOUND
    from keysh.diagnostics.suggestions import missing_program_fix  # noqa: PLC0415 - only for an error
    from keysh.text.gnu_quoting import shell_message_name  # noqa: PLC0415 - as above

    fix = missing_program_fix(name) if programs is None else ""
    if fix:
        state.err.write(f"keysh: {name}: command not found\nfix: {fix}\n")
        return STATUS_NOT_FOUND
    near = nearest_names(state, name)
    if not near and len(name.split()) > 1:
        from keysh.diagnostics.display import shorten  # noqa: PLC0415 - only for an error

        fix = "write `$(words $name)` for the words of a variable"
        raise RuntimeDiagnostic(
            "E301", "no command has a name of several words", f"`{shorten(name)}`", fix,
            status=STATUS_NOT_FOUND,
        )  # fmt: skip
    hint = f"; did you mean {near}?" if near else ""
    state.complain(f"{shell_message_name(name)}: command not found{hint}")
    return STATUS_NOT_FOUND


def run_hidden_program(state: State, call: Call, words: Sequence[object]) -> int | None:
    """Run the program that a command of keysh's own hides; None if there is none.

    Where a policy says which programs may run, there is none: this program might run others.
    """
    programs = state.session.programs
    if programs is None or programs.is_restricted:
        return None
    path = programs.find(state, text_of(words[0]))
    if path is None:
        return None
    return programs.run(state, call, program_arguments(words_for_function(words)), path)


def external_words(
    state: State, name: str, arguments: Callable[[State], Sequence[object]]
) -> tuple[list[str], str] | None:
    """Return the words and path of a real program; None if the name means anything else."""
    if name in state.aliases or not state.session.has_programs:
        return None
    meaning = resolve(state, name)
    if not isinstance(meaning, ProgramFile):
        return None
    return [name, *program_arguments(words_for_function(arguments(state)))], meaning.path


def call_not_found_handler(
    state: State, handler: ShellFunction, name: str, arguments: Sequence[object]
) -> int:
    """Call `command_not_found_handle`; like bash, in a subshell."""
    return call_function(state.fork(), handler, [name, *words_for_function(arguments)], 0)


def is_directory_path(state: State, name: str) -> bool:
    """Whether a command name is the path of a directory."""
    from keysh.vfs.paths import join  # noqa: PLC0415 - only for a command that is not found

    there = state.fs.stat_or_none(join(state.cwd, name)) if "/" in name else None
    return there is not None and there.is_directory


def is_name_too_long(name: str) -> bool:
    """Whether a component of a path exceeds the length of a file name."""
    return "/" in name and any(
        len(bytes_of_text(step)) > MAX_NAME_BYTES for step in name.split("/")
    )


def nearest_names(state: State, name: str) -> str:
    """Return similar names of commands, or else of programs, to suggest for a mistyped one."""

    from keysh.diagnostics.suggestions import closest_names  # noqa: PLC0415 - only for an error

    own = (*state.session.registry.names(), *state.functions, *state.aliases)
    names = closest_names(name, own, MAX_SUGGESTIONS)
    if not names and state.session.programs is not None:
        names = closest_names(name, programs_on_path(state), MAX_SUGGESTIONS)
    return " or ".join(f"`{name}`" for name in names)


def programs_on_path(state: State) -> set[str]:
    """Return the names of the files on `$PATH`, skipping unreadable directories."""
    from itertools import islice  # noqa: PLC0415 - only for an error

    from keysh.vfs.paths import join  # noqa: PLC0415 - only for an error

    names: set[str] = set()
    for folder in text_of(state.variables.get("PATH")).split(":"):
        try:
            listed = state.fs.list(join(state.cwd, folder)) if folder else ()
            names.update(entry.name for entry in islice(listed, MAX_DIRECTORY_ENTRIES))
        except OSError:
            continue
    return names


def program_arguments(words: Sequence[object]) -> list[str]:
    """Return the arguments as text for a real program."""
    arguments: list[str] = []
    for word in words:
        if isinstance(word, CONTAINERS):
            raise RuntimeDiagnostic(
                "E201", f"a {type_name(word)} cannot be an argument of a program", text_of(word),
                "...$x for its elements, or $(tojson $x)",
            )  # fmt: skip
        arguments.append(text_of(word))
    return arguments
