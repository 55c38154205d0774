"""sleep - pause for a time."""

from __future__ import annotations

from keysh.interp.run.control_flow import STATUS_INTERRUPTED
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import command
from keysh.schema.types import DURATION, UnfitValue
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(compatible="GNU coreutils 9.1")
def sleep(sh: Call, *durations: str) -> None:
    """Pause for the sum of the durations; cancelling the run ends the pause.

    durations ...  NUMBER[SUFFIX]: 10s, 1.5m, 2h, 1d, 250ms, infinity; seconds by
                   default (at least 1)
    """
    seconds = 0.0
    faults = []
    for text in durations:
        try:
            seconds += DURATION.parse(text)
        except UnfitValue:
            faults.append(f"invalid time interval {quoted_name(text)}")
    if faults:
        for fault in faults[:-1]:
            sh.warn(fault)
        raise UsageFailure(faults[-1])
    if not sh.sleep(seconds):
        sh.status = STATUS_INTERRUPTED
