"""The report of `time`, and $TIMEFORMAT."""

from __future__ import annotations

from time import monotonic, process_time

from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State

DEFAULT_TIME_FORMAT = "\nreal\t%lR\nuser\t%lU\nsys\t%lS"


def timed_body(body: Body, form: str) -> Body:
    """Return a body that reports its duration on stderr; `form` is `time` or `time -p`."""

    def run(state: State) -> int:
        began, worked = monotonic(), process_time()
        try:
            return body(state)
        finally:
            wall, work = monotonic() - began, process_time() - worked
            if "-p" in form:
                state.err.write(f"real {wall:.2f}\nuser {work:.2f}\nsys 0.00\n")
            else:
                wanted = text_of(state.variables.get("TIMEFORMAT", DEFAULT_TIME_FORMAT))
                state.err.write(format_times(wanted, {"R": wall, "U": work, "S": 0.0}))

    return run


def format_times(wanted: str, seconds: dict[str, float]) -> str:
    """Expand TIMEFORMAT: `%R`, `%U`, `%S`, `%P`; `%2R` has two decimals, `%lR` minutes."""
    if not wanted:
        return ""
    made, at = [], 0
    while at < len(wanted):
        found = wanted.find("%", at)
        if found < 0 or found + 1 == len(wanted):
            break
        made.append(wanted[at:found])
        at = found + 1
        places = 3
        if wanted[at].isdecimal():
            places = min(int(wanted[at]), 3)
            at += 1
        is_long = wanted[at : at + 1] == "l"
        at += is_long
        letter = wanted[at : at + 1]
        at += 1
        if letter == "%":
            made.append("%")
        elif letter == "P":
            busy = seconds["U"] + seconds["S"]
            made.append(f"{100 * busy / seconds['R'] if seconds['R'] else 0:.2f}")
        elif letter in seconds and letter:
            made.append(format_seconds(seconds[letter], places, is_long))
        else:
            return f"keysh: TIMEFORMAT: `{letter}': invalid format character\n"
    return "".join([*made, wanted[at:], "\n"])


def format_seconds(seconds: float, places: int, is_long: bool) -> str:
    """Format a time in seconds, or with `is_long` in minutes and seconds."""
    return format_minutes(seconds, places) if is_long else f"{seconds:.{places}f}"


def format_minutes(seconds: float, places: int = 3) -> str:
    """Format a time in minutes and seconds."""
    return f"{int(seconds // 60)}m{seconds % 60:.{places}f}s"
