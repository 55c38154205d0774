"""What a host sees of a shell in the bash dialect: text, and arrays with holes."""

from __future__ import annotations

import keysh

SETUP = """
n=5 m=$((n + 1)); ((k = 7)); declare -i z=4+4; flag=true
a=(x "$((2))" z); unset 'a[1]'; a[7]=9
declare -A h=([b]=1 [a]=$m)
"""


@keysh.command
def show(
    sh: keysh.Call,
    first: str,
    second: keysh.Json = None,
    *rest: keysh.Raw,
    count: int = 0,
) -> None:
    """Print arguments as Python shows them.

    first            text
    second           any value
    rest ...         words as they are
    -c, --count NUM  a number
    """
    sh.out.write(f"{first!r} {second!r} {rest!r} {count!r}\n")


def test_variables_are_text() -> None:
    shell = keysh.Shell(dialect="bash")
    assert shell.run(SETUP).code == 0
    names = ("n", "m", "k", "z", "flag")
    assert [shell.vars[name] for name in names] == ["5", "6", "7", "8", "true"]
    assert shell.vars["h"] == {"b": "1", "a": "6"}
    shell.vars["n"] = 8
    shell.vars["tree"] = {"b": [1, True]}
    assert (shell.vars["n"], shell.vars["tree"]) == ("8", {"b": [1, True]})


def test_array_is_a_list_without_its_holes() -> None:
    shell = keysh.Shell(dialect="bash")
    shell.run(SETUP)
    assert shell.vars["a"] == ["x", "z", "9"]
    assert shell.vars.elements("a") == {0: "x", 2: "z", 7: "9"}
    assert shell.vars.elements("h") == {"b": "1", "a": "6"}
    assert shell.vars.elements("n") == {0: "5"}
    assert type(shell.vars["a"]) is list
    assert type(shell.vars["h"]) is type(shell.vars.elements("h")) is dict


def test_variables_of_keysh_keep_their_types() -> None:
    shell = keysh.Shell()
    shell.run("n=5; xs=[1, true]; f=1.5")
    assert (shell.vars["n"], shell.vars["xs"], shell.vars["f"]) == (5, [1, True], 1.5)
    assert shell.vars.elements("xs") == {0: 1, 1: True}


def test_commands_of_the_host_get_text() -> None:
    shell = keysh.Shell(dialect="bash", commands=[show])
    text = "m=$((2 + 4)); show $m $m $m $(($m + 1)) ${#m} $#; show --count=$m $((1)); show x=$m"
    assert shell.run(text).stdout == (
        "'6' 6 ('6', '7', '1', '0') 0\n'1' None () 6\n'x=6' None () 0\n"
    )


def test_host_is_asked_about_text() -> None:
    asked: list[object] = []
    shell = keysh.Shell(dialect="bash", on_command=lambda *call: asked.append(call[:2]))
    shell.run("m=$((2 + 4)); echo $m $((m + 1)) x=$m")
    assert asked == [("echo", ["6", "7", "x=6"])]


def test_declared_function_gets_text() -> None:
    shell = keysh.Shell(files={"/lib.ksh": 'kind(x: any) { typeof $x; echo "$@"; }\n'})
    text = ". /lib.ksh; n=6; kind $n"
    assert shell.run(text, dialect="keysh").stdout == "int\n6\n"
    assert shell.run(text, dialect="bash").stdout == "string\n6\n"
