"""All recursion ends at the depth limit, without a RecursionError or a crash."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from keysh import Call, Limits, Result, Shell, command

ENDLESS = {
    "function": "f() { f; }; f",
    "function in blocks": "f() { if :; then for x in 1; do case a in a) f;; esac; done; fi; }; f",
    "condition": "f() { while f; do :; done; }; f",
    "substitution": "f() { x=$(f); }; f",
    "word": 'f() { echo $(f) "$(f)"; }; f',
    "subshell": "f() { ( f ); }; f",
    "pipeline": "f() { f | f; }; f",
    "first stage": "f() { f | cat; }; f",
    "last stage": "f() { echo | f; }; f",
    "process substitution": "f() { cat <(f); }; f",
    "its other side": "f() { echo a > >(f); }; f",
    "eval": 'x=\'eval "$x"\'; eval "$x"',
    "source": "echo 'source /a' > /a; source /a",
    "script": "mkdir /b; export PATH=/b; echo a > /b/a.ksh; chmod +x /b/a.ksh; a",
    "alias": "alias a='eval a'; eval a",
    "xargs": "f() { echo f | xargs eval; }; f",
    "handler": "command_not_found_handle() { nosuch; }; nosuch",
    "return trap": 'f() { eval "trap f RETURN"; }; f; set -T; f',
    "default": "f(x=$(f)) { :; }; f",
    "job": "f() { f & wait; }; f",
}
ENDS = {"return trap", "job", "handler"}  # the end is in a fork, or never comes: only that it ends

DEEP = {
    "substitutions": "echo " + "$(echo " * 150 + "x" + ")" * 150,
    "subshells": "( " * 190 + "echo x" + " )" * 190,
    "groups": "{ " * 190 + "echo x" + "; }" * 190,
    "conditions": "if :; then " * 190 + "echo x" + "; fi" * 190,
    "loops": "for i in 1; do " * 190 + "echo x" + "; done" * 190,
    "cases": "case a in a) " * 190 + "echo x" + ";; esac" * 190,
    "functions": "f() { " * 190 + ":" + "; }" * 190 + "; echo x",
    "arithmetic": "echo $((" + "(" * 190 + "0" + ")" * 190 + ")) > /dev/null; echo x",
    "expansions": "echo " + "${y:-" * 190 + "x" + "}" * 190,
    "lists": "y=" + "[" * 190 + "1," + "]" * 190 + "; z=$y; echo x",
    "records": "y=" + "{a: " * 190 + "1" + "}" * 190 + "; echo x",
    "process substitutions": "echo x | cat - " + "<(cat " * 60 + "/dev/null" + ")" * 60,
    "long pipeline": "echo x" + " | cat" * 300,
    "pipeline of groups": "echo x" + " | { cat; }" * 300,
    "chain": ":" + " && :" * 3000 + "; echo x",
}


def ended(script: str) -> Result:
    return Shell(limits=Limits(seconds=100), check=False).run(script)


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_recursion_meets_the_depth_limit(name: str) -> None:
    result = ended(ENDLESS[name])
    assert result.error is None
    if name not in ENDS:
        assert result.limit is not None, result.stderr
        assert (result.code, result.limit.kind, result.limit.used) == (125, "depth", 1001)


@pytest.mark.parametrize("name", DEEP)
def test_deeply_nested_scripts_run(name: str) -> None:
    result = ended(DEEP[name])
    assert (result.code, result.stdout) == (0, "x\n"), result.stderr


def test_nesting_does_not_multiply_work() -> None:
    # With twice the work for each level these would not end before the sun does.
    for form in ("cat $(", "cat <(", "x=${x/a/$(", "{ echo $(", "cat > $(", "for x in $("):
        close = {"x": ")}", "{": "); }", "f": "); do :; done"}.get(form[0], ")")
        Shell().plan(f"{form} " * 60 + "echo" + close * 60)
        shell = Shell(check=False, limits=Limits(seconds=100))
        assert shell.run("set -n\n" + f"{form} " * 60 + "echo" + close * 60).limit is None


@pytest.mark.parametrize(
    "script",
    [
        "printf '[%.0s' {1..20000} | fromjson",
        "x=$(printf '[%.0s' {1..100000}); y=$(fromjson \"$x\")",
        "x=[]; for ((i=0; i<5000; i++)); do x=[$x,]; done; echo $x; declare -p x; y=$x",
        "x=1; for ((i=0; i<5000; i++)); do x={a: $x}; done; echo $x; tojson $x; keys $x",
        "declare -n a=b b=a; echo $a; a=1",
        "x=" + "[" * 100_000,
        "{ " * 100_000,
        "echo " + "$(" * 100_000,
        "echo $((" + "(" * 100_000,
        "echo " + "{a," * 100_000,
        "[[ " + "! " * 100_000 + "a ]]",
        "echo " + '"${x:-' * 100_000,
    ],
)
def test_too_deep_values_and_texts_are_refused(script: str) -> None:
    result = ended(script)
    assert result.error is None
    assert "Traceback" not in result.stderr


def below(frames: int, work: Callable[[], Result]) -> Result:
    """Call a function below a number of frames of the host."""
    return below(frames - 1, work) if frames else work()


def test_host_with_a_deep_stack() -> None:
    shell = Shell(check=False)
    room = sys.getrecursionlimit() - 300  # the test runner has frames of its own
    countdown = "f() { local i=$1; [ $i = 0 ] || f $((i-1)); }; f 500; echo x"
    for script in (DEEP["substitutions"], DEEP["long pipeline"], countdown):
        result = below(room, lambda script=script: shell.run(script))  # type: ignore[misc]
        assert (result.code, result.stdout) == (0, "x\n"), result.stderr
    result = below(room, lambda: shell.run(ENDLESS["substitution"]))
    assert result.limit is not None
    assert result.limit.kind == "depth"


def test_host_that_recurses_through_the_shell() -> None:
    shell = Shell()

    @command
    def again(sh: Call) -> int:
        """Run the script that runs this."""
        return shell.run("again").code

    shell.add(again)
    assert shell.run("again").code == 125


SMALL_STACK = """
import json, sys, threading
from keysh import Limits, Shell
threading.stack_size(256 * 1024)
answers = {}
def work():
    for name, script in json.load(sys.stdin).items():
        found = Shell(limits=Limits(seconds=100), check=False).run(script)
        kind = found.limit.kind if found.limit else ""
        answers[name] = [found.code, kind, found.stdout, repr(found.error)]
