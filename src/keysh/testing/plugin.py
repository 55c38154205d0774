"""The plugin of pytest: the fixture `shell`, and transcripts in Markdown files as tests.

pytest loads it in each run where keysh is installed, so it imports next to nothing of keysh.
"""

from __future__ import annotations

from fnmatch import fnmatch

import pytest

from keysh.testing.reproducible_options import FIXED_CLOCK_SECONDS, FIXED_SEED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from keysh.shell.shell import Shell

PAGES_OPTION = "keysh_pages"

# What a conversation with an assertion in it shows, if it fails.
pytest.register_assert_rewrite("keysh.testing.conformance")


class KeyshHooks:
    """Hooks that a conftest.py may have."""

    @pytest.hookspec(firstresult=True)
    def pytest_keysh_options(self, path: Path) -> dict[str, Any] | None:
        """Return options of `keysh.Shell` for the fences of a Markdown file."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(KeyshHooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("keysh")
    group.addoption(
        "--keysh-accept", action="store_true",
        help="rewrite the answers of `console` fences in Markdown files in place",
    )  # fmt: skip
    parser.addini(
        PAGES_OPTION, type="args", default=[],
        help="patterns of Markdown files whose `console` fences are tests: README.md docs/*.md",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "keysh(**options): options of `keysh.Shell` for the fixture `shell`"
    )


@pytest.fixture
def shell(request: pytest.FixtureRequest) -> Iterator[Shell]:
    """A shell whose clock stands still and whose random numbers are the same in every run.

    Options come from `@pytest.mark.keysh(files={…}, …)`; the nearest marker counts.
    """
    from keysh import Shell  # noqa: PLC0415 - most runs of pytest have no shell

    options: dict[str, Any] = {"clock": FIXED_CLOCK_SECONDS, "random": FIXED_SEED}
    for marker in reversed([*request.node.iter_markers("keysh")]):
        if marker.args:
            raise pytest.UsageError("pytest.mark.keysh takes options by name")
        options |= marker.kwargs
    with Shell(**options) as made:
        yield made


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != ".md":
        return None
    patterns = parent.config.getini(PAGES_OPTION)
    root = parent.config.rootpath
    if not patterns or not file_path.is_relative_to(root):
        return None
    name = file_path.relative_to(root).as_posix()
    if not any(fnmatch(name, pattern) for pattern in patterns):
        return None
    from keysh.testing.page_items import PageFile  # noqa: PLC0415 - most runs have no pages

    return PageFile.from_parent(parent, path=file_path)
