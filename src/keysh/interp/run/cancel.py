"""Cancel: how a host ends runs from any thread."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from keysh.interp.run.budget import Budget


class Cancel:
    """Lets a host cancel runs from any thread: `run(text, cancel=c)`, then `c.cancel()`.

    is_cancelled  whether `cancel` was called
    """

    __module__ = "keysh"
    __slots__ = ("_budgets", "is_cancelled")

    def __init__(self) -> None:
        self._budgets: list[Budget] = []
        self.is_cancelled = False

    def cancel(self) -> None:
        """End all runs that were started with this object, including later ones."""
        self.is_cancelled = True
        for budget in list(self._budgets):
            budget.cancel()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a Cancel is of the runs that use it, and is not copied or pickled")

    def begin(self, budget: Budget) -> None:
        """Register a run that starts."""
        self._budgets.append(budget)
        if self.is_cancelled:
            budget.cancel()

    def is_of(self, budget: Budget) -> bool:
        """Whether the run of `budget` uses this object."""
        return budget in self._budgets

    def end(self, budget: Budget) -> None:
        """Unregister a run that has ended."""
        self._budgets.remove(budget)
