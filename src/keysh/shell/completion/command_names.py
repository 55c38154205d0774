"""Completion of commands by name, and of their arguments by their declarations."""

from __future__ import annotations

from keysh.interp.engine.command_lookup import resolve_in_shell
from keysh.interp.run.function import ShellFunction
from keysh.schema.parameter_type import UnionType, WrapperType
from keysh.schema.render import declared_candidates, option_awaiting_value
from keysh.schema.types import ANY, RAW, STR, PathType
from keysh.shell.completion.candidate import Candidate
from keysh.shell.completion.path_names import directory_entries, path_candidates
from keysh.shell.completion.variable_names import job_candidates
from keysh.shell.completion.word import TypedWord
from keysh.shell.registry import known_members
from keysh.syntax.wrappers import WRAPPERS
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.state import State
    from keysh.schema.command import Command, CommandParameter
    from keysh.schema.types import ParameterType
    from keysh.shell.completion.spot import CompletionSpot

COMMAND_KEYWORDS = ("case", "for", "function", "if", "time", "until", "while")
CONTINUING_KEYWORDS = ("do", "done", "elif", "else", "esac", "fi", "then")

# Help is shown for at most this many names, since each command must be imported for it.
MAX_EXPLAINED_COMMANDS = 40
MAX_PROGRAMS = 5000

# Commands whose operand is the name of a command, a directory, a variable or a job.
COMMAND_NAME_TAKERS = ("builtin", "command", "hash", "help", "type", "which")
DIRECTORY_TAKERS = ("cd", "mkdir", "pushd", "rmdir")
VARIABLE_TAKERS = ("declare", "export", "local", "read", "readonly", "typeset", "unset")
JOB_TAKERS = ("bg", "disown", "fg", "kill", "wait")
MAX_WRAPPER_DEPTH = 5  # commands that run commands that run commands


def command_candidates(state: State, spot: CompletionSpot) -> list[Candidate]:
    """Return the commands whose names begin with the word."""
    return name_candidates(state, spot.word)


def name_candidates(state: State, word: TypedWord) -> list[Candidate]:
    """Return what a name may call: functions, aliases, commands, keywords and programs."""
    beginning, start = word.text, word.name_start
    candidates = {
        name: Candidate(name, start, "keyword")
        for name in (*COMMAND_KEYWORDS, *CONTINUING_KEYWORDS)
    }
    candidates |= {
        name: Candidate(name, start, "program") for name in program_names(state, beginning)
    }
    registry = state.session.registry
    own = [name for name in registry.names() if name.startswith(beginning)]
    for name in own:
        command = registry.command_named(name) if len(own) <= MAX_EXPLAINED_COMMANDS else None
        summary = "" if command is None else command.summary
        candidates[name] = Candidate(name, start, "command", summary)
    for name, alias in state.aliases.items():
        candidates[name] = Candidate(name, start, "alias", getattr(alias, "text", ""))
    for name, function in state.functions.items():
        parameters = function.command
        description = (
            "" if parameters is None else " ".join(map(parameter_summary, parameters.parameters))
        )
        candidates[name] = Candidate(name, start, "function", description)
    return [candidates[name] for name in sorted(candidates) if name.startswith(beginning)]


def parameter_summary(parameter: CommandParameter) -> str:
    """Return a function's parameter as it is declared."""
    star = "*" if parameter.role == "rest" else ""
    return f"{star}{parameter.key}: {parameter.type.name}"


def program_names(state: State, beginning: str) -> set[str]:
    """Return the names of files on `$PATH`, if programs may run."""
    if not beginning or not state.session.has_programs:
        return set()
    names: set[str] = set()
    for folder in text_of(state.variables.get("PATH")).split(":"):
        if folder and len(names) < MAX_PROGRAMS:
            listed = directory_entries(state, join(state.cwd, folder))
            names.update(entry.name for entry in listed if entry.name.startswith(beginning))
    return names


def argument_candidates(state: State, spot: CompletionSpot) -> list[Candidate]:
    """Return candidates from the command's declaration, or else files."""
    words = spot.command
    for _ in range(MAX_WRAPPER_DEPTH):
        name = TypedWord(words[0], 0).text
        if name not in WRAPPERS:
            break
        inner = words[
            wrapped_command_start(command_declaration(state, name), words, *WRAPPERS[name]) :
        ]
        if not inner and not spot.word.text.startswith("-"):
            return name_candidates(state, spot.word)
        if not inner:
            break
        words = inner
    return candidates_for_command(state, spot, TypedWord(words[0], 0).text, words)


