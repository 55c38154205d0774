"""The program `keysh`: it runs scripts, and `check`, `fmt`, `ast` and their kin look at them."""

from __future__ import annotations

import gc
import os
import sys
from errno import EBADF

from keysh import __version__
from keysh.diagnostics import CODES, visible
from keysh.errors import ScriptError
from keysh.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.diagnostics import Diagnostic
    from keysh.registry import Known
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
--json    print JSON
--help    print this
--man     print the manual page: `keysh --man | man -l -`
--version  print the version

FILE is a script, or `-` for standard input. The status is 0, or 2 for a script with errors and
for wrong arguments, or 1 for a file that cannot be read and where a form differs.
"""
SUBCOMMANDS = ("check", "fmt", "ast", "explain", "migrate", "complete")
ABOUT = ("--help", "-h", "--man", "--version")
ENDINGS = {"atexit", "threading"}  # what may have something to do when the process ends
PAGES = os.path.join(os.path.dirname(__file__), "pages")


class UsageError(Exception):
    """The arguments make no sense; the message says which."""


def main(argv: list[str] | None = None) -> int:
    """Run the program; the status is what it returns, or what the process ends with."""
    if argv is not None:
        return status_of(argv)
    # What is loaded now lives as long as the process: no pass of the collector would free any.
    gc.disable()
    status = status_of(sys.argv[1:])
    if not ENDINGS & sys.modules.keys() and not sys.flags.inspect:
        if sys.stderr is not None:
            sys.stderr.flush()
        os._exit(status)  # to take every module down first would cost as much as to load it
    return status


def status_of(argv: list[str]) -> int:
    """Run the program; its status."""
    prepare_streams()
    try:
        status = run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UsageError as error:
        complain(f"keysh: {visible(str(error))}\ntry `keysh --help`\n")
        return 2
    except BrokenPipeError:
        return abandon_output(141)  # as of a program that SIGPIPE kills
    except OSError as error:
        complain(f"keysh: {visible(str(error.filename or 'standard output'))}: {error.strerror}\n")
        return abandon_output(1) if error.filename is None else 1
    return status


def prepare_streams() -> None:
    """Scripts are UTF-8 whatever the locale; what a terminal cannot show is escaped."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    if hasattr(sys.stderr, "reconfigure"):
        sys.stderr.reconfigure(errors="backslashreplace")


def abandon_output(status: int) -> int:
    """Let what is still buffered go nowhere, or Python would fail once more as it ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
    return status


def put(text: str) -> None:
    """Print to standard output."""
    if sys.stdout is None:
        raise OSError(EBADF, os.strerror(EBADF))
    sys.stdout.write(text)


def complain(text: str) -> None:
    """Print to standard error; where that fails the status must do."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        sys.stderr = None  # as it is where none was given


def run(argv: list[str]) -> int:
    """Choose the subcommand."""
    if not argv:
        return run_script([])
    name, *rest = argv
    if name not in SUBCOMMANDS and name not in ABOUT:
        return run_script(rest if name == "run" else [name, *rest])
    options, operands = divided(rest)
    if name in ("--help", "-h") or "--help" in options:
        put(USAGE)
        return 0
    if name == "--version":
        put(f"keysh {__version__}\n")
        return 0
    if name == "--man":
        from keysh.manual import whole  # noqa: PLC0415 - brings in the whole shell

        put(whole.page(USAGE))
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


def run_script(arguments: list[str]) -> int:
    """`keysh SCRIPT`, `keysh -c TEXT`."""
    from keysh import program  # noqa: PLC0415 - brings in the whole shell

    if arguments[:1] in (["--help"], ["-h"]):
        put(program.USAGE)
        return 0
    gc.freeze()
    gc.enable()
    try:
        return program.run(arguments)
    except program.Wrong as wrong:
        raise UsageError(str(wrong)) from None


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


def known(*, has_external: bool) -> Known:
    """The commands that a script is checked against."""
    from keysh.registry import Known, Registry  # noqa: PLC0415 - as in `parsed`

    return Known(Registry(), (), has_external)


def checked(source: Source, builtins: Known) -> list[Diagnostic]:
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
        from json import dumps  # noqa: PLC0415 - only where it is asked for

        put(dumps(records, ensure_ascii=False, indent=2) + "\n")
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
        from json import dumps  # noqa: PLC0415 - only where it is asked for

        put(dumps(records, ensure_ascii=False, indent=2) + "\n")
    return status


def explain_errors(diagnostics: list[Diagnostic]) -> int:
    """Print diagnostics where people look for them; the status of a script with errors."""
    complain("".join(f"{diagnostic}\n" for diagnostic in diagnostics))
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
    from keysh.syntax.printer import format_script  # noqa: PLC0415 - as in `parsed`

    status = 0
    for name, source in sources(files):
        if source is None:
            status = max(status, 1)
            continue
        result = parsed(source)
        if isinstance(result, list):
            status = explain_errors(result)
            continue
        status = max(status, deliver(options, name, source, format_script(result)))
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
    result = parsed(read(files[0]))
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
        from keysh.manual import whole  # noqa: PLC0415 - brings in the whole shell

        if operands[0] not in whole.SHELLS:
            known = ", ".join(whole.SHELLS)
            raise UsageError(f"complete: no such shell: {operands[0]} (there are {known})")
        put(whole.completion(USAGE, operands[0]))
        return 0
    from keysh import program  # noqa: PLC0415 - as in `run_script`
    from keysh.shell import Shell  # noqa: PLC0415 - as in `run_script`

    mounts, here = program.files_of(program.Wishes())
    with Shell(mounts, cwd=here, env=os.environ, external=True) as shell:
        found = shell.complete(operands[0])
    if "--json" in options:
        from json import dumps  # noqa: PLC0415 - only where it is asked for

        put(dumps([one.record() for one in found], indent=2) + "\n")
    else:
        shown = (visible(f"{one.text} - {one.help}" if one.help else one.text) for one in found)
        put("".join(f"{line}\n" for line in shown))
    return 0
