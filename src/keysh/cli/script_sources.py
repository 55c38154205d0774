"""The scripts that a subcommand looks at: read, parsed and checked, each in its own dialect."""

# ruff: noqa: PLC0415

from __future__ import annotations

import os
import sys
from errno import EBADF

from keysh.cli.command_line import dialect_of_script
from keysh.cli.console import complain
from keysh.diagnostics.diagnostic import has_colors
from keysh.diagnostics.dialect import BASH, KEYSH
from keysh.diagnostics.display import visible
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.shell.registry import CheckedNames
    from keysh.syntax.ast import Script

NOT_READABLE_STATUS, WRONG_SCRIPT_STATUS = 1, 2


def read_sources(
    names: Iterable[str], dialect: str | None = None
) -> Iterator[tuple[str, Source | None]]:
    """Read each file; one that cannot be read is reported and has no source.

    `dialect` is the name that the command line gives; without it each file says its own.
    """
    for name in names:
        try:
            yield name, read_source(name, dialect)
        except OSError as error:
            complain(f"keysh: {visible(name)}: {error.strerror}\n")
            yield name, None


def read_source(name: str, dialect: str | None) -> Source:
    """Read a file; bytes that are not UTF-8 are kept, so that the lexer can point at them."""
    if name == "-":
        if sys.stdin is None:
            raise OSError(EBADF, os.strerror(EBADF), "standard input")
        data = sys.stdin.buffer.read()
        name = "<stdin>"
    else:
        with open(name, "rb") as file:
            data = file.read()
    text = data.decode("utf-8", "surrogateescape")
    return Source(text, name, dialect_of_script(dialect, text, name) or KEYSH)


def parse_source(source: Source) -> Script | list[Diagnostic]:
    """Return the tree of a script, or its syntax errors."""
    from keysh.syntax.parser import parse

    try:
        return parse(source)
    except ScriptError as error:
        return error.diagnostics


def checked_names(*, has_programs: bool) -> CheckedNames:
    """Return the commands that a script is checked against, with the programs on `$PATH` or not."""
    from keysh.shell.registry import CheckedNames, CommandRegistry

    registry = CommandRegistry()
    if not has_programs:
        return CheckedNames(registry, (), False)
    from keysh.cli.setup import has_program, machine_programs

    path = os.environ.get("PATH", "")
    registry.disabled = machine_programs(path)

    def is_on_path(name: str) -> bool:
        return has_program(path, name) or has_program(path, f"{name}.ksh")

    return CheckedNames(registry, (), False, is_on_path)


def check_source(
    source: Source, names: CheckedNames, *, is_strict: bool = False
) -> list[Diagnostic]:
    """Return a script's syntax errors, or else what the checker finds."""
    from keysh.check import checker

    script = parse_source(source)
    if isinstance(script, list):
        return script
    diagnostics = checker.check(script, names)
    if is_strict and source.dialect is BASH:
        from keysh.check.unquoted_expansions import unquoted_expansions

        diagnostics = [*diagnostics, *unquoted_expansions(script)]
        diagnostics.sort(key=lambda diagnostic: diagnostic.start)
    return diagnostics


def complain_about(diagnostics: list[Diagnostic]) -> int:
    """Print diagnostics to standard error; return the status of a script with errors."""
    is_colored = sys.stderr is not None and sys.stderr.isatty() and has_colors(os.environ)
    complain("".join(f"{diagnostic.shown(colored=is_colored)}\n" for diagnostic in diagnostics))
    return WRONG_SCRIPT_STATUS
