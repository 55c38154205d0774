"""timeout - run a command with a time limit."""

from __future__ import annotations

from time import monotonic

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.schema.types import DURATION, UnfitValue
from keysh.text.gnu_quoting import quoted_name
from keysh.text.signal_names import SIGKILL, signal_name, signal_number
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

TIMED_OUT_STATUS, SIGNAL_STATUS_BASE = 124, 128
LAUNCH_ERROR = "timeout: failed to run command {quoted}"


@command(
    compatible="GNU coreutils 9.1",
    refusals=Refusals(usage_status=125),
    style=OptionStyle(binds_by_key=False),
    ignored="--foreground",
)
def timeout(
    sh: Call,
    duration: str,
    /,
    *words: Raw,
    kill_after: str | None = None,
    preserve_status: bool = False,
    signal: str = "TERM",
    verbose: bool = False,
) -> int:
    """Run a command and stop it if it is still running after DURATION.

    duration                   10, 1.5s, 2m, 1h, 1d; 0 is no limit
    words ...                  the command and its arguments (at least 1)
    -k, --kill-after DURATION  ignored: no command can ignore its end
    --preserve-status          exit with the status of the signal, not 124
    -s, --signal SIGNAL        the signal that determines the status
    -v, --verbose              report the timeout on standard error
    """
    seconds = parse_interval(duration)
    if kill_after is not None:
        parse_interval(kill_after)
    number = signal_number(signal)
    if number is None:
        raise UsageFailure(f"{quoted_name(signal)}: invalid signal")
    outer_deadline, deadline = sh.deadline, monotonic() + seconds
    if not seconds or (outer_deadline is not None and outer_deadline <= deadline):
        return sh.run(words, launch_error=LAUNCH_ERROR)
    sh.deadline = deadline
    try:
        return sh.run(words, launch_error=LAUNCH_ERROR)
    except LimitReached as limit:
        if limit.kind != "seconds" or monotonic() < deadline:
            raise
    finally:
        sh.deadline = outer_deadline
    if verbose:
        name = quoted_name(text_of(words[0]))
        sh.complain(f"timeout: sending signal {signal_name(number)} to command {name}")
    return SIGNAL_STATUS_BASE + number if preserve_status or number == SIGKILL else TIMED_OUT_STATUS


def parse_interval(text: str) -> float:
    """Parse a duration in seconds."""
    try:
        seconds: float = DURATION.parse(text)
    except UnfitValue:
        raise UsageFailure(f"invalid time interval {quoted_name(text)}") from None
    return seconds
