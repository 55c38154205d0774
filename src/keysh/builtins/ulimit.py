"""ulimit - limits of the programs that the shell starts."""

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
MAX_LIMIT_DIGITS = 20  # of a number that can be one
LIMIT_CEILING = 1 << 63  # no limit is so high


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
    """Show or set a limit of the programs that this shell starts from now on.

    Without programs, or where the host chooses them, all is `unlimited` and cannot be set: what
    scripts may use is the host's to say. Commands of keysh's own are bound by the host's limits.

    limit            a number, `unlimited`, or `hard` or `soft` for what that limit is
    -a, --all        show all
    -c, --core       of core files
    -d, --data       of data
    -f, --files      of the size of files, which is meant without any letter
    -H, --hard       the hard limit, which cannot be raised; both are set without -H and -S
    -l, --locked     of memory that is locked
    -m, --resident   of memory in use
    -n, --open       of open files
    -S, --soft       the soft limit, which is shown without -H and -S
    -s, --stack      of the stack
    -t, --time       of processor time
    -u, --processes  of processes
    -v, --virtual    of memory
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
    """Whether the limits are those of the machine."""
    programs = state.session.programs
    return programs is not None and not programs.is_restricted


def limits_of(state: State, name: str) -> tuple[int, int]:
    """The soft and the hard limit that a program would have."""
    from keysh.process.rlimits import current_limit  # noqa: PLC0415 - only where programs run

    return state.ulimits.get(name) or current_limit(name)


def limit_of(state: State, name: str, is_hard: bool) -> str:
    """A limit as it is shown."""
    if not has_real_limits(state):
        return "unlimited"
    from keysh.process.rlimits import RESOURCE_LIMITS, limit_text  # noqa: PLC0415 - as above

    return limit_text(limits_of(state, name)[is_hard], RESOURCE_LIMITS[name].unit)


def is_number(text: str) -> bool:
    """Whether a text is a number that a limit can have."""
    return is_digits(text) and len(text) <= MAX_LIMIT_DIGITS


def set_limit(sh: Call, state: State, name: str, text: str, hard: bool, soft: bool) -> None:
    """Set one limit for the programs to come; a subshell does so for its own."""
    if text not in ("unlimited", "hard", "soft") and not is_number(text):
        raise sh.fail(f"{text}: invalid number")
    if not has_real_limits(state):
        if text.isdecimal():
            raise sh.fail(f"{text}: cannot modify limit: the host sets the limits of this shell")
        return
    from keysh.process.rlimits import RESOURCE_LIMITS, UNLIMITED  # noqa: PLC0415 - as above

    before = limits_of(state, name)
    value = {"unlimited": UNLIMITED, "soft": before[0], "hard": before[1]}.get(text)
    if value is None:
        value = int(text) * RESOURCE_LIMITS[name].unit
        if value >= LIMIT_CEILING:
            raise sh.fail(f"{text}: limit out of range")
    both = hard == soft
    wanted = value if both or soft else before[0], value if both or hard else before[1]
    title = LIMIT_TITLES[name].partition("  ")[0]
    if is_above(wanted[1], before[1]):
        raise sh.fail(f"{title}: cannot modify limit: {strerror(EPERM)}")
    if is_above(*wanted):
        raise sh.fail(f"{title}: cannot modify limit: {strerror(EINVAL)}")
    changed: Ulimits = {**state.ulimits, name: wanted}
    state.ulimits = changed


def is_above(limit: int, most: int) -> bool:
    """Whether a limit is higher than another one."""
    from keysh.process.rlimits import UNLIMITED  # noqa: PLC0415 - as above

    return most != UNLIMITED and (limit == UNLIMITED or limit > most)
