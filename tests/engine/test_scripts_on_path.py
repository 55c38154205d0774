"""Scripts on `$PATH`: the check knows them, in this run and in later ones."""

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


def test_what_is_not_there_is_not_known(shell: Shell) -> None:
    assert [one.code for one in shell.check("greeet amy")] == ["E301"]


def test_a_file_that_may_not_be_run_is_not_known(shell: Shell) -> None:
    shell.run("chmod -x /bin/greet")
    assert [one.code for one in shell.check("greet amy")] == ["E301"]


def test_the_path_of_the_last_run_counts(shell: Shell) -> None:
    assert shell.run("PATH=").code == 0
    assert shell.run("greet amy").code == 2
    assert shell.run("PATH=/bin; greet amy").stdout == "hello amy\n"
    assert shell.run("greet bob").stdout == "hello bob\n"