thread = threading.Thread(target=work)
thread.start()
thread.join()
json.dump(answers, sys.stdout)
"""


def test_all_depths_on_a_thread_with_a_small_stack() -> None:
    scripts = {**ENDLESS, **DEEP}
    result = subprocess.run(
        [sys.executable, "-c", SMALL_STACK], input=json.dumps(scripts), capture_output=True,
        text=True, timeout=500, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    answers = json.loads(result.stdout)
    for name in ENDLESS.keys() - ENDS:
        assert answers[name][:2] == [125, "depth"], name
    for name in DEEP:
        assert answers[name] == [0, "", "x\n", "None"], name


@pytest.mark.skipif(sys.platform != "linux", reason="macOS keeps no such limit")
def test_more_levels_than_available_threads() -> None:
    run = 'ulimit -v 1500000; exec "$0" -m keysh --limit depth=100000000 -c "f() { f; }; f"'
    result = subprocess.run(
        ["sh", "-c", run, sys.executable], capture_output=True, text=True, check=False
    )
    message = re.fullmatch(
        r"keysh: depth: the machine has no thread for more than (\d+) levels at keysh:1:7\n",
        result.stderr,
    )
    assert message is not None, result.stderr
    assert (result.returncode, int(message[1]) > 40) == (125, True)
