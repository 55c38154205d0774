"""In the bash dialect a tool is a file that `$PATH` leads to, as in bash; builtins have no file."""

from __future__ import annotations

import keysh

FILES = {"/own/date": "#!/bin/sh\necho my date\n"}


def answer(script: str) -> str:
    shell = keysh.Shell(files=FILES, env={"PATH": "/usr/bin:/bin"}, dialect="bash")
    shell.run("chmod +x /own/date")
    return shell.run(script).stdout


def test_a_file_earlier_on_path_runs() -> None:
    assert answer("PATH=/own:$PATH; date; type date; command -v date") == (
        "my date\ndate is hashed (/own/date)\n/own/date\n"
    )
    assert answer("PATH=$PATH:/own; command -v date; type -a date | tail -n 1") == (
        "/usr/bin/date\ndate is /own/date\n"
    )
    assert answer("PATH=/own:$PATH; command date; env date; echo | xargs date") == "my date\n" * 3


def test_a_tool_without_its_directory_is_not_found() -> None:
    assert answer("PATH=/nowhere; seq 1; echo $?; /bin/seq 1; echo builtin; [ a ] && pwd") == (
        "127\n1\nbuiltin\n/\n"
    )
    assert answer("PATH=/nowhere; command -v seq echo; type -t cat cd") == "echo\nbuiltin\n"


def test_keysh_finds_its_tools_whatever_path_is() -> None:
    assert keysh.run("PATH=/nowhere; seq 1", files=FILES).stdout == "1\n"
