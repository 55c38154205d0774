"""Options and reports that all tests share."""

from __future__ import annotations

import gc
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

from machine import may_notice_machine
from real_tools import MISSING

pytest_plugins = ["keysh.testing.plugin"]

GUIDES = pytest.StashKey[list[str]]()

# Examples have no deadline (benchmarks/ measure time), and are the same in every run.
hypothesis.settings.register_profile("keysh", deadline=None, derandomize=True)
hypothesis.settings.load_profile("keysh")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept", action="store_true", help="rewrite the outputs in tests/spec in place"
    )
    parser.addoption(
        "--on-machine", action="store_true", help="leave out tests that cannot notice the machine"
    )


def pytest_configure() -> None:
    """Restore signals that `&` or `nohup` ignores: processes of tests would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not read modules of which nothing is chosen: there are thirty thousand other tests."""
    if not collection_path.match("test_*.py"):
        return None
    if config.getoption("-m") == "quick" and "mark.quick" not in collection_path.read_text("utf-8"):
        return True
    return (config.getoption("--on-machine") and not may_notice_machine(collection_path)) or None


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exclude the 30,000 collected tests from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def guide(pytestconfig: pytest.Config) -> Callable[[str], None]:
    """Report functions longer than the guideline, without failing."""
    return pytestconfig.stash.setdefault(GUIDES, []).append


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for line in config.stash.get(GUIDES, []):
        terminalreporter.write_line(f"past the guide: {line}")
    skipped = Counter(
        reason.partition(MISSING)[2]
        for report in terminalreporter.stats.get("skipped", ())
        if MISSING in (reason := str(report.longrepr))
    )
    if skipped:
        tools = ", ".join(f"{name.strip(chr(39) + ')')} {n}" for name, n in skipped.most_common())
        terminalreporter.write_line(
            f"{skipped.total()} comparisons skipped, for lack of the real tool: {tools}"
        )
