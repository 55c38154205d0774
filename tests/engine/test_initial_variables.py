"""Variables that a shell begins with when its host gives it none."""

from __future__ import annotations

import pytest

import keysh

pytestmark = pytest.mark.quick


def test_a_path_is_there_and_not_exported() -> None:
    result = keysh.Shell().run(
        "set -u; PATH=$PATH:/opt/bin; echo $PATH; printenv PATH || echo none"
    )
    assert (result.stdout, result.stderr) == ("/usr/bin:/bin:/opt/bin\nnone\n", "")


def test_the_path_of_the_environment_comes_first() -> None:
    result = keysh.Shell(env={"PATH": "/opt/bin"}).run("echo $PATH; printenv PATH")
    assert result.stdout == "/opt/bin\n/opt/bin\n"


def test_a_path_without_program_directories_hides_no_tool() -> None:
    script = "PATH=/opt:/bin; command -v sort; PATH=/opt; command -v sort; PATH=; echo b | sort"
    assert keysh.Shell().run(script).stdout == "/bin/sort\n/usr/bin/sort\nb\n"


@pytest.mark.parametrize("name", ["BASHOPTS", "SHELLOPTS"])
def test_lists_of_options_are_readonly(name: str) -> None:
    result = keysh.Shell().run(f"{name}=x; echo never")
    assert (result.stdout, result.code) == ("", 1)
    assert f"E211 readonly variable: {name}" in result.stderr