def wrapped_command_start(
    command: Command | None, words: list[str], valued: Sequence[str], operands: int
) -> int:
    """Return where the command that a wrapper runs begins in its words."""
    index = 1
    while index < len(words):
        word = words[index]
        if word.startswith("-"):
            declares = command is not None and option_awaiting_value(command, word) is not None
            index += declares or word in valued
        elif "=" not in word:
            if not operands:
                break
            operands -= 1
        index += 1
    return index


def command_declaration(state: State, name: str) -> Command | None:
    """Return the declaration of a function or command."""
    meaning = resolve_in_shell(state, name)
    return meaning.command if isinstance(meaning, ShellFunction) else meaning


def candidates_for_command(
    state: State, spot: CompletionSpot, name: str, words: list[str]
) -> list[Candidate]:
    """Return candidates for an argument of a command."""
    word, beginning = spot.word, spot.word.text
    spec = state.completions.get(name)
    if spec is not None:
        from keysh.shell.completion.specified_words import specified_candidates  # noqa: PLC0415 - few

        return specified_candidates(state, spot, spec)
    command = command_declaration(state, name)
    if name in COMMAND_NAME_TAKERS and not beginning.startswith("-"):
        return name_candidates(state, word)
    if name in VARIABLE_TAKERS and not beginning.startswith("-"):
        return [Candidate(name, word.name_start, "variable") for name in sorted(state.variables)
                if name.startswith(beginning)]  # fmt: skip
    if name in JOB_TAKERS and not beginning.startswith("-"):
        return job_candidates(state, spot)
    if name in DIRECTORY_TAKERS and not beginning.startswith("-"):
        return path_candidates(state, word, folders_only=True)
    is_member = command is not None and command.is_group
    if is_member:
        members = known_members(state, command) or {}
        if len(words) == 1:
            return [Candidate(name, word.start, "command", member.summary)
                    for name, member in members.items() if name.startswith(beginning)]  # fmt: skip
        command = members.get(TypedWord(words[1], 0).text)
    if command is None or command.is_raw:
        return path_candidates(state, word)
    offered = candidates_by_declaration(
        command, spot, TypedWord(words[-1], 0).text if len(words) > 1 else ""
    )
    if not state.dialect.has_literals and not is_member:  # there `name=` is text
        offered = [candidate for candidate in offered if candidate.kind != "parameter"]
    return offered + path_candidates(state, word) if accepts_paths(command, spot) else offered


def candidates_by_declaration(
    command: Command, spot: CompletionSpot, before: str
) -> list[Candidate]:
    """Return options, parameter names and values, with their types and help."""
    start = spot.word.start
    candidates = []
    for text, description in declared_candidates(command, spot.key + spot.word.text, before):
        kind, completion = "value", text.removeprefix(spot.key)
        parameter = command.by_key.get(text[:-1]) if text.endswith("=") else None
        if parameter is not None:
            kind, description = "parameter", typed_help(parameter, description)
        elif text.startswith("-") and not spot.key:
            kind = "option"
        candidates.append(Candidate(completion, start, kind, description))
    if spot.word.text.startswith("--") and not spot.key:
        # Positional parameters of a function are options too.
        candidates += [
            Candidate(f"--{long}", start, "option", typed_help(parameter, parameter.help))
            for long, (parameter, is_on) in command.by_full_name.items()
            if is_on and long not in command.by_long and long.startswith(spot.word.text[2:])
        ]
    return candidates


def typed_help(parameter: CommandParameter, help: str) -> str:
    """Return a parameter's type and help."""
    return f"{parameter.type.name}: {help}" if help else parameter.type.name


def accepts_paths(command: Command, spot: CompletionSpot) -> bool:
    """Whether a file may be the parameter's value, or an operand."""
    if spot.key:
        parameter = command.by_key.get(spot.key.rstrip("=")) or command.by_long.get(
            spot.key.strip("-=")
        )
        return parameter is not None and may_be_path(parameter.type)
    if spot.word.text.startswith("-"):
        return False
    places = [*command.operands, *([command.rest] if command.rest else [])]
    return not places or any(may_be_path(place.type) for place in places)


def may_be_path(type: ParameterType) -> bool:
    """Whether a type's values may be paths; any string may."""
    inner = type
    while isinstance(inner, WrapperType):
        inner = inner.inner
    if isinstance(inner, UnionType):
        return any(map(may_be_path, inner.members))
    return isinstance(inner, PathType) or inner in (STR, RAW, ANY)
