"""The program `keysh`: it runs scripts, and its subcommands look at them."""

from __future__ import annotations

import gc
import os
import sys

from keysh.cli.console import UsageError, complain, put

SUBCOMMANDS = (
    "check", "fmt", "ast", "explain", "migrate", "complete", "mcp", "snapshot", "restore",
    "log", "undo", "audit", "doctor", "rules",
)  # fmt: skip
# Loading alone never triggers a pass of the garbage collector: it makes fewer objects than this.
GARBAGE_THRESHOLD = 50_000
EXIT_HOOK_MODULES = {"atexit", "threading"}  # these may have work to do when the process ends


def main(argv: list[str] | None = None) -> int:
    """Run the program and return its status; without `argv`, end the process with it."""
    if argv is not None:
        return status_of(argv)
    gc.set_threshold(GARBAGE_THRESHOLD)
    status = status_of(sys.argv[1:])
    if not EXIT_HOOK_MODULES & sys.modules.keys() and not sys.flags.inspect:
        if sys.stderr is not None:
            sys.stderr.flush()
        os._exit(status)  # tearing down every module would take as long as loading it
    return status


def status_of(argv: list[str]) -> int:
    """Run the program and return its status; errors of the command line are reported here."""
    prepare_streams()
    try:
        status = run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UsageError as error:
        from keysh.diagnostics.display import visible  # noqa: PLC0415 - only for an error

        hint = f"try `keysh {error.subcommand} --help`"
        complain(f"keysh: {visible(str(error))}\n{hint}\n")
        return 2
    except BrokenPipeError:
        return abandon_output(141)  # the status of a program that SIGPIPE kills
    except OSError as error:
        from keysh.diagnostics.display import visible  # noqa: PLC0415 - only for an error

        complain(f"keysh: {visible(str(error.filename or 'standard output'))}: {error.strerror}\n")
        return abandon_output(1) if error.filename is None else 1
    except Exception as error:  # noqa: BLE001 - rules that are wrong, or a defect of keysh
        from keysh.diagnostics.exceptions import RulesError  # noqa: PLC0415 - as above

        if isinstance(error, RulesError):
            from keysh.diagnostics.display import visible  # noqa: PLC0415 - as above

            complain("".join(f"{visible(line)}\n" for line in str(error).splitlines()))
            return 2
        from keysh.interp.state.exception_report import unexpected_error_message  # noqa: PLC0415 - as above

        complain(unexpected_error_message(error, "keysh", is_visible=lambda path: True))
        return 1
    return status


def prepare_streams() -> None:
    """Print UTF-8 whatever the locale is, and escape what a terminal cannot show."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    if hasattr(sys.stderr, "reconfigure"):
        sys.stderr.reconfigure(errors="backslashreplace")


def abandon_output(status: int) -> int:
    """Send what is still buffered to /dev/null, or Python would fail again as it ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
    return status


def run(argv: list[str]) -> int:
    """Choose the subcommand and run it."""
    name, *rest = argv or ["run"]
    if name == "--version":
        from keysh.version import __version__  # noqa: PLC0415 - only if it is asked for

        put(f"keysh {__version__}\n")
        return 0
    if name in ("--help", "-h", "--man"):
        from keysh.cli.manual import page  # noqa: PLC0415 - scripts need no manual
        from keysh.cli.subcommands import declarations  # noqa: PLC0415 - scripts need no manual

        put((page.manual_page if name == "--man" else page.overview)(declarations()))
        return 0
    if name in SUBCOMMANDS:
        from keysh.cli.subcommands import run_subcommand  # noqa: PLC0415 - scripts need none

        return run_subcommand(name, rest)
    from keysh.cli.run_script import run_script  # noqa: PLC0415 - loads the whole shell

    return run_script(rest if name == "run" else argv)
