"""Refusals of builtins in the bash dialect: bash's words, and the line that shows the usage."""

from __future__ import annotations

import re

# As `help -s NAME` of bash 5.2 prints them.
USAGE_BY_BUILTIN = {
    ".": "filename [arguments]",
    "alias": "[-p] [name[=value] ... ]",
    "cd": "[-L|[-P [-e]] [-@]] [dir]",
    "command": "[-pVv] command [arg ...]",
    "compgen": (
        "[-abcdefgjksuv] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] "
        "[-C command] [-X filterpat] [-P prefix] [-S suffix] [word]"
    ),
    "complete": (
        "[-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W wordlist] "
        "[-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]"
    ),
    "compopt": "[-o|+o option] [-DEI] [name ...]",
    "declare": "[-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
    "dirs": "[-clpv] [+N] [-N]",
    "disown": "[-h] [-ar] [jobspec ... | pid ...]",
    "exec": "[-cl] [-a name] [command [argument ...]] [redirection ...]",
    "export": "[-fn] [name[=value] ...] or export -p",
    "getopts": "optstring name [arg ...]",
    "hash": "[-lr] [-p pathname] [-dt] [name ...]",
    "jobs": "[-lnprs] [jobspec ...] or jobs -x command [args]",
    "local": "[option] name[=value] ...",
    "mapfile": (
        "[-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c "
        "quantum] [array]"
    ),
    "popd": "[-n] [+N | -N]",
    "pushd": "[-n] [+N | -N | dir]",
    "pwd": "[-LP]",
    "read": (
        "[-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t "
        "timeout] [-u fd] [name ...]"
    ),
    "readarray": (
        "[-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c "
        "quantum] [array]"
    ),
    "readonly": "[-aAf] [name[=value] ...] or readonly -p",
    "shopt": "[-pqsu] [-o] [optname ...]",
    "source": "filename [arguments]",
    "trap": "[-lp] [[arg] signal_spec ...]",
    "type": "[-afptP] name [name ...]",
    "typeset": "[-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
    "ulimit": "[-SHabcdefiklmnpqrstuvxPRT] [limit]",
    "umask": "[-p] [-S] [mode]",
    "unalias": "[-a] name [name ...]",
    "unset": "[-f] [-v] [-n] [name ...]",
    "wait": "[-fn] [-p var] [id ...]",
}
# With an operand too many bash goes on with the next line, outside of all functions and loops.
BUILTINS_THAT_END_LINES = frozenset(("break", "continue", "exit", "return", "shift"))
BAD_SHORT_OPTION = re.compile(r"(invalid option|option requires an argument) -- '(.)'")


def refusal_in_bash(name: str, message: str) -> tuple[str, str] | None:
    """Return what bash says where a builtin refuses its options, and its usage line.

    None where bash says something else, or the command is none of its builtins.
    """
    usage = USAGE_BY_BUILTIN.get(name)
    if usage is None:
        return None
    usage_line = f"{name}: usage: {name} {usage}".rstrip()
    if short := BAD_SHORT_OPTION.fullmatch(message):
        return f"-{short[2]}: {short[1]}", usage_line
    if message.startswith("unrecognized option"):
        return "--: invalid option", usage_line
    return None
