"""Mistakes of a host raise an exception that names the argument."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh import MemoryFS
from keysh.builtins.scatter import scatter as builtin_scatter
from keysh.cli.main import main
from keysh.schema.declare import command_of
from keysh.shell.script_cache import ScriptCache

pytestmark = pytest.mark.quick


# Values that no shell can be made with, by the option; and what the TypeError says.
REFUSED_OPTIONS: list[tuple[str, object, str]] = [
    ("fs", "/tmp", "mounted at / must be a FileSystem, but is '/tmp'; write keysh.LocalFS('/tmp')"),
    ("fs", Path("/x"), "mounted at / must be a FileSystem, but is .*; write keysh.LocalFS('/x')"),
    ("fs", b"/tmp", "mounted at / must be a FileSystem, but is b'/tmp'"),
    ("fs", 7, "mounted at / must be a FileSystem, but is 7"),
    ("fs", {"/work": "/tmp"}, "mounted at /work must be a FileSystem, but is '/tmp'"),
    ("fs", {1: MemoryFS()}, "a mount point in fs must be a path such as '/data', but is 1"),
    ("files", ["/a"], "files must be a mapping"),
    ("files", {"/a": 1}, "'/a' in files must be a str, bytes or a function, but is 1"),
    ("cwd", Path("/"), "cwd must be a str"),
    ("env", [], "env must be a mapping, but is []; write env={'NAME': 'value'}"),
    ("env", {"A": None}, "A in env must be a str, but is None"),
    ("args", "a b", "args must be a list of words, but is 'a b'; write args=['word']"),
    ("name", 5, "name must be a str, but is 5"),
    ("external", "yes", "external must be False, True or a keysh.Policy, but is 'yes'"),
    ("external", ["git"], "external must be .*; write keysh.Policy(allow=['git'])"),
    ("limits", {}, "limits must be Limits, but is {}; write Limits(seconds=5)"),
    ("commands", print, "commands must be a list of functions"),
    ("check", "no", "check must be a bool or a mapping"),
    ("on_command", 1, "on_command must be a function, but is 1"),
    ("rules", "rules.toml", "rules must be keysh.Rules, but is 'rules.toml'"),
    ("on_ask", print, "on_ask needs rules that ask"),
    ("clock", "now", "clock must be a number of seconds or a function"),
    ("random", 1.5, "random must be a whole number, the seed"),
    ("on_event", 1, "on_event must be a function or keysh.Events, but is 1"),
    ("network", "example.com", "network must be None, True or a Network"),
    ("journal", {}, "journal must be True or a keysh.Journal, but is {}; write journal=True"),
    ("store", 5, "store must be the path of a file, but is 5"),
    ("isolated", "yes", "isolated must be True or a keysh.Pool"),
    ("audit", 1, "audit must be a keysh.Audit or a function, but is 1"),
    ("mapper", 1, "mapper must be a client of Dask, or an object with `width` and `submit`"),
    ("on_progress", 1, "on_progress must be a function, but is 1"),
    ("tools", 5, "tools must be a list of servers and functions, but is 5"),
    ("bogus", 1, "bogus"),
]


@pytest.mark.parametrize(
    ("option", "value", "message"),
    REFUSED_OPTIONS,
    ids=[f"{o}={v!r:.20}" for o, v, _ in REFUSED_OPTIONS],
)
def test_an_option_of_a_wrong_type_is_refused_at_construction(
    option: str, value: object, message: str
) -> None:
    pattern = ".*".join(map(re.escape, message.split(".*")))
    with pytest.raises(TypeError, match=pattern):
        keysh.Shell(**{option: value})  # type: ignore[arg-type]


def test_every_option_is_refused_once() -> None:
    parameters = set(inspect.signature(keysh.Shell.__init__).parameters) - {"self", "dialect"}
    assert {option for option, _, _ in REFUSED_OPTIONS} == parameters | {"bogus"}
    assert set(keysh.ShellOptions.__annotations__) == parameters | {"dialect"}
    with pytest.raises(ValueError, match="dialect must be 'keysh' or 'bash', but is 'zsh'"):
        keysh.Shell(dialect="zsh")


def test_options_of_a_run_are_typed_as_they_are() -> None:
    def names(function: Callable[..., object]) -> set[str]:
        return set(inspect.signature(function).parameters) - {"self", "text"}

    assert names(keysh.Shell.run) == set(keysh.RunOptions.__annotations__)
    assert names(keysh.Shell.arun) == set(keysh.AsyncRunOptions.__annotations__)
    assert names(keysh.Shell.arun) - {"on_output"} == set(keysh.StreamOptions.__annotations__)
    shell = names(keysh.Shell.__init__)
    assert shell | names(keysh.Shell.run) == set(keysh.ScriptOptions.__annotations__)
    scatter = command_of(builtin_scatter).by_key
    assert {name.rstrip("_") for name in keysh.MapOptions.__annotations__} == {
        name for name, parameter in scatter.items() if parameter.role == "option"
    }


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({"E999": "warning"}, "'E999', which is no code"),
        ({"e301": "warning"}, "'e301', which is no code"),
        ({"E301": "quiet"}, "E301 one of error, warn, warning, off, but has 'quiet'"),
    ],
)
def test_severities_need_known_codes(check: Mapping[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        keysh.Shell(check=check)


def test_severity_is_applied() -> None:
    assert keysh.run("frobnicate", check={"E301": "off"}).stderr.startswith(
        "keysh: line 1: frobnicate"
    )


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.delitem(sys.modules, "keysh.vfs.remote.fsspec", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'keysh\[fsspec\]'"):
        __import__("keysh.vfs.remote.fsspec")


RETURNED: dict[str, object] = {
    "set": {1}, "object": object, "bytes": b"\xff\n", "tuple": (1, ("a", b"b")), "keys": {1: 2},
    "status": 255, "too much": 256, "too little": -1, "true": True,
}  # fmt: skip


@keysh.command
def give(sh: keysh.Call, name: str) -> object:
    """Return something.

    name  which thing
    """
    return RETURNED[name]


@pytest.mark.parametrize(
    ("name", "code", "out"),
    [
        ("bytes", 0, b"\xff\n"),
        ("tuple", 0, b'[1,["a","b"]]\n'),
        ("keys", 0, b'{"1":2}\n'),
        ("true", 0, b"true\n"),
        ("status", 255, b""),
    ],
)
def test_command_returns_a_value_or_status(name: str, code: int, out: bytes) -> None:
    result = keysh.run(f"give '{name}'", commands=[give])
    assert (result.code, result.stdout_bytes, result.stderr) == (code, out, "")


def unexpected(command: str, message: str) -> str:
    """Return what a user reads of an exception that a command raises in the first line."""
    return (
        f"keysh:1: E299 an unexpected error in `{command}`: {message}\n"
        "fix: set KEYSH_DEBUG=1 to see the traceback, and report it to the author\n"
    )


@keysh.command
def boom(sh: keysh.Call, way: str = "at once") -> Iterator[str] | None:
    """Raise an exception.

    way  when
    """
    if way == "later":
        return boom_later()
    raise KeyError("lost")


def boom_later() -> Iterator[str]:
    yield "begun\n"
    raise KeyError("lost")


@pytest.mark.parametrize(
    "script",
    ["boom", "boom later", "boom | cat", "boom later | cat", "true | boom", "x=$(boom)", "(boom)",
     "{ boom; } | cat", "boom & wait", "cat <(boom)", "echo a > >(boom)", "f() { boom; }; f",
     "if boom; then :; fi", "trap boom EXIT", "eval boom", "echo 1 | xargs -I{} boom",
     "command boom", "x=1 boom", "boom || true"],
)  # fmt: skip
def test_an_exception_is_told_with_its_place_wherever_it_is_raised(script: str) -> None:
    result = keysh.run(script, commands=[boom])
    place, fact = result.stderr.splitlines()[0].split(": E299 ")
    assert place in ("keysh:1", "trap:1")
    assert fact == "an unexpected error in `boom`: KeyError: 'lost'"
    assert isinstance(result.error, KeyError)


def test_the_traceback_is_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    message = unexpected("boom", "KeyError: 'lost'")
    assert keysh.run("true; boom || true", commands=[boom]).stderr == message
    monkeypatch.setenv("KEYSH_DEBUG", "1")
    stderr = keysh.run("boom", commands=[boom]).stderr
    assert stderr.startswith("Traceback (most recent call last):\n")
    assert stderr.endswith(message)


def test_a_defect_of_keysh_is_told_alike(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*arguments: object) -> None:
        raise IndexError("no such part")

    told = "E299 an unexpected error: IndexError: no such part\n"
    with monkeypatch.context() as broken:
        broken.setattr(ScriptCache, "_check_and_compile", fail)
        result = keysh.run("echo a")
        assert (result.code, result.rejected) == (1, True)
        assert result.stderr.startswith(f"keysh: {told}")
        assert isinstance(result.error, IndexError)
    with monkeypatch.context() as broken:
        broken.setattr(MemoryFS, "stat", fail)
        assert told in keysh.run("cd /tmp").stderr.replace(" in `cd`", "")
    monkeypatch.setattr("keysh.cli.subcommands.run_subcommand", fail)
    assert main(["explain", "E299"]) == 1
    assert capsys.readouterr().err.startswith(f"keysh: {told}")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("set", "TypeError: a value must be JSON, but is of the type set"),
        ("object", "TypeError: a value must be JSON, but is of the type type"),
        ("too much", "ValueError: a status must be 0 to 255, but is 256"),
        ("too little", "ValueError: a status must be 0 to 255, but is -1"),
    ],
)
def test_other_return_types_are_an_error(name: str, message: str) -> None:
    result = keysh.run(f"give '{name}'", commands=[give])
    assert (result.code, result.stdout, result.stderr) == (1, "", unexpected("give", message))
    assert isinstance(result.error, (TypeError, ValueError))


def test_cyclic_variable_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(ValueError, match="holds itself"):
        keysh.Shell().vars["x"] = value
    with pytest.raises(TypeError, match="must be JSON, but is of the type set"):
        keysh.Shell().vars["x"] = {1}


WRITTEN: dict[str, object] = {
    "bytes": b"x\xff",
    "bytearray": bytearray(b"x"),
    "int": 5,
    "none": None,
}


@keysh.command
def put(sh: keysh.Call, name: str, way: str) -> object:
    """Write something.

    name  which thing
    way   how
    """
    sh.out.write("begun ")
    if way == "write":
        sh.out.write(WRITTEN[name])  # type: ignore[arg-type]
    elif way == "writelines":
        sh.out.writelines(["more ", WRITTEN[name]])  # type: ignore[list-item]
    return None


@keysh.command
def pour(sh: keysh.Call, name: str) -> Iterator[object]:
    """Give something piece by piece.

    name  which thing
    """
    yield "begun "
    yield WRITTEN[name]


SURROUNDINGS = ["{}", "{} | cat", 'echo "$({})"', "{} > /f; cat /f", "{{ {}; }} | cat"]


@pytest.mark.parametrize("around", SURROUNDINGS)
@pytest.mark.parametrize("way", ["write", "writelines"])
@pytest.mark.parametrize("name", WRITTEN)
def test_written_output_must_be_text(name: str, way: str, around: str) -> None:
    result = keysh.run(around.format(f"put {name} {way}"), commands=[put])
    kind = type(WRITTEN[name]).__name__
    text = f"TypeError: output must be text, but is {kind}; write "
    assert result.stderr.startswith(f"keysh:1: E299 an unexpected error in `put`: {text}")
    assert ("surrogateescape" in result.stderr) is name.startswith("byte")
    assert isinstance(result.error, TypeError)
    begun = "begun more" if way == "writelines" else "begun"
    assert (result.stdout.strip(), result.limit) == (begun, None)


@pytest.mark.parametrize("around", SURROUNDINGS)
def test_yielded_output_must_be_text_or_a_value(around: str) -> None:
    result = keysh.run(around.format("pour bytes"), commands=[pour])
    text = "TypeError: output must be text, but is bytes; write "
    assert result.stderr.startswith(f"keysh:1: E299 an unexpected error in `pour`: {text}")
    assert isinstance(result.error, TypeError)
    assert (result.stdout.strip(), result.limit) == ("begun", None)


def test_list_containing_a_non_value_is_an_error() -> None:
    @keysh.command
    def hold(sh: keysh.Call) -> object:
        """Hold something."""
        return {"inner": [{1}]}

    result = keysh.run("hold", commands=[hold])
    assert result.stderr == unexpected(
        "hold", "TypeError: a value must be JSON, but is of the type set"
    )
    assert result.limit is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": None}, "text must be a str, but is None"),
        ({"text": b"ls"}, "text must be a str, but is b'ls'; write text.decode()"),
        ({"timeout": "5"}, "timeout must be a number of seconds, but is '5'; write timeout=5"),
        ({"env": ["A=1"]}, r"env must be a mapping, but is \['A=1'\]; write env={'NAME': 'value'}"),
        ({"cwd": 5}, "cwd must be a str, but is 5"),
        ({"cancel": True}, r"cancel must be a Cancel, but is True; write cancel=keysh.Cancel\(\)"),
        ({"on_output": 5}, "on_output must be a function, but is 5; write on_output=lambda "),
    ],
)
def test_run_refuses_wrong_argument_types(options: dict[str, object], message: str) -> None:
    shell, given = keysh.Shell(), {"text": "echo a", **options}
    with pytest.raises(TypeError, match=f"^{message}"):
        shell.run(**given)  # type: ignore[arg-type]
    assert shell.run("echo a").stdout == "a\n"


def test_timeout_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="timeout must be a number of seconds, but is nan"):
        keysh.Shell().run("echo a", timeout=float("nan"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limits": {}}, r"limits must be Limits, but is {}; write Limits\(seconds=5\)"),
        ({"limits": 5}, "limits must be Limits, but is 5"),
        ({"cwd": None}, "cwd must be a str, but is None"),
        ({"env": 5}, "env must be a mapping, but is 5"),
        ({"args": "abc"}, r"args must be a list of words, but is 'abc'; write args=\['word'\]"),
        ({"args": 5}, "args must be a list of words, but is 5"),
    ],
)
def test_shell_refuses_wrong_argument_types(options: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}"):
        keysh.Shell(**options)  # type: ignore[arg-type]


def test_inspection_methods_require_text() -> None:
    for look in (keysh.Shell().check, keysh.Shell().plan):
        with pytest.raises(TypeError, match="text must be a str, but is None"):
            look(None)  # type: ignore[arg-type]


def test_missing_directory_has_one_message_everywhere() -> None:
    with pytest.raises(FileNotFoundError) as by_shell:
        keysh.Shell(cwd="/none").run("pwd")
    with pytest.raises(FileNotFoundError) as by_run:
        keysh.Shell().run("pwd", cwd="/none")
    assert str(by_shell.value) == str(by_run.value)
    with pytest.raises(NotADirectoryError):
        keysh.Shell(files={"/f": ""}, cwd="/f").run("pwd")
    assert keysh.Shell(files={"/d/f": ""}, cwd="d").run("pwd; ls").stdout == "/d\nf\n"


def test_output_callback_exception_is_reported() -> None:
    def fail(stream: str, text: str) -> None:
        raise KeyError("lost")

    result = keysh.Shell().run("echo a; echo b", on_output=fail)
    assert result.stderr == "keysh: on_output: KeyError: 'lost'\n"
    assert isinstance(result.error, KeyError)
    assert (result.code, str(result.limit)) == (1, "on_output")


CONSTRUCTION_MISTAKES: list[tuple[str, object]] = [
    ("limits", 5), ("limits", {"seconds": 5}), ("clock", "noon"), ("clock", []), ("random", "x"),
    ("random", 1.5), ("args", "word"), ("args", 5), ("env", 5), ("env", ["A"]), ("env", {5: "x"}),
    ("env", {"A": None}), ("env", {"A=B": "x"}), ("env", {"": "x"}), ("env", {"A\0": "x"}),
    ("env", {"A": "x\0"}), ("cwd", 5), ("cwd", None), ("name", 5), ("name", b"x"), ("files", 5),
    ("files", ["/a"]), ("files", {5: "x"}), ("files", {"/a": 5}), ("files", {"/a": None}),
    ("commands", 5), ("commands", "ls"), ("check", 5), ("check", "off"), ("dialect", "zsh"),
    ("on_command", 5), ("on_event", 5), ("network", "x"), ("journal", 5), ("store", 5),
    ("external", "ls"), ("external", ["ls"]),
]  # fmt: skip


@pytest.mark.parametrize(("option", "value"), CONSTRUCTION_MISTAKES)
def test_a_wrong_option_of_a_shell_is_named_in_one_line(option: str, value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=option) as caught:
        keysh.Shell(**{option: value}).run("true")  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", keysh.Limits.__slots__)
@pytest.mark.parametrize("value", ["x", -1, [], True, float("nan"), b"5"])
def test_a_wrong_limit_is_named_in_one_line(kind: str, value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{kind} must ") as caught:
        keysh.Limits(**{kind: value})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [("stdin", 5), ("stdin", object()), ("env", 5), ("env", {5: "x"}), ("cwd", 5), ("timeout", "x"),
     ("timeout", float("nan")), ("cancel", 5), ("on_output", 5), ("dialect", "zsh")],
)  # fmt: skip
def test_a_wrong_option_of_a_run_is_named_in_one_line(option: str, value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=option) as caught:
        keysh.Shell().run("true", **{option: value})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@keysh.command
def leak(sh: keysh.Call, way: str) -> None:
    """Raise what knows something of the host.

    way  what
    """
    if way == "address":
        raise RuntimeError(f"lost {object()!r}")
    raise LEAKS[way]


LEAKS = {
    "path": RuntimeError("cannot open /home/amy/.secrets/db.sqlite now"),
    "url": RuntimeError("refused: postgres://amy:pw@db.internal/main"),
    "given": RuntimeError("broken: /in.txt"),
}


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("path", "RuntimeError: cannot open … now"),
        ("address", "RuntimeError: lost <object object at …>"),
        ("url", "RuntimeError: refused: postgres:…"),
        ("given", "RuntimeError: broken: /in.txt"),
    ],
)
def test_an_exception_tells_the_script_no_path_or_address_of_the_host(way: str, told: str) -> None:
    result = keysh.run(f"leak {way}", commands=[leak], files={"/in.txt": ""})
    assert result.stderr == unexpected("leak", told)
    assert isinstance(result.error, Exception), "the host gets the whole"


@keysh.command
def read_both(sh: keysh.Call, path: str) -> None:
    """Open a file of the script, or one of the host.

    path  which one
    """
    with open(path, "rb") if path.startswith("/home") else sh.open(path):
        pass


def test_a_failure_of_the_hosts_own_file_names_no_path() -> None:
    shell = keysh.Shell(commands=[read_both])
    assert shell.run("read_both /home/amy/none").stderr == (
        "read_both: No such file or directory\n"
    )
    assert shell.run("read_both /in/none").stderr == (
        "read_both: /in/none: No such file or directory\n"
    )


def wait_for_job(seconds: object) -> object:
    return keysh.Shell().start("true").wait(seconds)  # type: ignore[arg-type]


def set_variable(name: object) -> None:
    keysh.Shell().vars[name] = "x"  # type: ignore[index]


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: wait_for_job("x"), "timeout must be a number of seconds, but is 'x'"),
        (lambda: wait_for_job(True), "timeout must be a number of seconds, but is True"),
        (lambda: wait_for_job(-1), "timeout must be a number of seconds, but is -1"),
        (lambda: wait_for_job(float("nan")), "timeout must be a number of seconds, but is nan"),
        (lambda: keysh.run("true", timeout=-1), "timeout must be a number of seconds, but is -1"),
        (lambda: keysh.run("true", timeout=True), "timeout must be a number of seconds, but is"),
        (lambda: set_variable(5), "the name of a variable must be a str, but is 5"),
        (lambda: keysh.Shell().vars[None], "the name of a variable must be a str, but is None"),
        (lambda: keysh.Shell().vars.get([]), r"the name of a variable must be a str, but is \[\]"),
        (lambda: keysh.Shell(dialect=["bash"]), "dialect must be 'keysh' or 'bash'"),
        (lambda: keysh.Shell(random=True), "random must be a whole number, the seed"),
        (lambda: keysh.Shell(cwd="/a\0b"), "cwd must have no NUL character"),
        (lambda: keysh.Shell(args=[{1}]), r"args\[0\] must be text, a number, a list or a record"),
        (lambda: keysh.Shell(env={"A": {1}}), "A in env must be text, a number, a list or a"),
        (lambda: keysh.Policy(allow=5), "allow must be a list of strings, but is 5"),
        (lambda: keysh.Policy(max_processes="x"), "max_processes must be a whole number"),
        (lambda: keysh.Network(5), "hosts must be a list of strings, but is 5"),
        (lambda: keysh.Network([5]), "a host must be a str, but is 5"),
    ],
)
def test_a_mistake_in_the_interface_is_named_with_its_fix(
    use: Callable[[], object], message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        use()


def test_a_wait_may_be_longer_than_a_clock_counts() -> None:
    assert keysh.Shell().start("echo a").wait(10**400).stdout == "a\n"


def test_bytes_of_every_kind_are_input() -> None:
    for data in (b"a\xff", bytearray(b"a\xff"), memoryview(b"a\xff")):
        assert keysh.run("cat", stdin=data).stdout_bytes == b"a\xff"  # type: ignore[arg-type]


class OddName(str):
    """A string that lies about itself."""

    __slots__ = ()

    def __len__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        raise ValueError

    __hash__ = str.__hash__


def test_objects_of_classes_of_the_host_become_plain_ones() -> None:
    class Level(IntEnum):
        high = 3

    class Real(float):
        """A number that compares in its own way."""

        def __eq__(self, other: object) -> bool:
            raise ValueError

        __hash__ = float.__hash__

    @keysh.command
    def odd(sh: keysh.Call) -> object:
        """Return and write what lies."""
        sh.out.write(OddName("written "))
        return {OddName("key"): [OddName("text"), Real(1.5), Level.high]}

    shell = keysh.Shell(
        commands=[odd], env={OddName("A"): OddName("a")}, args=[Path("/x"), Level.high]
    )
    shell.vars["level"] = [Level.high, OddName("b")]
    assert [type(part) for part in shell.vars["level"]] == [int, str]
    result = shell.run(
        OddName("echo $A $1 $2 ${level[1]}; odd; odd | cat; cat -"), stdin=OddName("in")
    )
    assert result.stdout == "a /x 3 b\n" + 'written {"key":["text",1.5,3]}\n' * 2 + "in"
    assert result.error is None


class BrokenFiles(keysh.FileSystem):
    """Files of a host in which one verb is wrong."""

    def __init__(self, verb: str, wrong: Callable[[], object]) -> None:
        self._files = keysh.MemoryFS({"/f": "text"})
        self._verb, self._wrong = verb, wrong
        self._files.make_link("f", "/l")

    def _act(self, verb: str, *arguments: Any) -> Any:
        return self._wrong() if verb == self._verb else getattr(self._files, verb)(*arguments)

    def stat(self, path: str) -> Any:
        return self._act("stat", path) if path == "/f" else self._files.stat(path)

    def list(self, path: str) -> Any:
        return self._act("list", path)

    def open(self, *arguments: Any) -> Any:
        return self._act("open", *arguments)

    def read_file(self, path: str, size: int) -> bytes:
        return self._act("read_file", path, size)  # type: ignore[no-any-return]

    def read_link(self, path: str) -> str:
        return self._act("read_link", path)  # type: ignore[no-any-return]

    def at_one_time(self) -> Any:
        return self._act("at_one_time")


def leave() -> object:
    raise SystemExit(3)


@pytest.mark.parametrize("wrong", [object, lambda: None, lambda: 1 / 0, leave])
@pytest.mark.parametrize(
    "verb", ["stat", "list", "open", "read_file", "read_link", "at_one_time"]
)  # fmt: skip
def test_a_journal_outlives_a_file_system_that_breaks_its_rules(
    verb: str, wrong: Callable[[], object]
) -> None:
    shell = keysh.Shell({"/": keysh.MemoryFS(), "/m": BrokenFiles(verb, wrong)}, journal=True)
    result = shell.run("echo end > /kept; ls -l /m; readlink /m/l; cat /m/f; echo a >> /m/f")
    assert "object at 0x" not in result.stdout + result.stderr
    assert result.changes is not None
    assert "/kept" in [change.path for change in result.changes]
    assert shell.run("cat /kept").stdout == "end\n"
    shell.close()


def test_a_journal_doubts_the_changes_of_a_broken_file_system() -> None:
    shell = keysh.Shell(BrokenFiles("at_one_time", lambda: 1 / 0), journal=True)
    changes = shell.run(":").changes
    assert changes is not None
    assert "/ could not be looked at: ZeroDivisionError" in changes.reasons


def test_file_that_vanishes_between_two_looks_is_not_the_same() -> None:
    there = keysh.MemoryFS({"/f": ""}).stat("/f")
    answers = []
    for count in range(8):
        looks = [there] * count

        def look(looks: list[object] = looks) -> object:
            if not looks:
                raise NotADirectoryError(20, "Not a directory", "/f")
            return looks.pop()

        result = keysh.Shell(BrokenFiles("stat", look)).run("[[ /l -ef /f ]]; echo $?")
        answers.append(result.stdout + result.stderr)
    assert answers == sorted(answers, reverse=True)
    assert set(answers) == {"0\n", "1\n"}
