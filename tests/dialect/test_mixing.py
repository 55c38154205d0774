"""Two dialects in one shell: each text keeps its own, whoever calls it, and values cross freely."""

from __future__ import annotations

import keysh

SPLITS = 'count() { echo $#; }; v="a b"; count $v'


def stdout(shell: keysh.Shell, text: str, dialect: str) -> str:
    result = shell.run(text, dialect=dialect)
    assert (result.stderr, result.code) == ("", 0)
    return result.stdout


def test_same_text_means_different_things() -> None:
    shell = keysh.Shell(check=False)
    assert stdout(shell, "f() { echo $#; }", "keysh") == ""
    for _ in range(2):  # the second time from the caches
        assert stdout(shell, 'v="a b"; f $v', "keysh") == "1\n"
        assert stdout(shell, 'v="a b"; f $v', "bash") == "2\n"


def test_a_function_keeps_the_dialect_of_its_definition() -> None:
    shell = keysh.Shell(check=False)
    stdout(shell, 'count() { echo $#; }; split() { local v="a b"; count $v; }', "bash")
    stdout(shell, 'whole() { local v="a b"; count $v; }', "keysh")
    for dialect in ("bash", "keysh"):
        assert stdout(shell, "split; whole; split", dialect) == "2\n1\n2\n"


def test_eval_and_traps_are_in_the_dialect_of_who_gives_them() -> None:
    shell = keysh.Shell(check=False)
    count = "count() { echo $#; }; v='a b'\n"
    assert stdout(shell, f"{count}eval 'count $v'", "bash") == "2\n"
    assert stdout(shell, f"{count}eval 'count $v'", "keysh") == "1\n"
    stdout(shell, "by_bash() { trap 'count $v' USR1; }", "bash")
    stdout(shell, "by_keysh() { trap 'count $v' USR1; }", "keysh")
    assert stdout(shell, "by_bash; kill -USR1 $$; by_keysh; kill -USR1 $$", "bash") == "2\n1\n"


def test_a_sourced_file_says_its_dialect() -> None:
    count = "v='a b'; count() { echo $#; }; count $v\n"
    shell = keysh.Shell(check=False, files={
        "/lib.sh": count, "/lib.ksh": count, "/lib": count, "/first": f"#!/bin/bash\n{count}",
        "/marked.sh": f"# keysh: dialect keysh\n{count}",
    })  # fmt: skip
    named = "source /lib.sh; source /lib.ksh; source /first; source /marked.sh; source /lib"
    assert stdout(shell, named, "keysh").split() == ["2", "1", "2", "1", "1"]
    assert stdout(shell, named, "bash").split() == ["2", "1", "2", "1", "2"]


def test_a_text_without_a_dialect_declares_its_own() -> None:
    assert keysh.Shell(check=False).run(SPLITS).stdout == "1\n"
    assert keysh.Shell(check=False).run(f"#!/bin/sh\n{SPLITS}").stdout == "2\n"
    assert keysh.Shell(check=False).run(f"# keysh: dialect bash\n{SPLITS}").stdout == "2\n"
    assert keysh.Shell(check=False, dialect="bash").run(SPLITS).stdout == "2\n"
    assert keysh.Shell(check=False, dialect="keysh").run(f"#!/bin/sh\n{SPLITS}").stdout == "1\n"


def test_values_cross() -> None:
    shell = keysh.Shell()
    stdout(shell, "list=[1, 2]; user={name: amy}", "keysh")
    assert stdout(shell, 'echo "$list" "${user[name]}" "${list[1]}"', "bash") == "[1,2] amy 2\n"
    stdout(shell, "a=(x y); a[5]=z; declare -A h=([k]=v)", "bash")
    assert (
        stdout(shell, 'echo "${a[@]}" "${!a[@]}" ${a[5]} "${h[k]}"', "keysh") == "x y z 0 1 5 z v\n"
    )


def test_an_alias_of_either_dialect() -> None:
    shell = keysh.Shell()
    stdout(shell, "alias hi='echo from keysh'", "keysh")
    assert stdout(shell, "shopt -s expand_aliases\nhi\nalias there='echo from bash;'", "bash") == (
        "from keysh\n"
    )
    assert stdout(shell, "hi", "keysh") == "from keysh\n"


def test_options_that_no_script_has_set_follow_the_text() -> None:
    shell = keysh.Shell(check=False, files={"/d/a": ""}, cwd="/d")
    assert stdout(shell, "echo *; echo x*y", "bash") == "a\nx*y\n"
    assert "E205" in shell.run("echo x*y", dialect="keysh").stderr
    assert stdout(shell, "set +o failglob; echo x*y", "keysh") == "x*y\n"
    stdout(shell, "shopt -s failglob", "bash")
    assert "E205" in shell.run("echo x*y", dialect="bash").stderr


def test_last_stage() -> None:
    shell = keysh.Shell()
    text = "x=before; echo after | read -r x; echo $x"
    assert stdout(shell, text, "keysh") == "after\n"
    assert stdout(shell, text, "bash") == "before\n"
    assert stdout(shell, f"shopt -s lastpipe; {text}", "bash") == "after\n"
