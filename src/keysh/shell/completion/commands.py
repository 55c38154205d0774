"""Commands by their names, and their arguments by their declarations."""

from __future__ import annotations

from keysh.schema.render import candidates as declared
from keysh.schema.render import waiting_option
from keysh.schema.types import PATH, RAW, STR, Wrapped
from keysh.shell.completion.candidate import Candidate
from keysh.shell.completion.paths import entries, paths
from keysh.shell.completion.variables import jobs
from keysh.shell.completion.word import Word
from keysh.syntax.wrappers import WRAPPERS
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.state import State
    from keysh.schema.command import Command, Parameter
    from keysh.schema.types import ParameterType
    from keysh.shell.completion.spot import Spot

KEYWORDS = ("case", "for", "function", "if", "time", "until", "while")
CONTINUING = ("do", "done", "elif", "else", "esac", "fi", "then")

# A declaration is loaded to tell its help; for more names than these one would wait for it.
MOST_EXPLAINED = 40
MOST_PROGRAMS = 5000

# The first operand of these is the name of a command, a directory, a variable, a job.
TAKE_COMMANDS = ("builtin", "command", "hash", "help", "type", "which")
TAKE_FOLDERS = ("cd", "mkdir", "pushd", "rmdir")
TAKE_VARIABLES = ("declare", "export", "local", "read", "readonly", "typeset", "unset")
TAKE_JOBS = ("bg", "disown", "fg", "kill", "wait")
DEPTH = 5  # commands that run commands that run commands


def commands(state: State, found: Spot) -> list[Candidate]:
    """The commands whose names go on so."""
    return named(state, found.word)


def named(state: State, word: Word) -> list[Candidate]:
    """What a name may call: functions, aliases, commands, then programs."""
    begin, start = word.text, word.piece
    made = {name: Candidate(name, start, "keyword") for name in (*KEYWORDS, *CONTINUING)}
    made |= {name: Candidate(name, start, "program") for name in programs(state, begin)}
    registry = state.session.registry
    own = [name for name in registry.names() if name.startswith(begin)]
    for name in own:
        command = registry.command_named(name) if len(own) <= MOST_EXPLAINED else None
        summary = "" if command is None else command.summary
        made[name] = Candidate(name, start, "command", summary)
    for name, alias in state.aliases.items():
        made[name] = Candidate(name, start, "alias", getattr(alias, "text", ""))
    for name, function in state.functions.items():
        parameters = function.command
        told = "" if parameters is None else " ".join(map(shown, parameters.parameters))
        made[name] = Candidate(name, start, "function", told)
    return [made[name] for name in sorted(made) if name.startswith(begin)]


def shown(parameter: Parameter) -> str:
    """A parameter of a function, as its declaration has it."""
    star = "*" if parameter.place == "rest" else ""
    return f"{star}{parameter.key}: {parameter.type.name}"


def programs(state: State, begin: str) -> set[str]:
    """The names of the files on `$PATH`, where programs may run at all."""
    if not begin or not state.session.has_programs:
        return set()
    found: set[str] = set()
    for folder in text_of(state.variables.get("PATH")).split(":"):
        if folder and len(found) < MOST_PROGRAMS:
            listed = entries(state, join(state.cwd, folder))
            found.update(entry.name for entry in listed if entry.name.startswith(begin))
    return found


def arguments(state: State, found: Spot) -> list[Candidate]:
    """What the declaration of the command offers, or else files."""
    words = found.command
    for _ in range(DEPTH):
        name = Word(words[0], 0).text
        if name not in WRAPPERS:
            break
        inner = words[inner_command(declaration(state, name), words, *WRAPPERS[name]) :]
        if not inner and not found.word.text.startswith("-"):
            return named(state, found.word)
        if not inner:
            break
        words = inner
    return of_command(state, found, Word(words[0], 0).text, words)


def inner_command(
    command: Command | None, words: list[str], valued: Sequence[str], operands: int
) -> int:
    """Where in the words of a wrapper the command begins that it runs."""
    at = 1
    while at < len(words):
        word = words[at]
        if word.startswith("-"):
            declares = command is not None and waiting_option(command, word) is not None
            at += declares or word in valued
        elif "=" not in word:
            if not operands:
                break
            operands -= 1
        at += 1
    return at


def declaration(state: State, name: str) -> Command | None:
    """What is declared of a function or a command."""
    function = state.functions.get(name)
    if function is not None:
        return function.command
    return state.session.registry.command_named(name)


def of_command(state: State, found: Spot, name: str, words: list[str]) -> list[Candidate]:
    """What the arguments of one command can be."""
    word, begin = found.word, found.word.text
    command = declaration(state, name)
    if name in TAKE_COMMANDS and not begin.startswith("-"):
        return named(state, word)
    if name in TAKE_VARIABLES and not begin.startswith("-"):
        return [Candidate(name, word.piece, "variable") for name in sorted(state.variables)
                if name.startswith(begin)]  # fmt: skip
    if name in TAKE_JOBS and not begin.startswith("-"):
        return jobs(state, found)
    if name in TAKE_FOLDERS and not begin.startswith("-"):
        return paths(state, word, folders_only=True)
    if command is None or command.is_raw:
        return paths(state, word)
    offered = by_declaration(command, found, Word(words[-1], 0).text if len(words) > 1 else "")
    return offered + paths(state, word) if wants_paths(command, found) else offered


def by_declaration(command: Command, found: Spot, before: str) -> list[Candidate]:
    """Options, names of parameters, and values, each with its type and help."""
    start = found.word.start
    made = []
    for text, told in declared(command, found.key + found.word.text, before):
        kind, joined = "value", text.removeprefix(found.key)
        parameter = command.by_key.get(text[:-1]) if text.endswith("=") else None
        if parameter is not None:
            kind, told = "parameter", typed(parameter, told)
        elif text.startswith("-") and not found.key:
            kind = "option"
        made.append(Candidate(joined, start, kind, told))
    if found.word.text.startswith("--") and not found.key:
        # Parameters of a function are options too, though they have a place.
        made += [
            Candidate(f"--{long}", start, "option", typed(parameter, parameter.help))
            for long, (parameter, is_on) in command.by_whole.items()
            if is_on and long not in command.by_long and long.startswith(found.word.text[2:])
        ]
    return made


def typed(parameter: Parameter, help: str) -> str:
    """A parameter's type and help."""
    return f"{parameter.type.name}: {help}" if help else parameter.type.name


def wants_paths(command: Command, found: Spot) -> bool:
    """Whether a file may stand here: as a value of this parameter, or as an operand."""
    if found.key:
        parameter = command.by_key.get(found.key.rstrip("=")) or command.by_long.get(
            found.key.strip("-=")
        )
        return parameter is not None and is_path(parameter.type)
    if found.word.text.startswith("-"):
        return False
    places = [*command.operands, *([command.rest] if command.rest else [])]
    return not places or any(is_path(place.type) for place in places)


def is_path(type: ParameterType) -> bool:
    """Whether a type's values may be paths; text may always be one."""
    inner = type
    while isinstance(inner, Wrapped):
        inner = inner.inner
    return inner in (PATH, STR, RAW)
