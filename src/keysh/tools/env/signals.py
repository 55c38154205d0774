"""Signals: how `env` lets its command begin with them.

A command of keysh gets no signals of its own, so that nothing is to be done for it but to say so.
"""

from __future__ import annotations

from keysh.interp.jobs.signal_names import (
    FIRST_REAL_TIME,
    KILL,
    LAST_REAL_TIME,
    NAMES,
    signal_name,
    signal_number,
)
from keysh.interp.state.call import BadCall
from keysh.text.gnu_quoting import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

STOP, IO = 19, 29
NUMBERS = (*range(1, len(NAMES)), *range(FIRST_REAL_TIME, LAST_REAL_TIME + 1))
FIXED = (KILL, STOP)  # what no process can change


class Signals:
    """What is asked for, by number: DEFAULT or IGNORE, and BLOCK or UNBLOCK."""

    __slots__ = ("_actions", "_forgiven", "_masks")

    def __init__(self) -> None:
        self._actions: dict[int, str] = {}
        self._forgiven: set[int] = set()  # where all signals were meant, and not all can be set
        self._masks: dict[int, str] = {}

    def ask(self, option: str, value: str | bool) -> None:
        """Take one option; without a value it means all signals."""
        numbers = [*numbers_of(value)] if isinstance(value, str) else [*NUMBERS]
        if option == "block_signal":
            self._masks.update(dict.fromkeys(numbers, "BLOCK"))
            return
        if option == "default_signal":
            self._masks.update(dict.fromkeys(numbers, "UNBLOCK"))
        action = "DEFAULT" if option == "default_signal" else "IGNORE"
        self._actions.update(dict.fromkeys(numbers, action))
        self._forgiven -= set(numbers)
        if not isinstance(value, str):
            self._forgiven.update(numbers)

    @property
    def changes_some(self) -> bool:
        """Whether a program would begin otherwise than programs do here."""
        return any(self._states(number) for number in NUMBERS)

    def steps(self, sh: Call) -> Iterator[str]:
        """What is done, for -v; a signal that cannot be set is the end."""
        for number, action in sorted(self._actions.items()):
            step = f"Reset signal {name_of(number)} ({number}) to {action}"
            if number not in FIXED:
                yield step
            elif number in self._forgiven:
                yield f"{step} (failure ignored)"
            else:
                says = f"failed to set signal action for signal {number}: Invalid argument"
                raise sh.fail(says, 125)
        for number, mask in sorted(self._masks.items()):
            yield f"signal {name_of(number)} ({number}) mask set to {mask}"

    def listing(self) -> Iterator[str]:
        """The signals that the command begins with otherwise than usual."""
        for number in NUMBERS:
            if states := self._states(number):
                yield f"{name_of(number):10} ({number:2}): {','.join(states)}\n"

    def _states(self, number: int) -> list[str]:
        """What of a signal is not as usual."""
        asked = (self._masks.get(number), self._actions.get(number))
        return [state for state in asked if state in ("BLOCK", "IGNORE") and number not in FIXED]


def numbers_of(text: str) -> Iterator[int]:
    """The signals of a list with commas."""
    for word in filter(None, text.split(",")):
        number = signal_number(word)
        if not number:
            raise BadCall(f"{quoted(word)}: invalid signal")
        yield number


def name_of(number: int) -> str:
    """A signal's name as GNU's env shows it."""
    return "POLL" if number == IO else signal_name(number)
