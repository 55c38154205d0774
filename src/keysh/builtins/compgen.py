"""compgen - list possible completions."""

from __future__ import annotations

from keysh.interp.builtin_operations.all_meanings import KEYWORDS
from keysh.interp.builtin_operations.generated_completions import (
    CompletedLine,
    completions_of_command,
    completions_of_function,
)
from keysh.interp.engine.dispatch import programs_on_path
from keysh.interp.jobs.names import named_jobs
from keysh.interp.run.options import SET_OPTIONS, SHOPT_OPTIONS
from keysh.interp.state.completion_specs import (
    ACTION_LETTERS,
    COMPLETION_OPTIONS,
    TEXT_LETTERS,
    CompletionSpec,
)
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.variable import EXPORTED
from keysh.interp.words.glob_expansion import glob_paths
from keysh.interp.words.shell_pattern import shell_pattern
from keysh.interp.words.word_splitting import field_separators
from keysh.schema.declare import OutputStyle, Refusals, command
from keysh.text.bounds.text_size import joined_bytes
from keysh.text.signal_names import SIGNAL_NAMES
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

STATUS_USAGE = 2
# In bash the names of several kinds come in this order.
ACTION_ORDER = (
    "alias", "arrayvar", "binding", "builtin", "disabled", "enabled", "export", "function",
    "helptopic", "hostname", "job", "keyword", "running", "setopt", "shopt", "signal", "stopped",
    "variable", "command", "file", "user", "group", "service", "directory",
)  # fmt: skip


@command(output=OutputStyle(lines=True), refusals=Refusals(usage_status=STATUS_USAGE))
def compgen(
    sh: Call,
    word: str = "",
    *,
    action: list[str] | None = None,
    alias: bool = False,
    builtin: bool = False,
    command: bool = False,
    directory: bool = False,
    export: bool = False,
    file: bool = False,
    function: str | None = None,
    glob: str | None = None,
    group: bool = False,
    job: bool = False,
    keyword: bool = False,
    option: list[str] | None = None,
    run: str | None = None,
    service: bool = False,
    user: bool = False,
    variable: bool = False,
    words: str | None = None,
    prefix: str | None = None,
    suffix: str | None = None,
    exclude: str | None = None,
) -> str:
    """List possible completions of a word; fail if there are none.

    word                 the beginning of the names
    -A, --action NAME    a kind of names: alias arrayvar builtin command directory
                         disabled enabled export file function group helptopic
                         job keyword running setopt shopt signal stopped user
                         variable; binding, hostname and service have none
    -a, --alias          aliases, like -A alias
    -b, --builtin        builtins
    -c, --command        commands of all kinds
    -d, --directory      directories
    -e, --export         exported variables
    -f, --file           files
    -F, --function NAME  what the function NAME puts into $COMPREPLY
    -C, --run COMMAND    the lines that COMMAND prints
    -G, --glob PATTERN   files that match PATTERN, whatever the word
    -g, --group          the current user's group
    -j, --job            jobs
    -k, --keyword        reserved words
    -o, --option NAME    dirnames: directories if nothing else is found; plusdirs:
                         directories, too; others as in bash, without effect
    -s, --service        services, of which there are none
    -u, --user           the current user
    -v, --variable       variables
    -W, --words TEXT     the words of TEXT, expanded and split at $IFS
    -P, --prefix TEXT    put TEXT before each name
    -S, --suffix TEXT    put TEXT after each name
    -X, --exclude GLOB   omit names that match GLOB; with !GLOB those that do not
    """
    state = state_of(sh)
    spec = given_spec(sh, action, option)
    for letter in ("F", "C"):
        if letter in spec.texts:
            sh.note(f"warning: -{letter} option may not work as you expect")
    if "F" in spec.texts and spec.texts["F"] not in state.functions:
        sh.complain(f"completion: function `{spec.texts['F']}' not found", as_shell=True)
    line = CompletedLine(sh.name, word)
    names = completions_of_spec(state, spec, line, sh.site.line if sh.site else 0)
    if not names and sh.given:
        sh.status = 1
    return "".join(f"{name}\n" for name in names)


def given_spec(
    sh: Call, actions: Sequence[str] | None, options: Sequence[str] | None
) -> CompletionSpec:
    """Return what the options of `compgen` and `complete` specify; refuse unknown names."""
    check_names(sh, actions or (), options or ())
    given = dict(sh.given)
    kinds = {*(actions or ()), *(kind for kind in ACTION_LETTERS if kind in given)}
    texts = {letter: text_of(given[name]) for letter, name in TEXT_LETTERS.items() if name in given}
    return CompletionSpec(frozenset(options or ()), frozenset(kinds), texts)


