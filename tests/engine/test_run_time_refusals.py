"""Refusals end the run; a tested subshell is the only thing that stops them."""

import pytest

from keysh import Shell

REFUSED = "x=$(printf 'a b'); for i in $x; do echo never; done"


@pytest.mark.parametrize(
    "script",
    [
        f"{REFUSED}; echo never",
        f"{REFUSED} || echo never",
        f"! {{ {REFUSED}; }}; echo never",
        f"if {REFUSED}; then echo never; else echo never; fi",
        f"while {REFUSED}; do echo never; done; echo never",
        f"( {REFUSED} ); echo never",
        f"{{ ( {REFUSED} ); echo never; }} || echo never",
        f"f() {{ ( {REFUSED} ); }}; f || echo never",
        f"y=$( {REFUSED} ) || echo never",
        f"echo $( {REFUSED} ) || echo never",
        f"{{ {REFUSED}; }} | cat; echo never",
        f"yes | {{ {REFUSED}; }}; echo never",
        f"cat < <( {REFUSED} ); echo never",
        f"{{ {REFUSED}; }} & wait; echo never",
        f"{{ {REFUSED}; }} & wait $!; echo never",
        f"{{ {REFUSED}; }} & fg > /dev/null; echo never",
        f"( {{ {REFUSED}; }} & wait; echo never ); echo never",
        f'eval "{REFUSED.replace("$", chr(92) + "$")}" || echo never',
        f"trap '{REFUSED.replace(chr(39), chr(34))}; echo never' USR1; kill -USR1 $$; :",
    ],
)
def test_a_refusal_ends_the_run(script: str) -> None:
    result = Shell().run(script)
    assert (result.stdout, result.code) == ("", 1)
    assert result.refusal is not None
    assert result.refusal.code == "E204"
    assert result.stderr.count("E204") == 1


@pytest.mark.parametrize(
    "script",
    [
        f"( {REFUSED}; echo never ) || echo caught",
        f"( {REFUSED}; echo never ) 2>/dev/null || echo caught",
        f"! ( {REFUSED} ) && echo caught",
        f"if ( {REFUSED} ); then echo never; else echo caught; fi",
        f"if :; ( {REFUSED} ); then echo never; else echo caught; fi",
        f"if false; then :; elif ( {REFUSED} ); then echo never; else echo caught; fi",
        f"while ( {REFUSED} ); do echo never; done; echo caught",
        f"until ! ( {REFUSED} ); do echo never; done; echo caught",
        f"( ( {REFUSED} ); echo never ) || echo caught",
        f"( y=$( {REFUSED} ); echo never ) || echo caught",
        f"( trap 'echo caught' EXIT; {REFUSED} ) || :",
    ],
)
def test_a_tested_subshell_stops_a_refusal(script: str) -> None:
    result = Shell().run(script)
    assert (result.stdout, result.code, result.refusal) == ("caught\n", 0, None)


def test_the_exit_traps_run_from_the_inside_out() -> None:
    result = Shell().run(f"trap 'echo out' EXIT; ( trap 'echo in' EXIT; {REFUSED} ); echo never")
    assert (result.stdout, result.code) == ("in\nout\n", 1)


def test_a_script_that_is_a_command_is_another_process() -> None:
    shell = Shell(files={"/s.ksh": REFUSED})
    result = shell.run("keysh /s.ksh || echo $?")
    assert (result.stdout, result.code, result.refusal) == ("1\n", 0, None)
    assert shell.run("source /s.ksh || echo never").refusal is not None


def test_the_shell_goes_on_with_the_next_run() -> None:
    shell = Shell()
    shell.run(f"if {REFUSED}; then :; fi")
    assert shell.run("set -e; false; echo never").code == 1
    assert shell.run("set +e; echo on").stdout == "on\n"


def test_a_builtin_fails_on_a_readonly_operand() -> None:
    script = "readonly r=1; read r <<< 2; declare r=3; printf -v r 4; export r=5; echo on"
    result = Shell().run(script)
    assert (result.stdout, result.code, result.refusal) == ("on\n", 0, None)
    assert result.stderr.count("E211") == 4


@pytest.mark.parametrize("script", ["echo $((1 / 0))", "cat *.none", "echo $((1 << 63))"])
def test_a_failure_is_a_status(script: str) -> None:
    result = Shell().run(f"{script} || echo failed")
    assert (result.stdout, result.code, result.refusal) == ("failed\n", 0, None)


def test_a_record_of_the_result_has_the_refusal() -> None:
    assert Shell().run("xs=[a b]; echo ${xs[2]}").record()["refusal"]["code"] == "E203"
    assert Shell().run(":").record()["refusal"] is None
