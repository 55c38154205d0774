"""The signal settings of `env`.

keysh's own commands receive no signals, so the settings are only reported.
"""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.text.gnu_quoting import quoted_name
from keysh.text.signal_names import (
    FIRST_REAL_TIME,
    LAST_REAL_TIME,
    SIGKILL,
    SIGNAL_NAMES,
    signal_name,
    signal_number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

SIGSTOP, SIGIO = 19, 29
SIGNAL_NUMBERS = (*range(1, len(SIGNAL_NAMES)), *range(FIRST_REAL_TIME, LAST_REAL_TIME + 1))
UNCHANGEABLE_SIGNALS = (SIGKILL, SIGSTOP)  # no process can change these


class SignalSettings:
    """The settings by signal number: DEFAULT or IGNORE, and BLOCK or UNBLOCK."""

    __slots__ = ("_actions", "_masks", "_optional")

    def __init__(self) -> None:
        self._actions: dict[int, str] = {}
        self._optional: set[int] = set()  # from options without a list: failures are ignored
        self._masks: dict[int, str] = {}

    def add_option(self, option: str, value: str | bool) -> None:
        """Add one option; without a value it means all signals."""
        numbers = [*signal_numbers(value)] if isinstance(value, str) else [*SIGNAL_NUMBERS]
        if option == "block_signal":
            self._masks.update(dict.fromkeys(numbers, "BLOCK"))
            return
        if option == "default_signal":
            self._masks.update(dict.fromkeys(numbers, "UNBLOCK"))
        action = "DEFAULT" if option == "default_signal" else "IGNORE"
        self._actions.update(dict.fromkeys(numbers, action))
        self._optional -= set(numbers)
        if not isinstance(value, str):
            self._optional.update(numbers)

    @property
    def has_changes(self) -> bool:
        """Tell whether a program would start with signals blocked or ignored."""
        return any(self._states(number) for number in SIGNAL_NUMBERS)

    def steps(self, sh: Call) -> Iterator[str]:
        """Yield the steps for -v; fails at a signal that cannot be set."""
        for number, action in sorted(self._actions.items()):
            step = f"Reset signal {env_signal_name(number)} ({number}) to {action}"
            if number not in UNCHANGEABLE_SIGNALS:
                yield step
            elif number in self._optional:
                yield f"{step} (failure ignored)"
            else:
                message = f"failed to set signal action for signal {number}: Invalid argument"
                raise sh.fail(message, 125)
        for number, mask in sorted(self._masks.items()):
            yield f"signal {env_signal_name(number)} ({number}) mask set to {mask}"

    def listing(self) -> Iterator[str]:
        """Yield the signals that are blocked or ignored."""
        for number in SIGNAL_NUMBERS:
            if states := self._states(number):
                yield f"{env_signal_name(number):10} ({number:2}): {','.join(states)}\n"

    def _states(self, number: int) -> list[str]:
        """Return BLOCK or IGNORE as far as they are set for a signal."""
        settings = (self._masks.get(number), self._actions.get(number))
        return [
            state
            for state in settings
            if state in ("BLOCK", "IGNORE") and number not in UNCHANGEABLE_SIGNALS
        ]


def signal_numbers(text: str) -> Iterator[int]:
    """Parse a comma-separated list of signals."""
    for word in filter(None, text.split(",")):
        number = signal_number(word)
        if not number:
            raise UsageFailure(f"{quoted_name(word)}: invalid signal")
        yield number


def env_signal_name(number: int) -> str:
    """Return a signal's name as GNU env shows it."""
    return "POLL" if number == SIGIO else signal_name(number)
