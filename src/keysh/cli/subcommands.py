"""The subcommands: `keysh check`, `fmt`, `ast`, `explain`, `migrate`, `complete` and `mcp`.

Each is declared like a command; its first parameter is the program's name. It prints its answer and
returns the program's status. Modules are imported where they are needed: `keysh explain` loads no
parser.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

import os
import sys
from errno import EBADF

from keysh.cli.command_line import CLI_REFUSALS, call_declared, parse_options
from keysh.cli.console import UsageError, complain, put, put_json
from keysh.diagnostics.diagnostic import CODES, has_colors
from keysh.diagnostics.display import visible
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.schema.command import OptionStyle
from keysh.schema.declare import command, command_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Literal

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.schema.command import Command
    from keysh.schema.types import Raw
    from keysh.shell.registry import CheckedNames
    from keysh.syntax.ast import Script

NOT_READABLE_STATUS, WRONG_SCRIPT_STATUS = 1, 2
EXTERNAL_HINT = "keysh: check: with --external, unknown commands may be programs of the machine\n"
PAGES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "pages")
BY_WORDS = OptionStyle(binds_by_key=False)


def run_subcommand(name: str, arguments: list[str]) -> int:
    """Run a subcommand by its name and return the program's status."""
    status: int | None = call_declared(SUBCOMMANDS[name], arguments)
    return status or 0


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def check(program: str, *files: str, external: bool = False, json: bool = False) -> int:
    """Report what is wrong with scripts, without running them.

    files ...   scripts; `-` is standard input (at least 1)
    --external  unknown commands may be programs of the machine
    --json      print the diagnostics as JSON

    The status is 2 if there are errors, and 1 if a file cannot be read.
    """
    names = checked_names(has_external=external)
    status = 0
    records: list[dict[str, object]] = []
    for _, source in read_sources(files):
        if source is None:
            status = max(status, NOT_READABLE_STATUS)
            continue
        diagnostics = check_source(source, names)
        if any(diagnostic.severity == "error" for diagnostic in diagnostics):
            status = WRONG_SCRIPT_STATUS
        records.extend(diagnostic.record() for diagnostic in diagnostics)
        if not json:
            complain_about(diagnostics)
    if json:
        put_json(records)
    elif any(record["code"] == "E301" for record in records):
        complain(EXTERNAL_HINT)
    return status


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def migrate(program: str, *files: str, json: bool = False) -> int:
    """List the places of sh scripts that keysh reads differently, with what to write.

    files ...  scripts; `-` is standard input (at least 1)
    --json     print the places as JSON

    The status is 1 if a file cannot be read.
    """
    from keysh.check.migrate import differences

    names = checked_names(has_external=True)
    status = 0
    records: list[dict[str, object]] = []
    for _, source in read_sources(files):
        if source is None:
            status = NOT_READABLE_STATUS
            continue
        script = parse_source(source)
        places = script if isinstance(script, list) else differences(script, names)
        records.extend(place.record() for place in places)
        if not json:
            put("".join(f"{place}\n" for place in places))
    if json:
        put_json(records)
    return status


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def fmt(
    program: str, *files: str, check: bool = False, diff: bool = False, write: bool = False
) -> int:
    """Print scripts in their canonical form.

    files ...    scripts; `-` is standard input (at least 1)
    --check      only name the files that would change
    --diff       print what would change
    -w, --write  write the files

    The status is 2 for a script with syntax errors, and 1 with --check or --diff if a file
    would change, or if a file cannot be read.
    """
    modes = [mode for mode, is_on in (("--check", check), ("--diff", diff), ("-w", write)) if is_on]
    if len(modes) > 1:
        raise UsageError(f"fmt: {' and '.join(modes)} exclude each other", "fmt")
    if write and "-" in files:
        raise UsageError("fmt: standard input cannot be written back", "fmt")
    from keysh.syntax.printer.printer import format_script

    status = 0
    for name, source in read_sources(files):
        if source is None:
            status = max(status, NOT_READABLE_STATUS)
            continue
        script = parse_source(source)
        if isinstance(script, list):
            status = complain_about(script)
            continue
        try:
            status = max(status, deliver_form("".join(modes), name, source, format_script(script)))
        except OSError as error:
            if error.filename is None:  # standard output
                raise
            complain(f"keysh: {visible(name)}: {error.strerror}\n")
            status = max(status, NOT_READABLE_STATUS)
    return status


