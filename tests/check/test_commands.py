"""Calls of commands: whether the name is known and the arguments fit."""

from __future__ import annotations

import pytest

from check.checking import Registry, diagnostics, summaries
from keysh.check.builtin_effects import BUILTIN_EFFECTS
from keysh.check.checker import check
from keysh.check.walk import BUILTINS_WITH_EFFECTS
from keysh.diagnostics.source import Source
from keysh.syntax.parser import parse

pytestmark = pytest.mark.quick

NAMES = {
    "frob": ["E301 frob"],
    "'frob' a; echo": ["E301 'frob'"],
    "echo a | frob": ["E301 frob"],
    "echo $(frob)": ["E301 frob"],
    "f() { frob; }": ["E301 frob"],
    "for x in a; do frob; done": ["E301 frob"],
    "frob &": ["E301 frob"],
    "command frob": ["E301 frob"],
    "command -p frob a; builtin -- frob; exec -a b frob": ["E301 frob"] * 3,
    "timeout -k 1 --signal=TERM 5 frob a": ["E301 timeout", "E301 frob"],
    "xargs -n 1 -P2 frob": ["E301 xargs", "E301 frob"],
    "env -i A=1 frob": ["E301 env", "E301 frob"],
    "history": ["E111 history"],
    "on_path a": [],
    # where the script expects it
    "frob || echo": ["E301? frob"],
    "echo && frob": ["E301? frob"],
    "! frob": ["E301? frob"],
    "if frob; then echo; fi": ["E301? frob"],
    "if echo; then frob; fi": ["E301? frob"],
    "while frob; do echo; done": ["E301? frob"],
    "case $1 in a) frob;; esac": ["E301? frob"],
    "frob; echo $?": ["E301? frob"],
    "frob\nif [ $? = 0 ]; then echo; fi": ["E301? frob"],
    "frob; echo; echo $?": ["E301 frob"],
    "command -v frob; frob": ["E301? frob"],
    "[ -f x ] || exit; frob": ["E301? frob"],
    "f() { [ -f x ] || return; frob; }; frob": ["E301? frob", "E301 frob"],
    # unknown names
    "frob() { echo; }; frob": [],
    "frob; frob() { echo; }": [],
    "old_function --any": [],
    "./frob; /bin/frob; $frob": [],
    'eval "$1"; frob': [],
    "source lib; frob": [],
    ". lib; frob": [],
    "alias frob=echo; frob": [],
    "PATH=/opt; frob": [],
    "command_not_found_handle() { echo; }; frob": [],
    "exec $x frob; exec -la frob; exec --name frob; command $x; command -v frob": [],
    "set -e; local x; read x; cd": ["E306 local", "E301 cd"],
}


@pytest.mark.parametrize("text", NAMES)
def test_names(text: str) -> None:
    assert [one for one in summaries(text) if not one.startswith("W")] == NAMES[text]


def test_nearest_name_is_suggested() -> None:
    (result,) = diagnostics("haed -n 3")
    assert (result.message, result.fix) == ("unknown command: `haed`", "did you mean `head`?")


def test_unknown_names_may_be_programs() -> None:
    assert summaries("frob; head -z", has_external=True) == ["E302 -z"]


ARGUMENTS = {
    "head -z": ["E302 -z"],
    "head --quite a": ["E302 --quite"],
    "head -n ten": ["E303 ten"],
    "head lines=ten": ["E303 lines=ten"],
    "head --lines=ten": ["E303 --lines=ten"],
    "head -n": ["E303 -n"],
    "copy a": ["E304 copy"],
    "copy a b c": ["E305 c"],
    "copy a b sauce=c": ["E305 sauce=c"],
    "head file=[a, b]": ["E201 file=[a, b]"],
    "head -z || echo": ["E302? -z"],
    "copy a || echo": ["E304? copy"],
    "command head -z; builtin copy a; exec head -z": ["E302 -z", "E304 copy", "E302 -z"],
    "exec -a b head -z || command head -z": ["E302? -z", "E302? -z"],
    "head() { echo; }; command head -z; exec -xa head -z": [],
    # a value of the wrong type is an error anywhere, except for builtins
    "head -n ten || echo": ["E303 ten"],
    # errors that are certain although other words are unknown
    "copy /tmp/$x ~/b c": ["E305 c"],
    "copy <(echo) ~ c": ["E305 c"],
    'head -n "$x" -z': ["E302 -z"],
    "head lines=$x -z": ["E302 -z"],
    # errors that are not certain
    "copy $x": [],
    'copy "$@"': [],
    "copy *": [],
    "copy {a,b}": [],
    "copy $(echo)": [],
    "copy ...$x": [],
    'head "$x" -z': [],
    "head -n$x": [],
    "head -n *": [],
    "head lines=$x quiet=$(echo) --lines=$((1))": [],
    "head lines={1,2}": [],
    "copy a+=1 b": [],
    "echo --any a=[1]": [],
    "eval $1; head -z": ["E302? -z"],
    "head() { echo; }; head -z": [],
    "alias head=cat; head -z": [],
    "unset -f head; head -z": [],
    "head --help -z": [],
}


@pytest.mark.parametrize("text", ARGUMENTS)
def test_arguments(text: str) -> None:
    assert [one for one in summaries(text) if not one.startswith("W")] == ARGUMENTS[text]


DEPLOY = "deploy(host, port: int = 80, *files, dry_run: bool = false, tags: list = []) { echo; }\n"
CALLS = {
    "deploy": ["E304 deploy"],
    "deploy web1 8080 a b --dry-run tags=[a,]": [],
    "deploy host=web1 port=$p dry_run=true": [],
    "deploy web1 http": ["E303 http"],
    "deploy web1 port=http || echo": ["E303 port=http"],
    "deploy web1 --bogus": ["E302 --bogus"],
    "deploy web1 --bogus || echo": ["E302? --bogus"],
    "deploy web1 tags=a": ["E303 tags=a"],
    "deploy web1 --no-dry-run --port 1": [],
    "deploy --help": [],
    'deploy "$@"': [],
}


@pytest.mark.parametrize("call", CALLS)
def test_declared_functions(call: str) -> None:
    result = summaries(DEPLOY + call)
    assert [one for one in result if not one.startswith("W")] == CALLS[call]


def test_redefined_function_is_not_checked() -> None:
    assert summaries("f(a) { echo; }; f() { echo; }; f") == []


def test_only_called_commands_are_loaded() -> None:
    registry = Registry()
    check(parse(Source("head a; head b; frob; echo() { cat; }; echo")), registry)
    assert registry.loaded == ["head", "cat"]


def test_many_unknown_names_are_checked_quickly() -> None:
    text = "\n".join(f"frob{i}" for i in range(3000))
    result = diagnostics(text)
    assert len(result) == 1000
    assert [one.start for one in result] == sorted(one.start for one in result)


def test_builtins_with_effects_have_a_function_each() -> None:
    assert set(BUILTIN_EFFECTS) == BUILTINS_WITH_EFFECTS
