"""The subcommands that look at scripts: check, fmt, ast, explain, migrate and complete.

Each takes its options and its operands, and answers the status.
"""

from __future__ import annotations

import os
import sys
from errno import EBADF

from keysh.cli.console import UsageError, complain, put, put_json
from keysh.diagnostics.diagnostic import CODES, has_colors
from keysh.diagnostics.display import visible
from keysh.diagnostics.errors import ScriptError
from keysh.diagnostics.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.shell.registry import CheckedNames
    from keysh.syntax.ast import Script

USAGE = """\
usage: keysh [OPTION…] SCRIPT | -c TEXT | -s  [ARGUMENT…]
       keysh check FILE… [--external] [--json]
       keysh fmt [--check | --diff | -w] FILE…
       keysh ast FILE [--json]
       keysh explain CODE
       keysh migrate FILE… [--json]
       keysh complete TEXT [--json]
       keysh complete --shell bash|fish|zsh
       keysh mcp [--bash | OPTION…]
       keysh --help | --man | --version

run a script, or, at a terminal, a prompt; `keysh run --help` tells the options
check     say what is wrong with scripts; nothing if nothing is
  --external  commands that keysh does not have may be programs
fmt       print scripts in their canonical form
  --check     only name the files whose form differs (status 1)
  --diff      print the difference (status 1)
  -w          write the files
ast       print the syntax tree of a script
explain   print what a diagnostic's code means, with an example
migrate   print every place of an sh script that keysh reads differently, with what to write
complete  print what the end of a text can become, for an editor
  --shell     print the completion of keysh itself for a shell
mcp       serve a session as tools of the Model Context Protocol, over standard streams; its
          options are those of a script's shell
  --bash      the session is one of the real bash
--json    print JSON
--help    print this
--man     print the manual page: `keysh --man | man -l -`
--version  print the version

FILE is a script, or `-` for standard input. The status is 0, or 2 for a script with errors and
for wrong arguments, or 1 for a file that cannot be read and where a form differs.
"""
UNKNOWN = "keysh: check: with --external, programs of the machine are known commands\n"
PAGES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "pages")


def run(name: str, arguments: list[str]) -> int:
    """Run a subcommand by its name; the status."""
    options, operands = divided(arguments)
    if name == "--help" or options & {"--help", "-h"}:
        put(USAGE)
        return 0
    commands: dict[str, Callable[[set[str], list[str]], int]] = {
        "check": check,
        "fmt": fmt,
        "ast": ast,
        "explain": explain,
        "migrate": migrate,
        "complete": complete,
    }
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


def sources(names: list[str]) -> Iterator[tuple[str, Source | None]]:
    """Each file's name and text; where a file cannot be read, that is said and there is no text."""
    for name in names:
        try:
            yield name, read(name)
        except OSError as error:
            complain(f"keysh: {visible(name)}: {error.strerror}\n")
            yield name, None


def read(name: str) -> Source:
    """A file's text; bytes that are not UTF-8 are kept for the scanner to point at."""
    if name == "-":
        if sys.stdin is None:
            raise OSError(EBADF, os.strerror(EBADF), "standard input")
        data = sys.stdin.buffer.read()
        name = "<stdin>"
    else:
        with open(name, "rb") as file:
            data = file.read()
    return Source(data.decode("utf-8", "surrogateescape"), name)


def parsed(source: Source) -> Script | list[Diagnostic]:
    """The script, or what is wrong with it."""
    from keysh.syntax.parser import parse  # noqa: PLC0415 - `--help` and `explain` need no parser

    try:
        return parse(source)
    except ScriptError as error:
        return error.diagnostics


def known(*, has_external: bool) -> CheckedNames:
    """The commands that a script is checked against."""
    from keysh.shell.registry import CheckedNames, CommandRegistry  # noqa: PLC0415 - as in `parsed`

    registry = CommandRegistry()
    if has_external:
        from keysh.cli.setup import programs_of  # noqa: PLC0415 - few scripts are checked so

        registry.disabled = programs_of(os.environ.get("PATH", ""))
    return CheckedNames(registry, (), has_external)


def checked(source: Source, builtins: CheckedNames) -> list[Diagnostic]:
    """What is wrong with a script: its syntax, or else what can be known of its run."""
    from keysh.check.checker import check as found  # noqa: PLC0415 - as in `parsed`

    script = parsed(source)
    return script if isinstance(script, list) else found(script, builtins)


