"""ProgressReport: tells a host how far a long command has come."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS_BETWEEN_REPORTS = 0.1


class ProgressReport:
    """Calls the function of a host with a value, a total and a label.

    The first report of a label, and the last one, always arrive; others at most ten a second. An
    exception of the function is kept for the result of the run, and there are no more reports.
    """

    __slots__ = ("_due", "_label", "_note_error", "_on_progress")

    def __init__(
        self,
        on_progress: Callable[[int, int | None, str], object],
        note_error: Callable[[BaseException], object],
    ) -> None:
        self._on_progress: Callable[[int, int | None, str], object] | None = on_progress
        self._note_error = note_error
        self._label, self._due = "", 0.0

    def tell(self, value: int, total: int | None, label: str, *, is_last: bool = False) -> None:
        """Report that `value` of `total` is done; the total may be unknown."""
        if self._on_progress is None:
            return
        now = monotonic()
        if not is_last and label == self._label and now < self._due:
            return
        self._label, self._due = label, 0.0 if is_last else now + SECONDS_BETWEEN_REPORTS
        try:
            self._on_progress(value, total, label)
        except Exception as error:  # noqa: BLE001 - a function of the host may raise anything
            self._on_progress = None
            self._note_error(error)
