"""Without `external` no program runs, whatever construct a script uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from keysh import LocalFS, MemoryFS, Shell

PROOF = (
    "/usr/bin/touch /work/proof"  # the effect of the program; there is a builtin of the same name
)

DOORS = {
    "plain": "{}",
    "name": "PATH=/usr/bin:/bin; chattr -V; setfattr x",
    "first stage": "{} | cat",
    "last stage": "echo a | {}",
    "background": "{} & wait",
    "subshell": "({})",
    "group": "{{ {}; }}",
    "substitution": "x=$({})",
    "backquotes": "x=`{}`",
    "process substitution": "cat <({})",
    "output substitution": "echo a > >({})",
    "arithmetic": "x=$(( $({}) + 1 ))",
    "heredoc": "cat << E\n$({})\nE",
    "redirection": "{} > out",
    "assignment": "A=1 {}",
    "negation": "! {}",
    "condition": "if {}; then :; fi",
    "function": "f() {{ {}; }}; f",
    "declared function": "f(a: str) {{ {}; }}; f a",
    "alias": "alias a='{}'; a",
    "eval": "eval '{}'",
    "source": "echo '{}' > s; source ./s",
    "dot": "echo '{}' > s; . ./s",
    "exec": "exec {}",
    "command": "command {}",
    "builtin": "builtin {}",
    "env": "env {}",
    "env -S": "env -S '{}'",
    "timeout": "timeout 5 {}",
    "time": "time {}",
    "nice": "nice -n 5 {}",
    "nohup": "nohup {}",
    "setsid": "setsid -f {}",
    "stdbuf": "stdbuf -oL {}",
    "xargs": "echo a | xargs {}",
    "find -exec": "find /work -maxdepth 0 -exec {} ';'",
    "find -exec +": "find /work -maxdepth 0 -exec {} {{}} +",
    "find -execdir": "find /work -maxdepth 0 -execdir {} ';'",
    "find -ok": "echo y | find /work -maxdepth 0 -ok {} ';'",
    "xargs -P": "echo a b | xargs -n 1 -P 2 {}",
    "xargs -I": "echo touch | xargs -I @ {}",
    "split --filter": "echo a | split --filter='{}'",
    "tar --to-command": ": > f; tar cf t.tar f; tar xf t.tar --to-command='{}'",
    "sort --compress-program": "seq 9 | sort --compress-program={}",
    "mapfile -C": "echo a | mapfile -C '{} #' -c 1 xs",
    "compgen -C": "compgen -C '{}'",
    "assert": "assert {}",
    "keysh": "keysh -c '{}'",
    "run": "run language=bash code='{}'",
    "command -p": "command -p {}",
    "prompt string": "PS4='$({}) '; set -x; :",
    "trap ERR": "trap '{}' ERR; false",
    "trap of a signal": "trap '{}' USR1; kill -USR1 $$; :",
    "trap": "trap '{}' EXIT",
    "trap DEBUG": "trap '{}' DEBUG; :",
    "awk system": "awk 'BEGIN {{ system(\"{}\") }}'",
    "awk pipe": "awk 'BEGIN {{ print 1 | \"{}\" }}'",
    "awk getline": "awk 'BEGIN {{ \"{}\" | getline x }}'",
    "sed e": "echo a | sed '1e {}'",
    "sh": "sh -c '{}'",
    "bash": "/bin/bash -c '{}'",
    "ksh script": "echo '{}' > s.ksh; chmod +x s.ksh; ./s.ksh",
    "shebang": "printf '#!/bin/sh\\n{}\\n' > s; chmod +x s; ./s",
    "link": "ln -s /usr/bin/touch t; ./t /work/proof",
    "spawn": "spawn command=/usr/bin/touch argv=/work/proof",
    "not found handler": "command_not_found_handle() {{ {}; }}; nosuch",
}


@pytest.mark.parametrize("name", DOORS)
def test_programs_are_refused_by_default(name: str, tmp_path: Path) -> None:
    fs = {"/": MemoryFS(), "/work": LocalFS(tmp_path)}
    with Shell(fs=fs, cwd="/work", env={"PATH": "/usr/bin:/bin"}, check=False) as sh:
        sh.registry.disabled = frozenset({"touch"})  # or its path would mean the command
        sh.run(DOORS[name].format(PROOF), timeout=60)
    assert not (tmp_path / "proof").exists()


# Those that keysh has never had, or that lead elsewhere than to the proof.
NO_DOORS = {
    "assert", "builtin", "compgen -C", "declared function", "env -S", "link", "name",
    "prompt string", "sed e", "shebang", "sort --compress-program", "split --filter",
    "tar --to-command",
}  # fmt: skip
OPEN_DOORS = set(DOORS) - NO_DOORS


@pytest.mark.parametrize("name", sorted(OPEN_DOORS))
def test_allowed_program_runs(name: str, tmp_path: Path) -> None:
    """Otherwise the test above could not fail."""
    fs = {"/": MemoryFS(), "/work": LocalFS(tmp_path)}
    text = DOORS[name].format(f"/usr/bin/touch {tmp_path}/proof")
    if name == "spawn":
        text = text.replace("/work", str(tmp_path))
    env = {"PATH": "/usr/bin:/bin"}
    with Shell(fs=fs, cwd="/work", env=env, check=False, external=True) as sh:
        result = sh.run(text, timeout=60)
    assert (tmp_path / "proof").exists(), result.stderr


def test_spawn_reports_the_refusal() -> None:
    result = Shell().run("spawn command=/bin/true")
    assert result.code == 1
    assert result.stderr == (
        "keysh: line 1: spawn: external commands are disabled (allow_external_commands=false)\n"
    )


def test_invalid_external_option_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"external must be False, True or a .*Policy, but is 'yes'"
    ):
        Shell(external="yes").run("true")
