"""ulimit - show or set limits of programs."""

from __future__ import annotations

from errno import EINVAL, EPERM
from os import strerror

from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.process.spec import Ulimits

LIMIT_TITLES = {
    "core": "core file size              (blocks, -c)",
    "data": "data seg size               (kbytes, -d)",
    "files": "file size                   (blocks, -f)",
    "locked": "max locked memory           (kbytes, -l)",
    "resident": "max memory size             (kbytes, -m)",
    "open": "open files                          (-n)",
    "stack": "stack size                  (kbytes, -s)",
    "time": "cpu time                   (seconds, -t)",
    "processes": "max user processes                  (-u)",
    "virtual": "virtual memory              (kbytes, -v)",
}
MAX_LIMIT_DIGITS = 20  # longest number that can be a limit
LIMIT_CEILING = 1 << 63  # limits are below this


@command(refusals=Refusals(usage_status=2))
def ulimit(
    sh: Call,
    limit: str | None = None,
    *,
    all: bool = False,
    core: bool = False,
    data: bool = False,
    files: bool = False,
    hard: bool = False,
    locked: bool = False,
    resident: bool = False,
    open: bool = False,
    soft: bool = False,
    stack: bool = False,
    time: bool = False,
    processes: bool = False,
    virtual: bool = False,
) -> str:
    """Show or set a resource limit of the programs that this shell starts.

    If the shell has no programs, or the host restricts them, every limit is
    `unlimited` and cannot be set. Builtins are subject to the host's own limits
    instead.

    limit            a number, `unlimited`, or `hard` or `soft` to use that limit
    -a, --all        show all limits
    -c, --core       size of core files
    -d, --data       size of the data segment
    -f, --files      size of files (the default)
    -H, --hard       the hard limit; without -H and -S both are set
    -l, --locked     locked memory
    -m, --resident   resident memory
    -n, --open       number of open files
    -S, --soft       the soft limit; without -H and -S this one is shown
    -s, --stack      size of the stack
    -t, --time       processor time
    -u, --processes  number of processes
    -v, --virtual    virtual memory
    """
    state = state_of(sh)
    named = [name for name, _ in sh.given if name in LIMIT_TITLES]
    if limit is not None and not all:
        set_limit(sh, state, (named or ["files"])[-1], limit, hard, soft)
        return ""
    shows_hard = hard and not soft
    if all or len(named) > 1:
        rows = LIMIT_TITLES if all else named
        return "".join(
            f"{LIMIT_TITLES[name]} {limit_of(state, name, shows_hard)}\n" for name in rows
        )
    return f"{limit_of(state, (named or ['files'])[0], shows_hard)}\n"


def has_real_limits(state: State) -> bool:
    """Whether programs may run freely, with limits of the host's system."""
    programs = state.session.programs
    return programs is not None and not programs.is_restricted


def limits_of(state: State, name: str) -> tuple[int, int]:
    """Return the soft and the hard limit of a new program."""
    from keysh.process.rlimits import current_limit  # noqa: PLC0415 - only where programs run

    return state.ulimits.get(name) or current_limit(name)


def limit_of(state: State, name: str, is_hard: bool) -> str:
    """Return a limit as text."""
    if not has_real_limits(state):
        return "unlimited"
    from keysh.process.rlimits import RESOURCE_LIMITS, limit_text  # noqa: PLC0415 - only where programs run

    return limit_text(limits_of(state, name)[is_hard], RESOURCE_LIMITS[name].unit)


def is_number(text: str) -> bool:
    """Whether text is a number that can be a limit."""
    return is_digits(text) and len(text) <= MAX_LIMIT_DIGITS


def set_limit(sh: Call, state: State, name: str, text: str, hard: bool, soft: bool) -> None:
    """Set one limit for new programs of this shell or subshell."""
    if text not in ("unlimited", "hard", "soft") and not is_number(text):
        raise sh.fail(f"{text}: invalid number")
    if not has_real_limits(state):
        if text.isdecimal():
            raise sh.fail(f"{text}: cannot modify limit: the host sets the limits of this shell")
        return
    from keysh.process.rlimits import RESOURCE_LIMITS, UNLIMITED  # noqa: PLC0415 - only where programs run

    before = limits_of(state, name)
    value = {"unlimited": UNLIMITED, "soft": before[0], "hard": before[1]}.get(text)
    if value is None:
        value = int(text) * RESOURCE_LIMITS[name].unit
        if value >= LIMIT_CEILING:
            raise sh.fail(f"{text}: limit out of range")
    both = hard == soft
    limits = value if both or soft else before[0], value if both or hard else before[1]
    title = LIMIT_TITLES[name].partition("  ")[0]
    if is_above(limits[1], before[1]):
        raise sh.fail(f"{title}: cannot modify limit: {strerror(EPERM)}")
    if is_above(*limits):
        raise sh.fail(f"{title}: cannot modify limit: {strerror(EINVAL)}")
    changed: Ulimits = {**state.ulimits, name: limits}
    state.ulimits = changed


def is_above(limit: int, most: int) -> bool:
    """Whether `limit` is higher than `most`."""
    from keysh.process.rlimits import UNLIMITED  # noqa: PLC0415 - only where programs run

    return most != UNLIMITED and (limit == UNLIMITED or limit > most)
