"""Run a script or a prompt: `keysh SCRIPT`, `keysh -c TEXT`, `keysh -s`, `keysh`.

Without options this is a shell like any other: it sees the machine's files, environment and
programs. `--sandbox`, `--memory` and `--no-external` take them away.
"""

from __future__ import annotations

import os
import sys
from errno import EBADF
from io import FileIO

from keysh.cli.command_line import dialect_of_script, parse_options
from keysh.cli.console import complain, put, put_json
from keysh.cli.setup import introduce_machine, own_process, sees_machine, shell_options
from keysh.cli.signals import SignalHandlers
from keysh.diagnostics.dialect import KEYSH
from keysh.diagnostics.exceptions import UnwritableOutput
from keysh.interp.run.control_flow import LimitReached, ReaderGone
from keysh.interp.run.options import FROM_COMMAND_STRING, FROM_STDIN
from keysh.interp.streams.descriptors import DISCARD_WRITER
from keysh.interp.streams.open_files import FileReader, FileWriter
from keysh.shell.shell import Shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    from keysh.cli.command_line import CliOptions

    MakeShell: TypeAlias = Callable[..., Shell]
    AtEnd: TypeAlias = Callable[[Shell], object]

SYNTAX_ERROR_STATUS = 2
NOT_FOUND_STATUS, NOT_READABLE_STATUS = 127, 126


def run_script(arguments: Sequence[str]) -> int:
    """Run the script that the command line names and return its status."""
    reserve_standard_descriptors()
    options = parse_options(arguments)
    return 0 if options is None else run_in_shell(options, new_shell)


def new_shell(options: CliOptions, **settings: Any) -> Shell:
    """Return the shell that the options of a run ask for."""
    machine = shell_options(options)
    if options.store is not None and not options.plan:  # a plan opens and makes no store
        from keysh.cli.stored_session import shell_in_store  # noqa: PLC0415 - few runs have a store

        return shell_in_store(options, machine, settings)
    shell = Shell(**machine, **settings)
    own_process(shell, options)
    introduce_machine(shell, options, machine["external"])
    return shell


def run_in_shell(
    options: CliOptions, make_shell: MakeShell, at_end: AtEnd = lambda shell: None
) -> int:
    """Run the script of the options, or a prompt, in a shell that is made for it.

    `at_end` gets the shell after its last command, unless nothing ran or a signal ended it.
    """
    is_prompt = wants_prompt(options)
    if is_prompt:
        require_output()
    try:
        text, name, rest = ("", name_of_shell(options), []) if is_prompt else script_of(options)
    except OSError as error:
        from keysh.diagnostics.display import visible  # noqa: PLC0415 - only for an error

        complain(f"keysh: {visible(error.filename or options.words[0])}: {error.strerror}\n")
        return NOT_FOUND_STATUS if isinstance(error, FileNotFoundError) else NOT_READABLE_STATUS
    dialect = dialect_of_script(options.dialect, text, name)
    language = None if dialect is None else dialect.name
    shell = make_shell(options, args=rest, name=name, dialect=language)
    shell.state.session.keeps_disowned_jobs = True
    if is_script_file(options):
        shell.state.session.script_files[name] = None
    if options.plan:
        return print_plan(shell, text, options.plan)
    if options.text is not None:
        shell.state.flags |= FROM_COMMAND_STRING
    elif not is_prompt and not is_script_file(options):
        shell.state.flags |= FROM_STDIN
    for option, is_on in options.set_options:
        shell.switch(option, is_on)
    if is_prompt:
        from keysh.repl import prompt  # noqa: PLC0415 - scripts need none

        status = prompt(shell)
        at_end(shell)
        close_shell(shell, status)
    else:
        status = run_text(shell, text, options, at_end)
    if options.journal is not None:
        from keysh.cli.disk_journal import leave_journal  # noqa: PLC0415 - few runs have one

        leave_journal(options.journal)
    if options.overlay:
        from keysh.cli.overlay_changes import write_or_ask  # noqa: PLC0415 - few runs have an overlay
        from keysh.vfs.overlay.filesystem import OverlayFS  # noqa: PLC0415 - few runs have an overlay

        overlay = shell.fs.mounts["/"]
        assert isinstance(overlay, OverlayFS)
        status = write_or_ask(overlay, options.commit, status)
    return status


