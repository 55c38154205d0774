"""Options and variables that mean something else in bash, with the fixes."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.dialect import Dialect

# Options that are always on or always off, and options that are on by default.
ALWAYS_ON = {
    "braceexpand": "quote braces that are meant as text",
    "expand_aliases": "write `\\name` to bypass an alias, or `unalias -a`",
    "extglob": "quote a pattern that is meant as text",
    "extquote": "write what `$'…'` stands for",
    "globskipdots": "write `. ..` to include them",
    "lastpipe": "write `( … )` around the last stage to discard its variables",
    "patsub_replacement": "quote an `&` that is meant as text",
    "sourcepath": "write `source ./FILE` for a file that is here",
}
NEVER_ON = {
    "cdable_vars": 'write `cd "$name"`',
    **dict.fromkeys(
        ("compat31", "compat32", "compat40", "compat41", "compat42", "compat43", "compat44"),
        "remove it: bash 5.2 is what scripts are written for",
    ),
    "execfail": "check `command -v NAME` before `exec NAME`",
    "extdebug": "write `set -ET` to run traps in functions",
    "keyword": "write the assignments before the command",
    "localvar_inherit": "write `local name=$name`",
    "localvar_unset": "write `name=` instead of `unset name`",
    "login_shell": "remove it",
    "onecmd": "write `exit` after the command",
    "posix": "remove it: bash is what scripts are written for",
    "restricted_shell": "run untrusted scripts with `keysh --sandbox`",
    "varredir_close": "write `exec {name}>&-` to close the file",
}
# Fixed in keysh, free in the bash dialect.
DIALECT_OPTIONS = ("expand_aliases", "extglob", "lastpipe")
ON_BY_DEFAULT = {
    "failglob": "write `shopt -u failglob` for bash's default",
    "globstar": "write `shopt -u globstar` for bash's default",
}

# Variables that control bash.
BASH_ONLY_VARIABLES = {
    "BASH_COMPAT": "remove it",
    "EXECIGNORE": "remove the directory from `PATH`",
    "FUNCNEST": "give the shell a limit: `--limit depth=N`",
    "HISTFILESIZE": "shorten the file with `tail -n N`",
    "POSIXLY_CORRECT": "export it if it is for programs",
    "TMOUT": "write `read -t N`, or `timeout N` before a command",
}


def option_refusal(name: str, is_on: bool, dialect: Dialect) -> str:
    """Return the warning for an option that cannot be turned on or off; empty if it can."""
    if dialect is BASH and name in DIALECT_OPTIONS:
        return ""
    fixes = NEVER_ON if is_on else ALWAYS_ON
    if name not in fixes:
        return ""
    return f"{name}: W308 this option is always {'off' if is_on else 'on'}; fix: {fixes[name]}"
