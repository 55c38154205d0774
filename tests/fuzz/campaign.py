"""Try a target with many inputs, keep those that break it, and make them smaller."""

from __future__ import annotations

import faulthandler
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from fuzz.fields import Unfit
from fuzz.targets import Input, Property, Target
from keysh.text.chunks import bytes_of_text

CORPUS = Path(__file__).with_name("corpus")
HANG_SECONDS = 60
# Of processor time for one input; an input has at most a few thousand characters.
SLOW_SECONDS = 5.0
MOST_TRIALS = 400  # to make an input smaller


class Slow(AssertionError):
    """An input took more time than any of its size may."""


class Finding:
    """An input that broke a target, as small as it became, and how."""

    def __init__(self, data: Input, error: BaseException) -> None:
        self.data, self.error = data, error

    def __str__(self) -> str:
        return f"{type(self.error).__name__}: {str(self.error)[:1000]}\n    {self.data!r}"


def error_of(holds: Property, data: Input) -> Exception | None:
    """Return what an input raises, or None."""
    start = time.process_time()
    try:
        holds(data)
    except Unfit:
        return None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        return error
    taken = time.process_time() - start
    return Slow(f"{taken:.1f} s") if taken > SLOW_SECONDS else None


def minimised(holds: Property, data: Input, error: Exception) -> Finding:
    """Return the finding with pieces of its input left out, as long as it fails in the same way."""
    found, size, trials = Finding(data, error), max(1, len(data) // 2), 0
    while trials < MOST_TRIALS:
        at, is_shorter = 0, False
        while at < len(found.data) and trials < MOST_TRIALS:
            less = found.data[:at] + found.data[at + size :]  # type: ignore[operator]
            again = error_of(holds, less)
            trials += 1
            if type(again) is type(error):
                found, is_shorter = Finding(less, again), True
            else:
                at += size
        if size == 1 and not is_shorter:
            break
        size = max(1, size // 2)
    return found


def stored_bytes(data: Input) -> bytes:
    """Return what a file of the input holds."""
    return data if isinstance(data, bytes) else bytes_of_text(data)


def keep(folder: Path, finding: Finding) -> Path:
    """Write the input of a finding into a folder."""
    data = stored_bytes(finding.data)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / sha256(data).hexdigest()[:12]
    path.write_bytes(data)
    return path


def report_to(name: str) -> Callable[[Finding], None]:
    """Return what prints the findings of a target, and keeps their inputs for the tests."""

    def report(finding: Finding) -> None:
        print(f"{name}: {keep(CORPUS / name, finding)}\n  {finding}", flush=True)

    return report


class Campaign:
    """Gives inputs to a target, and reports one failure of each kind.

    `current` holds the input that is being tried, for the case that it ends the process.
    """

    def __init__(self, target: Target, current: Path, report: Callable[[Finding], None]) -> None:
        self.target, self.count, self.kinds = target, 0, set[str]()
        self._current, self._report = current, report

    def take(self, data: Input) -> None:
        """Try an input. What hangs in native code shows where, and ends the process."""
        self._current.write_bytes(stored_bytes(data))
        faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
        error = error_of(self.target.holds, data)
        faulthandler.cancel_dump_traceback_later()
        self.count += 1
        if error is not None and (kind := kind_of(error)) not in self.kinds:
            self.kinds.add(kind)
            self._report(minimised(self.target.holds, data, error))

    def summary(self, seed: int) -> str:
        return f"{self.target.name}: {self.count} inputs, {len(self.kinds)} findings, seed {seed}"


def kind_of(error: Exception) -> str:
    """Return what two failures of one cause have in common: the exception and its last line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__} {place}"
