"""time - measure how long a command takes."""

from __future__ import annotations

from keysh.builtins.time.resource_report import VERBOSE_FORMAT, TimedRun
from keysh.interp.builtin_operations.time_report import timed_body
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Raw

USAGE_STATUS = 125


@command(
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False, options_first=True),
)
def time(
    sh: Call,
    *words: Raw,
    portability: bool = False,
    format: str | None = None,
    output: Path | None = None,
    append: bool = False,
    quiet: bool = False,
    verbose: bool = False,
) -> int:
    """Run a command and print its duration on standard error.

    words ...              the command
    -p, --portability      use the format of POSIX, in seconds
    -f, --format FORMAT    print FORMAT, in which %e is the duration in seconds, %E
                           in minutes, %U and %S the time of the processor, %P its
                           share, %x the status, and %C the command
    -o, --output FILE      write to FILE, not to standard error
    -a, --append           with -o, append to FILE
    -q, --quiet            do not report the status of a command that fails
    -v, --verbose          print all that can be measured, with names

    These are options of `command time`; the keyword `time` knows only -p. Without
    -f, -o and -v both print the same.
    """
    is_own = not (format is not None or verbose or output is not None)
    if is_own or portability:
        template = "time -p" if portability else "time"
        body = timed_body(lambda state: sh.run(words) if words else 0, template)
        return body(state_of(sh))
    if not words:
        raise UsageFailure("missing program to run")
    run = TimedRun(raw_texts(words))
    if output is not None:  # so that it is refused before the command runs
        write_report(sh, output, "", append=append)
    status = run.measure(lambda: sh.run(words))
    text = run.report(VERBOSE_FORMAT if verbose else format, quiet=quiet)
    if output is None:
        sh.err.write(text)
    else:
        write_report(sh, output, text, append=True)
    return status


def write_report(sh: Call, path: str, text: str, *, append: bool) -> None:
    """Write or append to the file of -o."""
    try:
        with sh.open(path, "a" if append else "w") as stream:
            stream.write(bytes_of_text(text))
    except OSError as error:
        raise sh.fail(f"{message_name(path)}: {os_error_text(error)}", USAGE_STATUS) from None