def check(options: set[str], files: list[str]) -> int:
    """`keysh check FILE… [--external] [--json]`."""
    allow(options, "--external", "--json")
    if not files:
        raise UsageError("check: no file given")
    builtins = known(has_external="--external" in options)
    status = 0
    records: list[dict[str, object]] = []
    for _, source in sources(files):
        if source is None:
            status = max(status, 1)
            continue
        found = checked(source, builtins)
        if any(diagnostic.severity == "error" for diagnostic in found):
            status = 2
        records.extend(diagnostic.record() for diagnostic in found)
        if "--json" not in options:
            explain_errors(found)
    if "--json" in options:
        put_json(records)
    elif any(record["code"] == "E301" for record in records):
        complain(UNKNOWN)
    return status


def migrate(options: set[str], files: list[str]) -> int:
    """`keysh migrate FILE… [--json]`."""
    allow(options, "--json")
    if not files:
        raise UsageError("migrate: no file given")
    from keysh.check.migrate import differences  # noqa: PLC0415 - as in `parsed`

    builtins = known(has_external=True)
    status = 0
    records: list[dict[str, object]] = []
    for _, source in sources(files):
        if source is None:
            status = 1
            continue
        script = parsed(source)
        found = script if isinstance(script, list) else differences(script, builtins)
        records.extend(one.record() for one in found)
        if "--json" not in options:
            put("".join(f"{one}\n" for one in found))
    if "--json" in options:
        put_json(records)
    return status


def explain_errors(diagnostics: list[Diagnostic]) -> int:
    """Print diagnostics where people look for them; the status of a script with errors."""
    is_seen = sys.stderr is not None and sys.stderr.isatty() and has_colors(os.environ)
    complain("".join(f"{diagnostic.shown(colored=is_seen)}\n" for diagnostic in diagnostics))
    return 2


def fmt(options: set[str], files: list[str]) -> int:
    """`keysh fmt [--check | --diff | -w] FILE…`."""
    allow(options, "--check", "--diff", "-w")
    if not files:
        raise UsageError("fmt: no file given")
    if len(options) > 1:
        raise UsageError(f"fmt: one of {', '.join(sorted(options))} at a time")
    if "-w" in options and "-" in files:
        raise UsageError("fmt: standard input cannot be written back")
    from keysh.syntax.printer.printer import format_script  # noqa: PLC0415 - as in `parsed`

    status = 0
    for name, source in sources(files):
        if source is None:
            status = max(status, 1)
            continue
        result = parsed(source)
        if isinstance(result, list):
            status = explain_errors(result)
            continue
        try:
            status = max(status, deliver(options, name, source, format_script(result)))
        except OSError as error:
            if error.filename is None:  # standard output
                raise
            complain(f"keysh: {visible(name)}: {error.strerror}\n")
            status = max(status, 1)
    return status


def deliver(options: set[str], name: str, source: Source, text: str) -> int:
    """Do with a formatted text what the options ask for."""
    if not options:
        put(text)
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
            put("".join(with_newlines(unified_diff(before, after, *names))))
        else:
            put(f"{visible(source.name)}\n")
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
    [(_, source)] = sources(files)
    if source is None:
        return 1
    result = parsed(source)
    if isinstance(result, list):
        return explain_errors(result)
    from keysh.syntax.outline import outline, to_json  # noqa: PLC0415 - as in `parsed`

    put(to_json(result) + "\n" if "--json" in options else outline(result))
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
        put(page.read())
    return 0


def complete(options: set[str], operands: list[str]) -> int:
    """`keysh complete TEXT [--json]`, `keysh complete --shell NAME`."""
    allow(options, "--json", "--shell")
    if len(operands) != 1 or len(options) > 1:
        raise UsageError("complete: one text is needed, or --shell and the name of one")
    if "--shell" in options:
        from keysh.cli.manual import page as whole  # noqa: PLC0415 - brings in the whole shell

        if operands[0] not in whole.SHELLS:
            known = ", ".join(whole.SHELLS)
            raise UsageError(f"complete: no such shell: {operands[0]} (there are {known})")
        put(whole.completion(USAGE, operands[0]))
        return 0
    from keysh.cli.arguments import Wishes  # noqa: PLC0415 - as above
    from keysh.cli.setup import files_of  # noqa: PLC0415 - only where it is asked for
    from keysh.shell.shell import Shell  # noqa: PLC0415 - brings in the whole shell

    files, here = files_of(Wishes())
    with Shell(files, cwd=here, env=os.environ, external=True) as shell:
        found = shell.complete(operands[0])
    if "--json" in options:
        put_json([one.record() for one in found])
    else:
        shown = (visible(f"{one.text} - {one.help}" if one.help else one.text) for one in found)
        put("".join(f"{line}\n" for line in shown))
    return 0
