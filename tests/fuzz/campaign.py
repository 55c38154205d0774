"""Try a target with many inputs, keep those that break it, and make them smaller."""

from __future__ import annotations

import faulthandler
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import NamedTemporaryFile

from fuzz.targets import Input, Property, Target
from keysh.text.chunks import bytes_of_text

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


def keep(folder: Path, finding: Finding) -> Path:
    """Write the input of a finding into a folder."""
    data = finding.data if isinstance(finding.data, bytes) else bytes_of_text(finding.data)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / sha256(data).hexdigest()[:12]
    path.write_bytes(data)
    return path


def fuzz(
    target: Target, seed: int, seconds: float, report: Callable[[Finding], None]
) -> tuple[int, int]:
    """Try inputs for some time; report one of each kind. Return the numbers of inputs and kinds."""
    make, known, count = target.maker(Random(seed)), set[str](), 0
    end = time.monotonic() + seconds
    with NamedTemporaryFile(prefix=f"fuzz-{target.name}-") as current:
        while time.monotonic() < end:
            data = make()
            current.seek(0)
            current.truncate()
            current.write(data if isinstance(data, bytes) else bytes_of_text(data))
            current.flush()
            # What hangs in native code shows where, and its input is in the file named.
            faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
            error = error_of(target.holds, data)
            faulthandler.cancel_dump_traceback_later()
            count += 1
            if error is not None and (kind := kind_of(error)) not in known:
                known.add(kind)
                report(minimised(target.holds, data, error))
    return count, len(known)


def kind_of(error: Exception) -> str:
    """Return what two failures of one cause have in common: the exception and its last line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__} {place}"