def run_text(shell: Shell, text: str, options: CliOptions, at_end: AtEnd) -> int:
    """Run a script, which receives the program's signals, and return its status."""
    handlers = SignalHandlers(shell)
    has_journal = options.journal is not None
    # A process of its own shares nothing but the machine's files, and no journal sees what it does.
    if options.external and sees_machine(options) and not has_journal:
        shell.state.session.begin_job_process = handlers.begin_job
    if options.json:
        result = shell.run(text, stdin=None if sys.stdin is None else sys.stdin.buffer)
        put_json(result.record())
    else:
        err = DISCARD_WRITER if sys.stderr is None else standard_writer(2)
        shell.attach(FileReader(handlers.input), standard_writer(1), err)
        result = shell.run(text)
    if result.limit is None and not handlers.fatal:
        finish_jobs(shell, has_journal=has_journal)
    try:
        if not result.rejected and not handlers.fatal:
            at_end(shell)
    finally:
        close_shell(shell, result.code)
    handlers.restore()
    return result.code


def close_shell(shell: Shell, status: int) -> None:
    """Close a shell, and the audit that was opened for it.

    OSError if the audit is required and cannot be closed, unless the script has failed already.
    """
    shell.close()
    if (trail := shell.state.session.trail) is not None:
        try:
            trail.close()
        except OSError:
            if not status:
                raise


def finish_jobs(shell: Shell, *, has_journal: bool) -> None:
    """Wait for the jobs that share this process; the others go on without it, as in sh."""
    state = shell.state
    waits = has_journal or state.session.begin_job_process is not None
    if waits and state.session.has_jobs:
        try:
            for job in state.session.jobs.running():
                if job.process is None:
                    job.wait(state.budget)
        except LimitReached:
            pass  # a signal ends the jobs as well


def wants_prompt(options: CliOptions) -> bool:
    """Whether to show a prompt: there is no script, and standard input is a terminal."""
    is_script = options.text is not None or options.reads_stdin or options.words
    is_printed = options.json or options.plan
    return not is_script and not is_printed and sys.stdin is not None and sys.stdin.isatty()


def reserve_standard_descriptors() -> None:
    """Open closed standard descriptors, so that files opened later do not take their numbers.

    They are opened in the wrong direction: reading or writing still fails with EBADF.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)  # takes the lowest free number


def require_output() -> None:
    """Refuse a prompt without standard output; send errors there if stderr is closed."""
    if sys.stdout is None:
        raise OSError(EBADF, os.strerror(EBADF))
    if sys.stderr is None:
        os.dup2(1, 2)


def standard_writer(number: int) -> FileWriter:
    """Return an unbuffered writer for a standard descriptor; a lost reader ends the run."""
    writer = FileWriter(FileIO(number, "wb", closefd=False))  # unbuffered

    def put(text: str) -> None:
        data = text.encode("utf-8", "surrogateescape")
        try:
            while data:
                data = data[os.write(number, data) :]
        except BrokenPipeError:
            raise ReaderGone from None
        except OSError as error:
            raise UnwritableOutput(error) from None

    writer.put = put
    return writer


def is_script_file(options: CliOptions) -> bool:
    """Whether the script is a file that the command line names."""
    words = options.words
    return options.text is None and not options.reads_stdin and bool(words) and words[0] != "-"


def script_of(options: CliOptions) -> tuple[str, str, list[str]]:
    """Return the text to run, `$0` and the arguments."""
    words = options.words
    if options.text is not None:
        name, *rest = words or [name_of_shell(options)]
        return options.text, name, rest
    if not is_script_file(options):
        rest = words if options.reads_stdin else words[1:]
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        return data.decode("utf-8", "surrogateescape"), name_of_shell(options), rest
    name, *rest = words
    with open(name, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape"), name, rest


def name_of_shell(options: CliOptions) -> str:
    """Return `$0` of a text that has no file: the shell that its dialect belongs to."""
    return options.dialect or KEYSH.name


def print_plan(shell: Shell, text: str, form: str) -> int:
    """Print what a script would run."""
    from keysh.diagnostics.exceptions import ScriptError  # noqa: PLC0415 - only plans need it

    try:
        plan = shell.plan(text)
    except ScriptError as error:
        complain("".join(f"{diagnostic}\n" for diagnostic in error.diagnostics))
        return SYNTAX_ERROR_STATUS
    programs = shell.state.session.opened_programs
    unenforced = () if programs is None else programs.unheld_parts(shell.state)
    if form == "tree":
        put("".join(f"{line}\n" for line in str(plan).splitlines()))
        if (verdicts := plan.verdicts) is not None:
            put("".join(f"# {line}\n" for line in verdicts.lines()))
        put("".join(f"# this kernel does not hold {fact}\n" for fact in unenforced))
    else:
        put_json(plan.record() | {"unenforced": list(unenforced)})
    return 0