def completions_of_spec(
    state: State, spec: CompletionSpec, line: CompletedLine, number: int
) -> list[str]:
    """Return the completions of a word; `number` is the line of a script that asks, or 0."""
    word, texts = line.word, spec.texts
    names: list[str] = []
    for kind in ACTION_ORDER:
        if kind in spec.actions:
            names += sorted(name for name in ACTIONS[kind](state, word) if name.startswith(word))
    if "G" in texts:
        glob = texts["G"]
        paths = glob_paths(state, glob, [(glob, True)])
        names += [path for path in paths if path != glob or path in files(state, path)]
    if "W" in texts:
        expanded = state.compiler.expanded_text(texts["W"], state)(state)
        names += [one for one in fields_of(state, expanded) if one.startswith(word)]
    function = state.functions.get(texts.get("F", ""))
    if function is not None:
        names += completions_of_function(state, function, line, number)
    if "C" in texts:
        names += completions_of_command(state, texts["C"], line)
    for name in ("dirnames", "plusdirs"):
        if name in spec.options and (not names or name == "plusdirs"):
            kind_names = ACTIONS["directory"](state, word)
            names += sorted(name for name in kind_names if name.startswith(word))
    if "X" in texts:
        exclude = texts["X"]
        pattern, wanted = shell_pattern(state, exclude.removeprefix("!")), exclude[:1] == "!"
        names = [name for name in names if pattern.matches(name, state.tick) is wanted]
    prefix, suffix = texts.get("P", ""), texts.get("S", "")
    # Twice: as a list, and joined.
    state.reserve(2 * len(names) * joined_bytes((prefix, suffix)))
    return [f"{prefix}{name}{suffix}" for name in names]


def check_names(sh: Call, actions: Iterable[str], options: Iterable[str]) -> None:
    """Refuse what is no kind of names or no option of a completion."""
    for name in actions:
        if name not in ACTIONS:
            raise sh.fail(f"{name}: invalid action name", STATUS_USAGE)
    for name in options:
        if name not in COMPLETION_OPTIONS:
            raise sh.fail(f"{name}: invalid option name", STATUS_USAGE)


def fields_of(state: State, text: str) -> list[str]:
    """Split a text at the characters of `$IFS`."""
    separators = field_separators(state)
    for char in separators:
        text = text.replace(char, "\0")
    return [field for field in text.split("\0") if field]


def commands(state: State, word: str) -> Iterable[str]:
    names = {*state.session.registry.names(), *state.functions, *state.aliases, *KEYWORDS}
    return names | programs_on_path(state) if state.dialect.finds_tools_on_path else names


def builtins(state: State, word: str) -> Iterable[str]:
    registry = state.session.registry
    return (name for name in registry.names() if not registry.is_program(name))


def variables(state: State, word: str) -> Iterable[str]:
    return state.variables


def arrays(state: State, word: str) -> Iterable[str]:
    return (name for name, value in state.variables.items() if isinstance(value, list | dict))


def exported_names(state: State, word: str) -> Iterable[str]:
    return (name for name, bits in state.attributes.items() if bits & EXPORTED)


def signals(state: State, word: str) -> Iterable[str]:
    return (f"SIG{name}" for name in SIGNAL_NAMES[1:])


def users(state: State, word: str) -> Iterable[str]:
    return (text_of(state.variables.get("USER") or state.variables.get("LOGNAME") or "user"),)


def jobs(state: State, word: str) -> Iterable[str]:
    return (text_of(job.text.split(" ")[0]) for job in named_jobs(state))


def stopped_jobs(state: State, word: str) -> Iterable[str]:
    return (text_of(job.text.split(" ")[0]) for job in named_jobs(state) if job.is_stopped)


def files(state: State, word: str) -> Iterable[str]:
    return entries(state, word, only_directories=False)


def directories(state: State, word: str) -> Iterable[str]:
    return entries(state, word, only_directories=True)


def entries(state: State, word: str, *, only_directories: bool) -> list[str]:
    """Return the entries of the directory that a word begins with."""
    folder, slash, _ = word.rpartition("/")
    directory = join(state.cwd, folder + slash or ".")
    names: list[str] = []
    try:
        for entry in state.fs.list(directory):
            state.tick()
            path = join(directory, entry.name)
            if not only_directories or state.fs.stat(path, follow=True).is_directory:
                names.append(f"{folder}{slash}{entry.name}")
    except OSError:  # an unreadable directory has no completions
        return []
    return names


ACTIONS: dict[str, Callable[[State, str], Iterable[str]]] = {
    "alias": lambda state, word: state.aliases,
    "arrayvar": arrays,
    "binding": lambda state, word: (),
    "builtin": builtins,
    "command": commands,
    "directory": directories,
    "disabled": lambda state, word: (),
    "enabled": builtins,
    "export": exported_names,
    "file": files,
    "function": lambda state, word: state.functions,
    "group": users,
    "helptopic": builtins,
    "hostname": lambda state, word: (),
    "job": jobs,
    "keyword": lambda state, word: KEYWORDS,
    "running": jobs,
    "service": lambda state, word: (),
    "setopt": lambda state, word: SET_OPTIONS,
    "shopt": lambda state, word: SHOPT_OPTIONS,
    "signal": signals,
    "stopped": stopped_jobs,
    "user": users,
    "variable": variables,
}
