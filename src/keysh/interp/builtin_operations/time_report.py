"""The report of `time`, and $TIMEFORMAT."""

from __future__ import annotations

from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State

DEFAULT_TIME_FORMAT = "\nreal\t%lR\nuser\t%lU\nsys\t%lS"


def timed_body(body: Body, form: str) -> Body:
    """Return a body that reports its duration on stderr; `form` is `time` or `time -p`."""

    def run(state: State) -> int:
        clocks = state.session.clocks()
        began, worked = clocks.wall(), clocks.work()
        try:
            return body(state)
        finally:
            wall, work = clocks.wall() - began, clocks.work() - worked
            if "-p" in form:
                state.err.write(f"real {wall:.2f}\nuser {work:.2f}\nsys 0.00\n")
            else:
                wanted = text_of(state.variables.get("TIMEFORMAT", DEFAULT_TIME_FORMAT))
                state.err.write(format_times(wanted, {"R": wall, "U": work, "S": 0.0}))

    return run


def format_times(template: str, seconds: dict[str, float]) -> str:
    """Expand TIMEFORMAT: `%R`, `%U`, `%S`, `%P`; `%2R` has two decimals, `%lR` minutes."""
    if not template:
        return ""
    pieces, index = [], 0
    while index < len(template):
        percent = template.find("%", index)
        if percent < 0 or percent + 1 == len(template):
            break
        pieces.append(template[index:percent])
        index = percent + 1
        places = 3
        if template[index].isdecimal():
            places = min(int(template[index]), 3)
            index += 1
        is_long = template[index : index + 1] == "l"
        index += is_long
        letter = template[index : index + 1]
        index += 1
        if letter == "%":
            pieces.append("%")
        elif letter == "P":
            busy = seconds["U"] + seconds["S"]
            pieces.append(f"{100 * busy / seconds['R'] if seconds['R'] else 0:.2f}")
        elif letter in seconds and letter:
            pieces.append(format_seconds(seconds[letter], places, is_long))
        else:
            return f"keysh: TIMEFORMAT: `{letter}': invalid format character\n"
    return "".join([*pieces, template[index:], "\n"])


def format_seconds(seconds: float, places: int, is_long: bool) -> str:
    """Format a time in seconds, or with `is_long` in minutes and seconds."""
    return format_minutes(seconds, places) if is_long else f"{seconds:.{places}f}"


def format_minutes(seconds: float, places: int = 3) -> str:
    """Format a time in minutes and seconds."""
    return f"{int(seconds // 60)}m{seconds % 60:.{places}f}s"
