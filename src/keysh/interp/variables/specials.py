"""Special variables, computed when they are read: `$?`, `$#`, `$SECONDS`, `$FUNCNAME`, …"""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.interp.run.options import (
    NOUNSET,
    SET_OPTIONS,
    SHOPT_OPTIONS,
    flag_letters,
    is_option_on,
)
from keysh.interp.run.pipe_status import stage_statuses
from keysh.interp.variables.variable import PROCESSOR, SYSTEM_TYPE, unbound_variable
from keysh.values import ShellList, StarList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.interp.state.state import State

NANOSECONDS_PER_SECOND = 1_000_000_000


def status(state: State) -> int:
    return +state.status


def count(state: State) -> int:
    return len(state.arguments)


def arguments(state: State) -> list[object]:
    return state.arguments


def process(state: State) -> int:
    return state.session.jobs.shell_pid


def background(state: State) -> str:
    job = state.background_job
    return "" if job is None else str(state.session.jobs.visible_pid(job, state))


def flags(state: State) -> str:
    return flag_letters(state.flags)


def set_options(state: State) -> str:
    return ":".join(name for name in SET_OPTIONS if is_option_on(state.flags, name, state.dialect))


def shopt_options(state: State) -> str:
    return ":".join(
        name for name in SHOPT_OPTIONS if is_option_on(state.flags, name, state.dialect)
    )


def last_word(state: State) -> object:
    words = state.last_words
    return words[-1] if words else ""


def seconds(state: State) -> int:
    return (state.session.clock() - state.seconds_from) // NANOSECONDS_PER_SECOND


def epoch_seconds(state: State) -> int:
    return state.session.clock() // NANOSECONDS_PER_SECOND


def epoch_realtime(state: State) -> str:
    whole, rest = divmod(state.session.clock() // 1000, 1_000_000)
    return f"{whole}.{rest:06d}"


def random(state: State) -> int:
    if state.random_seed is None:
        return state.session.random_source().randrange(32768)
    seed, last = state.random_seed
    number = last
    while number == last:
        # Park and Miller's generator as bash has it: the same numbers follow `RANDOM=n`.
        high, low = divmod(seed or 123459876, 127773)
        seed = 16807 * low - 2836 * high
        seed += 0x7FFFFFFF if seed < 0 else 0
        number = (seed >> 16 ^ seed & 0xFFFF) & 0x7FFF
    state.random_seed = seed, number
    return number


def long_random(state: State) -> int:
    return state.session.random_source().randrange(1 << 32)


def statuses(state: State) -> list[int]:
    return ShellList(stage_statuses(state.status))


def functions(state: State) -> list[str]:
    if not any(frame.is_function for frame in state.frames):
        return ShellList()
    names = [frame.name for frame in reversed(state.frames)]
    return ShellList([*names, "main"] if is_script(state) else names)


def sources(state: State) -> list[str]:
    files = [frame.source for frame in reversed(state.frames)]
    return ShellList([*files, state.name] if is_script(state) else files)


def lines(state: State) -> list[int]:
    numbers = [frame.line for frame in reversed(state.frames)]
    return ShellList([*numbers, 0] if is_script(state) else numbers)


def is_script(state: State) -> bool:
    """Whether the shell runs a file, which is one more element of `BASH_SOURCE`."""
    return state.name != state.session.name


def level(state: State) -> int:
    return state.level


def process_here(state: State) -> int:
    return state.session.jobs.shell_pid_of(state)


def directories(state: State) -> list[str]:
    return ShellList([state.cwd, *state.directories])


def script(state: State) -> str:
    return state.name


def of_bash(name: str, value: object) -> Callable[[State], Any]:
    """Return the reader of a variable that only the bash dialect computes."""

    def read(state: State) -> Any:
        return value if state.dialect is BASH else state.variables.get(name)

    return read


# The version of bash whose language the dialect is. Scripts compare its numbers.
BASH_VERSION = (5, 2, 0, 1)


# Positional parameters are not here; they have their own closures.
SPECIAL_VARIABLES: dict[str, Callable[[State], Any]] = {
    "?": status, "#": count, "$": process, "!": background, "-": flags, "_": last_word, "0": script,
    "@": arguments, "*": arguments, "SECONDS": seconds, "EPOCHSECONDS": epoch_seconds,
    "EPOCHREALTIME": epoch_realtime, "RANDOM": random, "SRANDOM": long_random,
    "PIPESTATUS": statuses, "FUNCNAME": functions, "BASH_SOURCE": sources, "BASH_LINENO": lines,
    "BASHOPTS": shopt_options, "SHELLOPTS": set_options, "BASH_SUBSHELL": level,
    "BASHPID": process_here, "DIRSTACK": directories,
    "BASH": of_bash("BASH", "/usr/bin/bash"),
    "BASH_VERSION": of_bash("BASH_VERSION", "{}.{}.{}({})-keysh".format(*BASH_VERSION)),
    "BASH_VERSINFO": of_bash(
        "BASH_VERSINFO",
        ShellList([*map(str, BASH_VERSION), "release", f"{PROCESSOR}-pc-{SYSTEM_TYPE}"]),
    ),
}  # fmt: skip


ARRAY_SPECIALS = (
    "BASH_LINENO", "BASH_SOURCE", "BASH_VERSINFO", "DIRSTACK", "FUNCNAME", "PIPESTATUS",
)  # fmt: skip


def first_element_reader(name: str) -> Callable[[State], Any]:
    """Return a reader of the first element of a special array, for `$FUNCNAME`."""
    read = SPECIAL_VARIABLES[name]

    def first(state: State) -> Any:
        value = read(state)
        if not value and state.flags & NOUNSET:
            raise unbound_variable(name)
        return value[0] if value else None

    return first


def positional_reader(number: int) -> Callable[[State], Any]:
    """Return a reader of `$1`, `$2` and so on; None if there is no such argument."""
    index = number - 1

    def read(state: State) -> object:
        arguments = state.arguments
        return arguments[index] if index < len(arguments) else None

    return read


def joined_arguments(state: State) -> str:
    """`"$*"`: join the arguments with the first character of IFS."""
    return state.join_values(argument_separator(state), state.arguments)


def text_of_elements(state: State, value: Any) -> str:
    """Return the text of a value; of all elements that `${!r}` reads, joined as `$@` or `$*`."""
    if not isinstance(value, ShellList):
        return state.text(value)
    separator = argument_separator(state) if value.__class__ is StarList else " "
    return state.join_values(separator, value)


def argument_separator(state: State) -> str:
    """Return the first character of IFS, or a space if IFS is unset."""
    value = state.variables.get("IFS", " ")
    return text_of(value)[:1]
