"""A well-known program that is missing: the message says what the host may do."""

from __future__ import annotations

import pytest

from keysh import LocalFS, Shell
from keysh.diagnostics.suggestions import COMMON_PROGRAMS, missing_program_fix
from keysh.shell.command_listing import names

pytestmark = pytest.mark.quick


def test_none_of_them_is_a_command_of_keysh() -> None:
    assert not COMMON_PROGRAMS & names()


@pytest.mark.parametrize("name", ["python", "python3", "python3.11", "gcc-12", "docker", "java17"])
def test_a_version_may_follow_the_name(name: str) -> None:
    assert "Shell(external=True)" in missing_program_fix(name)


@pytest.mark.parametrize("name", ["pythonista", "haed", "", "3", "p"])
def test_other_names_are_left_to_the_suggestions(name: str) -> None:
    assert missing_program_fix(name) == ""


def test_a_host_that_runs_programs_is_not_told() -> None:
    with Shell(LocalFS("/"), external=True, env={"PATH": "/nowhere"}) as shell:
        result = shell.run("podman ps")
    assert (result.code, "fix" in result.stderr) == (127, False)


def test_a_command_of_the_host_answers() -> None:
    shell = Shell(commands=[podman])
    assert shell.run("podman").stdout == "here\n"


def podman(sh: object) -> str:
    """Answer."""
    return "here\n"
