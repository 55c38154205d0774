"""Commands by their names, and their arguments by their declarations."""

from __future__ import annotations

from keysh.interp.engine.meaning import resolve_in_shell
from keysh.interp.run.function import ShellFunction
from keysh.schema.parameter_type import WrapperType
from keysh.schema.render import declared_candidates as declared
from keysh.schema.render import option_awaiting_value
from keysh.schema.types import PATH, RAW, STR
from keysh.shell.completion.candidate import Candidate
from keysh.shell.completion.paths import directory_entries, path_candidates
from keysh.shell.completion.variables import job_candidates
from keysh.shell.completion.word import TypedWord
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

# A declaration is loaded to tell its help; for more names than these one would wait for it.
MAX_EXPLAINED_COMMANDS = 40
MAX_PROGRAMS = 5000

# The first operand of these is the name of a command, a directory, a variable, a job.
COMMAND_NAME_TAKERS = ("builtin", "command", "hash", "help", "type", "which")
DIRECTORY_TAKERS = ("cd", "mkdir", "pushd", "rmdir")
VARIABLE_TAKERS = ("declare", "export", "local", "read", "readonly", "typeset", "unset")
JOB_TAKERS = ("bg", "disown", "fg", "kill", "wait")
MAX_WRAPPER_DEPTH = 5  # commands that run commands that run commands


def command_candidates(state: State, found: CompletionSpot) -> list[Candidate]:
    """The commands whose names go on so."""
    return name_candidates(state, found.word)


def name_candidates(state: State, word: TypedWord) -> list[Candidate]:
    """What a name may call: functions, aliases, commands, then programs."""
    begin, start = word.text, word.name_start
    made = {
        name: Candidate(name, start, "keyword")
        for name in (*COMMAND_KEYWORDS, *CONTINUING_KEYWORDS)
    }
    made |= {name: Candidate(name, start, "program") for name in program_names(state, begin)}
    registry = state.session.registry
    own = [name for name in registry.names() if name.startswith(begin)]
    for name in own:
        command = registry.command_named(name) if len(own) <= MAX_EXPLAINED_COMMANDS else None
        summary = "" if command is None else command.summary
        made[name] = Candidate(name, start, "command", summary)
    for name, alias in state.aliases.items():
        made[name] = Candidate(name, start, "alias", getattr(alias, "text", ""))
    for name, function in state.functions.items():
        parameters = function.command
        told = "" if parameters is None else " ".join(map(parameter_summary, parameters.parameters))
        made[name] = Candidate(name, start, "function", told)
    return [made[name] for name in sorted(made) if name.startswith(begin)]


def parameter_summary(parameter: CommandParameter) -> str:
    """A parameter of a function, as its declaration has it."""
    star = "*" if parameter.role == "rest" else ""
    return f"{star}{parameter.key}: {parameter.type.name}"


def program_names(state: State, begin: str) -> set[str]:
    """The names of the files on `$PATH`, where programs may run at all."""
    if not begin or not state.session.has_programs:
        return set()
    found: set[str] = set()
    for folder in text_of(state.variables.get("PATH")).split(":"):
        if folder and len(found) < MAX_PROGRAMS:
            listed = directory_entries(state, join(state.cwd, folder))
            found.update(entry.name for entry in listed if entry.name.startswith(begin))
    return found


def argument_candidates(state: State, found: CompletionSpot) -> list[Candidate]:
    """What the declaration of the command offers, or else files."""
    words = found.command
    for _ in range(MAX_WRAPPER_DEPTH):
        name = TypedWord(words[0], 0).text
        if name not in WRAPPERS:
            break
        inner = words[
            wrapped_command_start(command_declaration(state, name), words, *WRAPPERS[name]) :
        ]
        if not inner and not found.word.text.startswith("-"):
            return name_candidates(state, found.word)
        if not inner:
            break
        words = inner
    return candidates_for_command(state, found, TypedWord(words[0], 0).text, words)


def wrapped_command_start(
    command: Command | None, words: list[str], valued: Sequence[str], operands: int
) -> int:
    """Where in the words of a wrapper the command begins that it runs."""
    at = 1
    while at < len(words):
        word = words[at]
        if word.startswith("-"):
            declares = command is not None and option_awaiting_value(command, word) is not None
            at += declares or word in valued
        elif "=" not in word:
            if not operands:
                break
            operands -= 1
        at += 1
    return at


def command_declaration(state: State, name: str) -> Command | None:
    """What is declared of a function or a command."""
    meaning = resolve_in_shell(state, name)
    return meaning.command if isinstance(meaning, ShellFunction) else meaning


def candidates_for_command(
    state: State, found: CompletionSpot, name: str, words: list[str]
) -> list[Candidate]:
    """What the arguments of one command can be."""
    word, begin = found.word, found.word.text
    command = command_declaration(state, name)
    if name in COMMAND_NAME_TAKERS and not begin.startswith("-"):
        return name_candidates(state, word)
    if name in VARIABLE_TAKERS and not begin.startswith("-"):
        return [Candidate(name, word.name_start, "variable") for name in sorted(state.variables)
                if name.startswith(begin)]  # fmt: skip
    if name in JOB_TAKERS and not begin.startswith("-"):
        return job_candidates(state, found)
    if name in DIRECTORY_TAKERS and not begin.startswith("-"):
        return path_candidates(state, word, folders_only=True)
    if command is None or command.is_raw:
        return path_candidates(state, word)
    offered = candidates_by_declaration(
        command, found, TypedWord(words[-1], 0).text if len(words) > 1 else ""
    )
    return offered + path_candidates(state, word) if accepts_paths(command, found) else offered


def candidates_by_declaration(
    command: Command, found: CompletionSpot, before: str
) -> list[Candidate]:
    """Options, names of parameters, and values, each with its type and help."""
    start = found.word.start
    made = []
    for text, told in declared(command, found.key + found.word.text, before):
        kind, joined = "value", text.removeprefix(found.key)
        parameter = command.by_key.get(text[:-1]) if text.endswith("=") else None
        if parameter is not None:
            kind, told = "parameter", typed_help(parameter, told)
        elif text.startswith("-") and not found.key:
            kind = "option"
        made.append(Candidate(joined, start, kind, told))
    if found.word.text.startswith("--") and not found.key:
        # Parameters of a function are options too, though they have a place.
        made += [
            Candidate(f"--{long}", start, "option", typed_help(parameter, parameter.help))
            for long, (parameter, is_on) in command.by_full_name.items()
            if is_on and long not in command.by_long and long.startswith(found.word.text[2:])
        ]
    return made


def typed_help(parameter: CommandParameter, help: str) -> str:
    """A parameter's type and help."""
    return f"{parameter.type.name}: {help}" if help else parameter.type.name


def accepts_paths(command: Command, found: CompletionSpot) -> bool:
    """Whether a file may stand here: as a value of this parameter, or as an operand."""
    if found.key:
        parameter = command.by_key.get(found.key.rstrip("=")) or command.by_long.get(
            found.key.strip("-=")
        )
        return parameter is not None and may_be_path(parameter.type)
    if found.word.text.startswith("-"):
        return False
    places = [*command.operands, *([command.rest] if command.rest else [])]
    return not places or any(may_be_path(place.type) for place in places)


def may_be_path(type: ParameterType) -> bool:
    """Whether a type's values may be paths; text may always be one."""
    inner = type
    while isinstance(inner, WrapperType):
        inner = inner.inner
    return inner in (PATH, STR, RAW)
