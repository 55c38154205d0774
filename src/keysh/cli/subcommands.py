"""The subcommands: `keysh check`, `fmt`, `ast`, `explain`, `migrate`, `complete`, `mcp` and so on.

Each is declared like a command; its first parameter is the program's name. It prints its answer and
returns the program's status. Modules are imported where they are needed: `keysh explain` loads no
parser.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

import os

from keysh.cli.audit_subcommand import audit
from keysh.cli.command_line import CLI_REFUSALS, call_declared
from keysh.cli.console import UsageError, complain, put, put_json
from keysh.cli.doctor import doctor
from keysh.cli.rules_subcommand import rules
from keysh.cli.script_sources import (
    NOT_READABLE_STATUS,
    WRONG_SCRIPT_STATUS,
    check_source,
    checked_names,
    complain_about,
    parse_source,
    read_sources,
)
from keysh.cli.state_subcommands import log, restore, snapshot, undo
from keysh.diagnostics.diagnostic import CODES
from keysh.diagnostics.display import visible
from keysh.schema.command import OptionStyle
from keysh.schema.declare import command, command_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Literal

    from keysh.diagnostics.source import Source
    from keysh.schema.command import Command
    from keysh.schema.types import Raw

PAGES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "pages")
BY_WORDS = OptionStyle(binds_by_key=False)


def run_subcommand(name: str, arguments: list[str]) -> int:
    """Run a subcommand by its name and return the program's status."""
    status: int | None = call_declared(SUBCOMMANDS[name], arguments)
    return status or 0


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def check(
    program: str,
    *files: str,
    embedded: bool = False,
    strict: bool = False,
    dialect: Literal["bash", "keysh"] | None = None,
    json: bool = False,
) -> int:
    """Report what is wrong with scripts, without running them.

    files ...       scripts; `-` is standard input (at least 1)
    --embedded      judge them for a host that lets no program of the machine run
    --strict        warn also of what is probably a mistake in a script for bash
    --dialect NAME  the language of the scripts: keysh or bash (default: what each one says)
    --json          print the diagnostics as JSON

    The status is 2 if there are errors, and 1 if a file cannot be read.
    """
    names = checked_names(has_programs=not embedded)
    status = 0
    records: list[dict[str, object]] = []
    for _, source in read_sources(files, dialect):
        if source is None:
            status = max(status, NOT_READABLE_STATUS)
            continue
        diagnostics = check_source(source, names, is_strict=strict)
        if any(diagnostic.severity == "error" for diagnostic in diagnostics):
            status = WRONG_SCRIPT_STATUS
        records.extend(diagnostic.record() for diagnostic in diagnostics)
        if not json:
            complain_about(diagnostics)
    if json:
        put_json(records)
    return status


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def migrate(program: str, *files: str, write: bool = False, json: bool = False) -> int:
    """List the places of bash scripts that keysh's own language reads differently.

    files ...    scripts; `-` is standard input (at least 1)
    -w, --write  write what certainly has to change into the files, and list the rest
    --json       print the places as JSON

    A script for bash runs as it is, in the bash dialect. Each place shows what to write, and
    is certain, likely or a matter of style.

    The status is 1 if a file cannot be read or written.
    """
    if write and "-" in files:
        raise UsageError("migrate: standard input cannot be written back", "migrate")
    from keysh.cli.migration import migration_of, migration_report, write_certain

    names = checked_names(has_programs=True)
    status = 0
    records: list[dict[str, object]] = []
    for name, source in read_sources(files, "keysh"):
        if source is None:
            status = NOT_READABLE_STATUS
            continue
        places = migration_of(source, names)
        if write:
            try:
                source = write_certain(name, source, places)
            except OSError as error:
                complain(f"keysh: {visible(name)}: {error.strerror}\n")
                status = NOT_READABLE_STATUS
            places = migration_of(source, names)
        records.extend(place.record() for place in places)
        if not json:
            put(migration_report(source, places))
    if json:
        put_json(records)
    return status


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def fmt(
    program: str,
    *files: str,
    check: bool = False,
    diff: bool = False,
    write: bool = False,
    dialect: Literal["bash", "keysh"] | None = None,
) -> int:
    """Print scripts in their canonical form.

    files ...       scripts; `-` is standard input (at least 1)
    --check         only name the files that would change
    --diff          print what would change
    -w, --write     write the files
    --dialect NAME  the language of the scripts: keysh or bash (default: what each one says)

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
    for name, source in read_sources(files, dialect):
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
        from keysh.cli.file_rewrite import rewrite_file

        rewrite_file(name, text)
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
def ast(
    program: str,
    file: str,
    *,
    dialect: Literal["bash", "keysh"] | None = None,
    json: bool = False,
) -> int:
    """Print the syntax tree of a script.

    file            a script; `-` is standard input
    --dialect NAME  the language of the script: keysh or bash (default: what it says)
    --json          print the tree as JSON

    The status is 2 for a script with syntax errors, and 1 if the file cannot be read.
    """
    [(_, source)] = read_sources([file], dialect)
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
    dialect: Literal["bash", "keysh"] | None = None,
    json: bool = False,
) -> int:
    """List what the end of a text can become, for editors.

    text            the text before the cursor
    --shell SHELL   print the completion of keysh itself for bash, fish or zsh
    --dialect NAME  the language of the text: keysh or bash (default: keysh)
    --json          print the candidates as JSON
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
    with Shell(files, cwd=cwd, env=os.environ, external=True, dialect=dialect) as session:
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

    words ...  --http[=HOST:PORT] to serve over HTTP, at 127.0.0.1:8000 by default;
               --max-sessions=NUM and --idle-seconds=NUM say how many sessions there
               are and how long one lasts without a request;
               --promote-after=MS to move commands that take longer to the background;
               --max-shown=NUM for the characters of an output that a client gets;
               --bash for a session of the real bash, or options of `keysh run` for
               keysh's own: --memory, --sandbox, --mount, --allow, --limit and so on.
               Its commands are in the bash dialect, or in keysh's with --dialect keysh

    The environment of the server is not passed on: --keep-env and --env set variables,
    and $PATH is that of the system. A session has the limits of an embedded shell.
    Elsewhere than on loopback the variable KEYSH_MCP_TOKEN must hold a token, which
    clients send as `Authorization: Bearer TOKEN`.
    """
    try:
        from keysh.cli.agent_session import serve_agents
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        complain(f"keysh: mcp: {error}\n")
        return NOT_READABLE_STATUS
    return serve_agents([str(word) for word in words])


SUBCOMMANDS: dict[str, Callable[..., Any]] = {
    "check": check, "fmt": fmt, "ast": ast, "explain": explain, "migrate": migrate,
    "complete": complete, "mcp": mcp, "snapshot": snapshot, "restore": restore,
    "log": log, "undo": undo, "audit": audit, "doctor": doctor, "rules": rules,
}  # fmt: skip


def declarations() -> dict[str, Command]:
    """Return the declared subcommands, for the manual."""
    return {name: command_of(function) for name, function in SUBCOMMANDS.items()}
