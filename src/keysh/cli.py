"""The program `keysh`: `check`, `fmt`, `ast` and `explain`."""

from __future__ import annotations

import os
import sys

from keysh import __version__
from keysh.diagnostics import CODES, visible
from keysh.errors import ScriptError
from keysh.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.diagnostics import Diagnostic
    from keysh.syntax.ast import Script

USAGE = """\
usage: keysh check FILE… [--json]
       keysh fmt [--check | --diff | -w] FILE…
       keysh ast FILE [--json]
       keysh explain CODE
       keysh --help | --version

check    say what is wrong with scripts; nothing if nothing is
fmt      print scripts in their canonical form
  --check    only name the files whose form differs (status 1)
  --diff     print the difference (status 1)
  -w         write the files
ast      print the syntax tree of a script
explain  print what a diagnostic's code means, with an example
--json   print JSON

FILE is a script, or `-` for standard input. The status is 0, or 2 for a script with errors and
for wrong arguments, or 1 for a file that cannot be read and where a form differs.
"""
PAGES = os.path.join(os.path.dirname(__file__), "pages")


class UsageError(Exception):
    """The arguments make no sense; the message says which."""


def main(argv: list[str] | None = None) -> int:
    """Run the program; the status is what it returns."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    argv = sys.argv[1:] if argv is None else argv
    try:
        return run(argv)
    except UsageError as error:
        sys.stderr.write(f"keysh: {visible(str(error))}\ntry `keysh --help`\n")
        return 2
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            return closed_pipe()
        sys.stderr.write(f"keysh: {visible(str(error.filename))}: {error.strerror}\n")
        return 1


def closed_pipe() -> int:
    """The reader of the output is gone: end as a program does that SIGPIPE kills."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 141


def run(argv: list[str]) -> int:
    """Choose the subcommand."""
    if not argv:
        raise UsageError("nothing to do")
    name, *rest = argv
    if name in ("--help", "-h") or "--help" in rest:
        sys.stdout.write(USAGE)
        return 0
    if name == "--version":
        sys.stdout.write(f"keysh {__version__}\n")
        return 0
    commands: dict[str, Callable[[set[str], list[str]], int]] = {
        "check": check,
        "fmt": fmt,
        "ast": ast,
        "explain": explain,
    }
    if name not in commands:
        raise UsageError(f"no such subcommand: {name}")
    options, operands = divided(rest)
    return commands[name](options, operands)


def divided(arguments: list[str]) -> tuple[set[str], list[str]]:
    """Options and operands; behind `--` everything is an operand."""
    options: set[str] = set()
    operands: list[str] = []
    for i, argument in enumerate(arguments):
        if argument == "--":
            return options, operands + arguments[i + 1 :]
        if argument.startswith("-") and argument != "-":
            options.add(argument)
        else:
            operands.append(argument)
    return options, operands


def allow(options: set[str], *known: str) -> None:
    """Refuse options that the subcommand does not have."""
    for option in sorted(options):
        if option not in known:
            raise UsageError(f"no such option: {option}")


def read(name: str) -> Source:
    """A file's text; bytes that are not UTF-8 are kept for the scanner to point at."""
    if name == "-":
        data = sys.stdin.buffer.read()
        name = "<stdin>"
    else:
        with open(name, "rb") as file:
            data = file.read()
    return Source(data.decode("utf-8", "surrogateescape"), name)


def parsed(source: Source) -> Script | list[Diagnostic]:
    """The script, or what is wrong with it."""
    from keysh.syntax import parse  # noqa: PLC0415 - `--help` and `explain` need no parser

    try:
        return parse(source)
    except ScriptError as error:
        return error.diagnostics


def complain(diagnostics: list[Diagnostic]) -> int:
    """Print diagnostics where people look for them."""
    for diagnostic in diagnostics:
        sys.stderr.write(f"{diagnostic}\n")
    return 2 if diagnostics else 0


def check(options: set[str], files: list[str]) -> int:
    """`keysh check FILE… [--json]`."""
    allow(options, "--json")
    if not files:
        raise UsageError("check: no file given")
    found: list[Diagnostic] = []
    for name in files:
        result = parsed(read(name))
        if isinstance(result, list):
            found.extend(result)
    if "--json" not in options:
        return complain(found)
    from json import dumps  # noqa: PLC0415 - only where it is asked for

    records = [diagnostic.record() for diagnostic in found]
    sys.stdout.write(dumps(records, ensure_ascii=False, indent=2) + "\n")
    return 2 if found else 0


def fmt(options: set[str], files: list[str]) -> int:
    """`keysh fmt [--check | --diff | -w] FILE…`."""
    allow(options, "--check", "--diff", "-w")
    if not files:
        raise UsageError("fmt: no file given")
    if len(options) > 1:
        raise UsageError(f"fmt: one of {', '.join(sorted(options))} at a time")
    if "-w" in options and "-" in files:
        raise UsageError("fmt: standard input cannot be written back")
    from keysh.syntax import format_script  # noqa: PLC0415 - as in `parsed`

    status = 0
    for name in files:
        source = read(name)
        result = parsed(source)
        if isinstance(result, list):
            status = complain(result)
            continue
        text = format_script(result)
        status = max(status, deliver(options, name, source, text))
    return status


def deliver(options: set[str], name: str, source: Source, text: str) -> int:
    """Do with a formatted text what the options ask for."""
    if not options:
        sys.stdout.write(text)
    elif text == source.text:
        return 0
    elif "-w" in options:
        with open(name, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    else:
        if "--diff" in options:
            from difflib import unified_diff  # noqa: PLC0415 - only where it is asked for

            before, after = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
            names = visible(source.name), f"{visible(source.name)} (formatted)"
            sys.stdout.writelines(with_newlines(unified_diff(before, after, *names)))
        else:
            sys.stdout.write(f"{visible(source.name)}\n")
        return 1
    return 0


def with_newlines(lines: object) -> list[str]:
    """Lines of a difference; one that lacks its newline is marked as diff does."""
    return [
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in lines  # type: ignore[attr-defined]
    ]


def ast(options: set[str], files: list[str]) -> int:
    """`keysh ast FILE [--json]`."""
    allow(options, "--json")
    if len(files) != 1:
        raise UsageError("ast: one file, please" if files else "ast: no file given")
    result = parsed(read(files[0]))
    if isinstance(result, list):
        return complain(result)
    from keysh.syntax.outline import outline, to_json  # noqa: PLC0415 - as in `parsed`

    sys.stdout.write(to_json(result) + "\n" if "--json" in options else outline(result))
    return 0


def explain(options: set[str], codes: list[str]) -> int:
    """`keysh explain CODE`."""
    allow(options)
    if len(codes) != 1:
        raise UsageError("explain: one code is needed")
    code = codes[0].upper()
    if code not in CODES:
        raise UsageError(f"explain: no such code: {codes[0]}")
    with open(os.path.join(PAGES, f"{code}.md"), encoding="utf-8") as page:
        sys.stdout.write(page.read())
    return 0
