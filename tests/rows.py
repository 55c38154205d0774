"""Check all rows of a table in one test: a test for each row may cost more than its check."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable

import pytest

FAILURES = (Exception, pytest.fail.Exception, pytest.skip.Exception)


def each_row(names: str, rows: Iterable[object]) -> Callable[[Callable[..., None]], object]:
    """Return a decorator like `pytest.mark.parametrize`, for one test that checks every row.

    All rows share the test's fixtures. The test fails with the errors of all rows that failed, each
    with its row. It is for checks that change nothing; a row that skips fails.
    """
    keys = [name.strip() for name in names.split(",")]
    table = [row if len(keys) > 1 else (row,) for row in rows]

    def decorate(test: Callable[..., None]) -> object:
        @functools.wraps(test)
        def check_rows(**fixtures: object) -> None:
            errors = []
            for row in table:
                cells = dict(zip(keys, row, strict=True))
                try:
                    test(**fixtures, **cells)
                except FAILURES as error:
                    error.add_note(f"in the row {cells!r}")
                    errors.append(error)
            if errors:
                failed = "\n".join(error.__notes__[-1] for error in errors)
                raise BaseExceptionGroup(f"{len(errors)} of {len(table)} rows\n{failed}\n", errors)

        signature = inspect.signature(test)
        others = [p for name, p in signature.parameters.items() if name not in keys]
        check_rows.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return check_rows

    return decorate