def deliver_form(mode: str, name: str, source: Source, text: str) -> int:
    """Print, compare or write the canonical form of a script; return the status."""
    if not mode:
        put(text)
    elif text == source.text:
        return 0
    elif mode == "-w":
        with open(name, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    else:
        if mode == "--diff":
            from difflib import unified_diff

            before, after = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
            titles = visible(source.name), f"{visible(source.name)} (formatted)"
            put("".join(marked_lines(unified_diff(before, after, *titles))))
        else:
            put(f"{visible(source.name)}\n")
        return 1
    return 0


def marked_lines(lines: Iterable[str]) -> Iterator[str]:
    """Mark the lines of a difference that have no newline, as diff does."""
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def ast(program: str, file: str, *, json: bool = False) -> int:
    """Print the syntax tree of a script.

    file    a script; `-` is standard input
    --json  print the tree as JSON

    The status is 2 for a script with syntax errors, and 1 if the file cannot be read.
    """
    [(_, source)] = read_sources([file])
    if source is None:
        return NOT_READABLE_STATUS
    script = parse_source(source)
    if isinstance(script, list):
        return complain_about(script)
    from keysh.syntax.outline import outline, to_json

    put(to_json(script) + "\n" if json else outline(script))
    return 0


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def explain(program: str, code: str) -> int:
    """Explain the code of a diagnostic, with a wrong script and a right one.

    code  E204, W301 and so on
    """
    known_code = code.upper()
    if known_code not in CODES:
        raise UsageError(f"explain: no such code: {code}", "explain")
    with open(os.path.join(PAGES, f"{known_code}.md"), encoding="utf-8") as page:
        put(page.read())
    return 0


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def complete(
    program: str,
    text: str | None = None,
    *,
    shell: Literal["bash", "fish", "zsh"] | None = None,
    json: bool = False,
) -> int:
    """List what the end of a text can become, for editors.

    text           the text before the cursor
    --shell SHELL  print the completion of keysh itself for bash, fish or zsh
    --json         print the candidates as JSON
    """
    if (text is None) == (shell is None) or (shell is not None and json):
        raise UsageError("complete: a text is needed, or --shell alone", "complete")
    if shell is not None:
        from keysh.cli.manual.shell_completion import completion_script

        put(completion_script(shell, declarations()))
        return 0
    from keysh.cli.command_line import CliOptions
    from keysh.cli.setup import files_and_cwd
    from keysh.shell.shell import Shell

    files, cwd = files_and_cwd(CliOptions())
    with Shell(files, cwd=cwd, env=os.environ, external=True) as session:
        candidates = session.complete(text or "")
    if json:
        put_json([candidate.record() for candidate in candidates])
        return 0
    for candidate in candidates:
        line = f"{candidate.text} - {candidate.help}" if candidate.help else candidate.text
        put(f"{visible(line)}\n")
    return 0


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def mcp(program: str, *words: Raw) -> int:
    """Serve a session as tools of the Model Context Protocol, on the standard streams.

    words ...  --bash for a session of the real bash, or options of `keysh run` for
               keysh's own: --memory, --sandbox, --mount, --allow, --limit and so on
    """
    try:
        from keysh.adapters.mcp import serve_bash, serve_keysh
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        complain(f"keysh: mcp: {error}\n")
        return NOT_READABLE_STATUS
    if words == ("--bash",):
        return serve_bash(dict(os.environ))
    from keysh.cli.setup import introduce_machine, shell_options

    options = parse_options([str(word) for word in words])
    if options is None:
        return 0
    if options.words or options.text is not None or options.set_options:
        raise UsageError("mcp: it takes options of two dashes only", "mcp")
    settings = shell_options(options)
    return serve_keysh(settings, lambda shell: introduce_machine(shell, options, settings))


SUBCOMMANDS: dict[str, Callable[..., Any]] = {
    "check": check, "fmt": fmt, "ast": ast, "explain": explain, "migrate": migrate,
    "complete": complete, "mcp": mcp,
}  # fmt: skip


def declarations() -> dict[str, Command]:
    """Return the declared subcommands, for the manual."""
    return {name: command_of(function) for name, function in SUBCOMMANDS.items()}


# ---------------------------------------------------------------- scripts and diagnostics


def read_sources(names: Iterable[str]) -> Iterator[tuple[str, Source | None]]:
    """Read each file; one that cannot be read is reported and has no source."""
    for name in names:
        try:
            yield name, read_source(name)
        except OSError as error:
            complain(f"keysh: {visible(name)}: {error.strerror}\n")
            yield name, None


def read_source(name: str) -> Source:
    """Read a file; bytes that are not UTF-8 are kept, so that the lexer can point at them."""
    if name == "-":
        if sys.stdin is None:
            raise OSError(EBADF, os.strerror(EBADF), "standard input")
        data = sys.stdin.buffer.read()
        name = "<stdin>"
    else:
        with open(name, "rb") as file:
            data = file.read()
    return Source(data.decode("utf-8", "surrogateescape"), name)


def parse_source(source: Source) -> Script | list[Diagnostic]:
    """Return the tree of a script, or its syntax errors."""
    from keysh.syntax.parser import parse

    try:
        return parse(source)
    except ScriptError as error:
        return error.diagnostics


def checked_names(*, has_external: bool) -> CheckedNames:
    """Return the commands that a script is checked against."""
    from keysh.shell.registry import CheckedNames, CommandRegistry

    registry = CommandRegistry()
    if has_external:
        from keysh.cli.setup import machine_programs

        registry.disabled = machine_programs(os.environ.get("PATH", ""))
    return CheckedNames(registry, (), has_external)


def check_source(source: Source, names: CheckedNames) -> list[Diagnostic]:
    """Return a script's syntax errors, or else what the checker finds."""
    from keysh.check import checker

    script = parse_source(source)
    return script if isinstance(script, list) else checker.check(script, names)


def complain_about(diagnostics: list[Diagnostic]) -> int:
    """Print diagnostics to standard error; return the status of a script with errors."""
    is_colored = sys.stderr is not None and sys.stderr.isatty() and has_colors(os.environ)
    complain("".join(f"{diagnostic.shown(colored=is_colored)}\n" for diagnostic in diagnostics))
    return WRONG_SCRIPT_STATUS
