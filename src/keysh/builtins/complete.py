"""complete - say how words of a command are completed."""

from __future__ import annotations

from keysh.builtins.compgen import STATUS_USAGE, given_spec
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.hash_order import bash_order
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

HASH_BUCKETS = 512  # of bash's table of completions
# The names under which bash keeps what holds for no single command; where they are listed.
SPECIAL_NAMES = {"default": "-D", "empty": "-E", "initial": "-I"}
BASH_KEYS = {"-D": "_DefaultCmD_", "-E": "_EmptycmD_", "-I": "_InitialWorD_"}
USAGE = (
    "complete: usage: complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] "
    "[-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]\n"
)


@command(refusals=Refusals(usage_status=STATUS_USAGE))
def complete(
    sh: Call,
    *names: str,
    print: bool = False,
    remove: bool = False,
    default: bool = False,
    empty: bool = False,
    initial: bool = False,
    action: list[str] | None = None,
    alias: bool = False,
    builtin: bool = False,
    command: bool = False,
    directory: bool = False,
    export: bool = False,
    file: bool = False,
    group: bool = False,
    job: bool = False,
    keyword: bool = False,
    service: bool = False,
    user: bool = False,
    variable: bool = False,
    option: list[str] | None = None,
    function: str | None = None,
    run: str | None = None,
    glob: str | None = None,
    words: str | None = None,
    prefix: str | None = None,
    suffix: str | None = None,
    exclude: str | None = None,
) -> str:
    """Say how the words of commands are completed at the prompt.

    Without options list what has been said.

    names ...            the commands
    -p, --print          print what has been said of the commands
    -r, --remove         forget what has been said of the commands, or of all
    -D, --default        all other commands
    -E, --empty          empty lines
    -I, --initial        the first word of a line
    -A, --action NAME    a kind of names, as in compgen
    -a, --alias          aliases
    -b, --builtin        builtins
    -c, --command        commands of all kinds
    -d, --directory      directories
    -e, --export         exported variables
    -f, --file           files
    -g, --group          groups
    -j, --job            jobs
    -k, --keyword        reserved words
    -s, --service        services
    -u, --user           users
    -v, --variable       variables
    -o, --option NAME    an option of the completion
    -F, --function NAME  the function that finds the words
    -C, --run COMMAND    the command that prints them
    -G, --glob PATTERN   files that match PATTERN
    -W, --words TEXT     the words of TEXT
    -P, --prefix TEXT    what precedes each word
    -S, --suffix TEXT    what follows each word
    -X, --exclude GLOB   words to omit
    """
    state = state_of(sh)
    spec = given_spec(sh, action, option)
    given = {name for name, _ in sh.given}
    special = next((SPECIAL_NAMES[name] for name in SPECIAL_NAMES if name in given), None)
    targets = (special,) if special else names
    if remove:
        remove_completions(sh, state, targets)
    elif print or not (given or names):
        return listed_completions(sh, state, targets)
    elif not targets:
        sh.err.write(USAGE)
        sh.status = STATUS_USAGE
    elif "F" in spec.texts and not is_function_name(spec.texts["F"]):
        raise sh.fail(f"`{spec.texts['F']}': not a valid identifier", STATUS_USAGE)
    else:
        state.completions = {**state.completions, **dict.fromkeys(targets, spec)}
    return ""


def is_function_name(text: str) -> bool:
    """Whether bash takes a text for the name of a function here."""
    return bool(text) and not any(char in " \t\n;&|<>()$`\\\"'" for char in text)


def remove_completions(sh: Call, state: State, names: Sequence[str]) -> None:
    """Forget the specifications of these commands; without names all of them."""
    for name in names:
        if name not in state.completions:
            sh.warn(f"{name}: no completion specification")
    state.completions = {
        name: spec for name, spec in state.completions.items() if names and name not in names
    }


def listed_completions(sh: Call, state: State, names: Sequence[str]) -> str:
    """Return the commands that make the specifications of these commands, or of all."""
    lines = []
    for name in names or all_names(state):
        spec = state.completions.get(name)
        if spec is None:
            sh.warn(f"{name}: no completion specification")
        else:
            lines.append(f"{spec.command_line(name)}\n")
    return "".join(lines)


def all_names(state: State) -> list[str]:
    """Return all names that have a specification, in the order of bash's hash table."""
    names = {BASH_KEYS.get(name, name): name for name in state.completions}
    return [names[key] for key in bash_order(list(names), HASH_BUCKETS)]
