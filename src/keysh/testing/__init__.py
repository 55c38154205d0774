"""Testing: what tests of programs with a shell need. docs/testing.md.

FakePrograms, ProgramCall  doubles of real programs
FileSystemConformance      tests that each file system must pass
Answer                     output, errors and status of a command

`plugin` is loaded by pytest: the fixture `shell`, and transcripts in Markdown files as tests. Only
that and the conformance tests import pytest.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.testing.conformance.file_system_conformance import (
        FileSystemConformance as FileSystemConformance,
    )
    from keysh.testing.fake_programs import FakePrograms as FakePrograms
    from keysh.testing.fake_programs import ProgramCall as ProgramCall
    from keysh.testing.transcript import Answer as Answer

# Where each name is. The plugin is loaded by each run of pytest, and needs none of them.
MODULES = {
    "Answer": "transcript", "FakePrograms": "fake_programs", "ProgramCall": "fake_programs",
    "FileSystemConformance": "conformance.file_system_conformance",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f"module 'keysh.testing' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - when the first name is asked for

    return getattr(import_module(f"keysh.testing.{MODULES[name]}"), name)
