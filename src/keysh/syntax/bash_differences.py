"""Foreign: options and variables that mean to bash what they do not mean here, and the fixes."""

from __future__ import annotations

# Options that are always on or always off, and those that are on from the start.
ALWAYS_ON = {
    "braceexpand": "quote braces that are meant as text",
    "expand_aliases": "write `\\name` for what is no alias, or `unalias -a`",
    "extglob": "quote a pattern that is meant as text",
    "extquote": "write what `$'…'` stands for",
    "globskipdots": "write `. ..` where they are wanted",
    "lastpipe": "write `( … )` around a last stage whose variables are not wanted",
    "patsub_replacement": "quote an `&` that is meant as text",
    "sourcepath": "write `source ./FILE` for a file that is here",
}
NEVER_ON = {
    "cdable_vars": 'write `cd "$name"`',
    **dict.fromkeys(
        ("compat31", "compat32", "compat40", "compat41", "compat42", "compat43", "compat44"),
        "remove it: bash 5.2 is what scripts are written for",
    ),
    "execfail": "ask `command -v NAME` before `exec NAME`",
    "extdebug": "write `set -ET` for traps that act in functions",
    "keyword": "write the assignments before the command",
    "localvar_inherit": "write `local name=$name`",
    "localvar_unset": "write `name=` for `unset name`",
    "login_shell": "remove it",
    "onecmd": "write `exit` behind the command",
    "posix": "remove it: bash is what scripts are written for",
    "restricted_shell": "run what is not trusted with `keysh --sandbox`",
    "varredir_close": "write `exec {name}>&-` where the file is not needed any more",
}
ON_BY_DEFAULT = {
    "failglob": "write `shopt -u failglob` for what bash begins with",
    "globstar": "write `shopt -u globstar` for what bash begins with",
}

# Variables at which bash does something by itself.
BASH_ONLY_VARIABLES = {
    "BASH_COMPAT": "remove it",
    "BASH_XTRACEFD": "write `{ …; } 2>file` around what is traced",
    "EXECIGNORE": "leave the directory out of `PATH`",
    "FUNCNEST": "give the shell a limit: `--limit depth=N`",
    "HISTFILESIZE": "write `tail -n N` of the file",
    "POSIXLY_CORRECT": "export it, where it is for programs",
    "TMOUT": "write `read -t N`, or `timeout N` before a command",
}


def option_refusal(name: str, is_on: bool) -> str:
    """What is said where an option is turned on or off that cannot be; nothing where it can."""
    fixes = NEVER_ON if is_on else ALWAYS_ON
    if name not in fixes:
        return ""
    return f"{name}: W308 this option is always {'off' if is_on else 'on'}; fix: {fixes[name]}"
