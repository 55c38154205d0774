"""Script line: the program that a first line behind `#!` names, and what its scripts are called."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import Kind
    from keysh.tools.file.text_form import TextForm

LINE = re.compile(r"#![ \t]*(.*)")
PROGRAM = re.compile(
    r"(/usr/bin/env[ \t]+|/bin/|/usr/bin/|/usr/local/bin/)([A-Za-z]+)[-.\d]*(?:\s|$)"
)
SHELL = "text/x-shellscript"
# By the name of the program: what is said, and the media type.
SCRIPTS = {
    "sh": ("POSIX shell script", SHELL),
    "bash": ("Bourne-Again shell script", SHELL),
    "ksh": ("Korn shell script", SHELL),
    "zsh": ("Paul Falstad's zsh script", SHELL),
    "csh": ("C shell script", SHELL),
    "tcsh": ("Tenex C shell script", SHELL),
    "fish": ("fish shell script", SHELL),
    "python": ("Python script", "text/x-script.python"),
    "ruby": ("Ruby script", "text/x-ruby"),
    "php": ("PHP script", "text/x-php"),
    "awk": ("awk script", "text/x-awk"),
    "gawk": ("GNU awk script", "text/x-gawk"),
    "lua": ("Lua script", "text/x-lua"),
    "tclsh": ("Tcl/Tk script", "text/x-tcl"),
    "wish": ("Tcl/Tk script", "text/x-tcl"),
    "keysh": ("keysh script", "text/x-keysh"),
}
# These stand before the text's name, with `executable` in them.
EXECUTABLES = {
    "node": ("Node.js script executable", "application/javascript"),
    "nodejs": ("Node.js script executable", "application/javascript"),
    "julia": ("Julia script executable", "text/plain"),
    "runhaskell": ("Haskell script executable", "text/plain"),
}
PATHS_ONLY = ("php",)  # whose name behind `env` is no sign


def script_kind(form: TextForm) -> Kind | None:
    """What a text is that begins with `#!`; None for any other."""
    line = LINE.match(form.text)
    if line is None:
        return None
    found = PROGRAM.match(line[1])
    program = found[2] if found else ""
    if found and found[1].startswith("/usr/bin/env") and program in PATHS_ONLY:
        program = ""
    if program == "perl":
        return "Perl script text executable", "text/x-perl"
    if program in EXECUTABLES:
        words, media = EXECUTABLES[program]
        return f"{words}, {form.name()}", media
    if program in SCRIPTS:
        words, media = SCRIPTS[program]
        return f"{words}, {form.name(is_executable=True)}", media
    said = line[1].strip().removeprefix("/usr/bin/env ").strip()
    return f"a {said} script, {form.name(is_executable=True)}", "text/plain"
