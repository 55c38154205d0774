"""Scripts: the interpreter that a `#!` line names."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import Kind
    from keysh.tools.file.text_form import TextForm

SHEBANG_LINE = re.compile(r"#![ \t]*(.*)")
SHEBANG_PROGRAM = re.compile(
    r"(/usr/bin/env[ \t]+|/bin/|/usr/bin/|/usr/local/bin/)([A-Za-z]+)[-.\d]*(?:\s|$)"
)
SHELL_SCRIPT_TYPE = "text/x-shellscript"
# Descriptions and media types by the name of the interpreter.
SCRIPTS = {
    "sh": ("POSIX shell script", SHELL_SCRIPT_TYPE),
    "bash": ("Bourne-Again shell script", SHELL_SCRIPT_TYPE),
    "ksh": ("Korn shell script", SHELL_SCRIPT_TYPE),
    "zsh": ("Paul Falstad's zsh script", SHELL_SCRIPT_TYPE),
    "csh": ("C shell script", SHELL_SCRIPT_TYPE),
    "tcsh": ("Tenex C shell script", SHELL_SCRIPT_TYPE),
    "fish": ("fish shell script", SHELL_SCRIPT_TYPE),
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
# Descriptions that precede the encoding and contain `executable`.
EXECUTABLE_SCRIPTS = {
    "node": ("Node.js script executable", "application/javascript"),
    "nodejs": ("Node.js script executable", "application/javascript"),
    "julia": ("Julia script executable", "text/plain"),
    "runhaskell": ("Haskell script executable", "text/plain"),
}
PATH_ONLY_PROGRAMS = ("php",)  # not recognized behind `env`


def script_kind(form: TextForm) -> Kind | None:
    """Return the kind of a text that starts with `#!`, else None."""
    line = SHEBANG_LINE.match(form.text)
    if line is None:
        return None
    match = SHEBANG_PROGRAM.match(line[1])
    program = match[2] if match else ""
    if match and match[1].startswith("/usr/bin/env") and program in PATH_ONLY_PROGRAMS:
        program = ""
    if program == "perl":
        return "Perl script text executable", "text/x-perl"
    if program in EXECUTABLE_SCRIPTS:
        words, media = EXECUTABLE_SCRIPTS[program]
        return f"{words}, {form.description()}", media
    if program in SCRIPTS:
        words, media = SCRIPTS[program]
        return f"{words}, {form.description(is_executable=True)}", media
    interpreter = line[1].strip().removeprefix("/usr/bin/env ").strip()
    return f"a {interpreter} script, {form.description(is_executable=True)}", "text/plain"
