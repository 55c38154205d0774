"""The program `keysh`: it runs scripts, and `check`, `fmt`, `ast` and their kin look at them."""

from __future__ import annotations

import gc
import os
import sys

from keysh.cli.console import UsageError, complain, put
from keysh.diagnostics.display import visible

SUBCOMMANDS = ("check", "fmt", "ast", "explain", "migrate", "complete")
ABOUT = ("--help", "-h", "--man", "--version")
# Objects between two passes of the collector: more than are made by loading, which are no garbage.
SELDOM = 50_000
ENDINGS = {"atexit", "threading"}  # what may have something to do when the process ends


def main(argv: list[str] | None = None) -> int:
    """Run the program; the status is what it returns, or what the process ends with."""
    if argv is not None:
        return status_of(argv)
    gc.set_threshold(SELDOM)
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


def run(argv: list[str]) -> int:
    """Choose the subcommand."""
    if not argv:
        return run_script([])
    name, *rest = argv
    if name == "mcp" and rest not in (["--help"], ["-h"]):
        return serve(rest)
    if name not in (*SUBCOMMANDS, *ABOUT, "mcp"):
        return run_script(rest if name == "run" else [name, *rest])
    if name == "--version":
        from keysh.version import __version__  # noqa: PLC0415 - only where it is asked for

        put(f"keysh {__version__}\n")
        return 0
    from keysh.cli import subcommands  # noqa: PLC0415 - scripts need none

    if name == "--man":
        from keysh.cli.manual import page as whole  # noqa: PLC0415 - brings in the whole shell

        put(whole.keysh_page(subcommands.USAGE))
        return 0
    return subcommands.run(name if name in SUBCOMMANDS else "--help", rest)


def run_script(arguments: list[str]) -> int:
    """`keysh SCRIPT`, `keysh -c TEXT`."""
    if arguments[:1] in (["--help"], ["-h"]):
        from keysh.cli.arguments import USAGE  # noqa: PLC0415 - only where it is asked for

        put(USAGE)
        return 0
    from keysh.cli import run_script as program  # noqa: PLC0415 - brings in the whole shell

    return program.run(arguments)


def serve(arguments: list[str]) -> int:
    """`keysh mcp [--bash | OPTION…]`."""
    try:
        from keysh.adapters import mcp  # noqa: PLC0415 - brings in the SDK
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        complain(f"keysh: mcp: {error}\n")
        return 1
    if arguments == ["--bash"]:
        return mcp.serve_bash(dict(os.environ))
    from keysh.cli.arguments import wishes_of  # noqa: PLC0415 - as above
    from keysh.cli.setup import introduce, options_of  # noqa: PLC0415 - few programs serve

    wishes = wishes_of(arguments)
    if wishes.operands or wishes.text is not None or wishes.letters:
        raise UsageError("mcp: it takes options of two dashes only")
    options = options_of(wishes)
    return mcp.serve_keysh(options, lambda shell: introduce(shell, wishes, options))
