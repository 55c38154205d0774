"""The checker knows scripts on `$PATH`, in this run and in later ones."""

from __future__ import annotations

import pytest

from keysh import Shell


@pytest.fixture
def shell() -> Shell:
    made = Shell(files={"/bin/greet": 'echo "hello $1"\n'}, env={"PATH": "/bin"})
    assert made.run("chmod +x /bin/greet").code == 0
    return made


def test_a_script_is_a_known_command(shell: Shell) -> None:
    assert shell.run("greet amy").stdout == "hello amy\n"


def test_missing_script_is_unknown(shell: Shell) -> None:
    assert [one.code for one in shell.check("greeet amy")] == ["E301"]


def test_non_executable_file_is_unknown(shell: Shell) -> None:
    shell.run("chmod -x /bin/greet")
    assert [one.code for one in shell.check("greet amy")] == ["E301"]


def test_path_of_the_last_run_applies(shell: Shell) -> None:
    assert shell.run("PATH=").code == 0
    assert shell.run("greet amy").code == 2
    assert shell.run("PATH=/bin; greet amy").stdout == "hello amy\n"
    assert shell.run("greet bob").stdout == "hello bob\n"
