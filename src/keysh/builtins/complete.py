"""complete - say how words of a command are completed."""

from __future__ import annotations

from keysh.builtins.compgen import STATUS_USAGE, check_names
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

KIND_OPTIONS = (
    "-a, --alias; -b, --builtin; -c, --command; -d, --directory; -e, --export; -f, --file"
)
MORE_KIND_OPTIONS = (
    "-g, --group; -j, --job; -k, --keyword; -s, --service; -u, --user; -v, --variable"
)


@command(
    refusals=Refusals(usage_status=STATUS_USAGE), ignored=f"{KIND_OPTIONS}; {MORE_KIND_OPTIONS}"
)
def complete(
    sh: Call,
    *names: str,
    print: bool = False,
    remove: bool = False,
    default: bool = False,
    empty: bool = False,
    initial: bool = False,
    action: list[str] | None = None,
    option: list[str] | None = None,
    function: str | None = None,
    run: str | None = None,
    glob: str | None = None,
    words: str | None = None,
    prefix: str | None = None,
    suffix: str | None = None,
    exclude: str | None = None,
) -> None:
    """Accept what a script says about completing the words of commands.

    It has no effect: keysh completes words from the declaration of the command.

    names ...            the commands
    -p, --print          print what is known of the commands, which is nothing
    -r, --remove         forget what is known of the commands
    -D, --default        all other commands
    -E, --empty          empty lines
    -I, --initial        the first word of a line
    -A, --action NAME    a kind of names, as in compgen
    -o, --option NAME    an option of the completion
    -F, --function NAME  the function that finds the words
    -C, --run COMMAND    the command that prints them
    -G, --glob PATTERN   files that match PATTERN
    -W, --words TEXT     the words of TEXT
    -P, --prefix TEXT    what precedes each word
    -S, --suffix TEXT    what follows each word
    -X, --exclude GLOB   words to omit
    """
    check_names(sh, action or (), option or ())
    if print:
        for name in names:
            sh.warn(f"{name}: no completion specification")
    elif sh.given and not (names or remove or default or empty or initial):
        sh.err.write("complete: usage: complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] "
                     "[-A action] [-G globpat] [-W wordlist] [-F function] [-C command] "
                     "[-X filterpat] [-P prefix] [-S suffix] [name ...]\n")  # fmt: skip
        sh.status = STATUS_USAGE
