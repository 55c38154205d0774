"""Pages as tests of pytest: each `console` fence is one, and a page runs as a whole."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from keysh.testing.page_runner import PageRunner
from keysh.testing.reproducible_options import FIXED_CLOCK_SECONDS, FIXED_SEED
from keysh.testing.transcript import (
    CannotRun,
    ConsoleFence,
    Outcome,
    Page,
    PageError,
    accept,
    difference,
    parse_page,
    run_page,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class PageFile(pytest.File):
    """A Markdown file."""

    def collect(self) -> Iterator[pytest.Item]:
        try:
            page = self._parsed(self.path.read_bytes().decode())
        except (PageError, UnicodeDecodeError) as error:
            raise self.CollectError(str(error)) from None
        for number, fence in enumerate(page.consoles):
            yield FenceItem.from_parent(self, name=f"line {fence.line}", number=number)

    def _parsed(self, text: str) -> Page:
        return parse_page(text, self.path.name.removesuffix(".md"), is_strict=False)

    @cached_property
    def judged_fences(self) -> list[tuple[ConsoleFence, Outcome]]:
        """The fences with what keysh answers; rewritten if that is accepted."""
        page = self._parsed(self.path.read_bytes().decode())
        options: dict[str, Any] = {"clock": FIXED_CLOCK_SECONDS, "random": FIXED_SEED}
        options |= self.ihook.pytest_keysh_options(path=self.path) or {}
        with TemporaryDirectory(prefix="keysh-page-") as place:
            outcomes = run_page(page, PageRunner(**options), None, Path(place))
        if self.config.getoption("--keysh-accept"):
            text = accept(page, outcomes)
            if text != "\n".join(page.lines):
                self.path.write_bytes(text.encode())
            page = self._parsed(text)
        return list(zip(page.consoles, outcomes, strict=True))


class FenceItem(pytest.Item):
    """One `console` fence."""

    def __init__(self, *, number: int, **options: Any) -> None:
        super().__init__(**options)
        self._number = number

    def runtest(self) -> None:
        assert isinstance(self.parent, PageFile)
        fence, outcome = self.parent.judged_fences[self._number]
        problem = outcome.error or difference(fence, outcome.keysh, "keysh")
        if problem:
            raise CannotRun(problem)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CannotRun | PageError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        line = int(self.name.removeprefix("line "))
        return self.path, line - 1, f"{self.path.name}:{line}"
