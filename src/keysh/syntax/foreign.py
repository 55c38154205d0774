"""Foreign: options and variables that mean to bash what they do not mean here, and the fixes."""

from __future__ import annotations

# Options that are always on, and those that are on from the start.
FIXED = {
    "braceexpand": "quote braces that are meant as text",
    "expand_aliases": "write `\\name` for what is no alias, or `unalias -a`",
    "extglob": "quote a pattern that is meant as text",
    "lastpipe": "write `( … )` around a last stage whose variables are not wanted",
}
FIRST_ON = {
    "failglob": "write `shopt -u failglob` for what bash begins with",
    "globstar": "write `shopt -u globstar` for what bash begins with",
}

# Variables at which bash does something by itself.
FOREIGN = {
    "BASH_COMPAT": "remove it",
    "BASH_XTRACEFD": "write `{ …; } 2>file` around what is traced",
    "EXECIGNORE": "leave the directory out of `PATH`",
    "FUNCNEST": "give the shell a limit: `--limit depth=N`",
    "HISTFILESIZE": "write `tail -n N` of the file",
    "POSIXLY_CORRECT": "export it, where it is for programs",
    "TMOUT": "write `read -t N`, or `timeout N` before a command",
}


def always_on(name: str) -> str:
    """What a command says that is to turn one of them off."""
    return f"{name}: W308 this option is always on; fix: {FIXED[name]}"
