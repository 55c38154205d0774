"""Every command loads, has help and a schema, and refuses nonsense."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import jsonschema
import pytest

import keysh
from commands.command_runner import command_named, run_keysh
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.schema.command import Command
from keysh.schema.render import declared_candidates, help_text, markdown_page
from keysh.shell.command_listing import FILES, command_modules, names
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router
from rows import each_row

NAMES = sorted([*command_modules(), "["])


@pytest.fixture(params=NAMES)
def command(request: pytest.FixtureRequest) -> Command:
    return command_named(request.param)


def test_there_are_commands() -> None:
    assert {"cat", "cp", "dd", "echo", "env", "find", "head", "test", "["} <= set(NAMES)


def test_help_is_the_docstring(command: Command) -> None:
    text = help_text(command)
    assert text.startswith("Usage: ")
    assert command.summary in text
    assert command.summary.endswith(".")
    for parameter in command.parameters:
        assert parameter.help, parameter.name


# They accept any text, or ignore it.
DATA = {
    ":", "[", "assert", "echo", "false", "fromyaml", "lines", "test", "tojson", "toyaml", "true",
    "typeof", "words",
}  # fmt: skip


def test_help_is_printed(command: Command) -> None:
    assert command.style.has_help is (command.name not in DATA)
    answer = run_keysh(command.name, "--help")
    if command.name in DATA:
        assert help_text(command) not in answer.out.decode()
        return
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.decode() == help_text(command)


def test_version_is_printed(command: Command) -> None:
    """Scripts probe for a program by `NAME --version`."""
    answer = run_keysh(command.name, "--version")
    if command.name in {*DATA, "jq", "run"}:  # two have an option of this name
        assert "(keysh)" not in answer.out.decode()
        return
    assert (answer.status, answer.err) == (0, "")
    first = f"{command.name} (keysh) {keysh.__version__}"
    followed = f", compatible with {command.compatible}" if command.compatible else ""
    assert answer.out.decode() == f"{first}{followed}\n"


def test_schema_is_valid_and_refuses_extra_properties(command: Command) -> None:
    schema = command.json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"no such parameter": 1}, schema)


def test_page_names_every_parameter(command: Command) -> None:
    page = markdown_page(command)
    assert page.startswith(f"# {command.name}\n")
    for parameter in command.parameters:
        displayed = parameter.long_names[0] if parameter.long_names else parameter.key
        assert displayed.lower() in page.lower()


def test_options_are_offered(command: Command) -> None:
    offered = {
        word.removeprefix("--").rstrip("=") for word, _ in declared_candidates(command, "--")
    }
    for parameter in command.parameters:
        assert set(parameter.long_names) <= offered


def test_unknown_option_is_refused(command: Command) -> None:
    if command.is_raw:
        pytest.skip("a raw command has its own idea of every word")
    answer = run_keysh(command.name, "--no-such-option-at-all")
    assert answer.status == command.refusals.usage_status
    says = command.refusals.unknown_option_error or "unrecognized option '{}'"
    assert says.replace("{}", "--no-such-option-at-all") in answer.err
    assert command.refusals.usage_hint.format(command.name) in answer.err


INPUTS: dict[str, bytes] = {
    "empty": b"",
    "binary": bytes(range(256)) * 20,
    "no text": b"\xff\xfe\xc3",
    "one long line": b"x" * 200_000,
}
WORDS: list[tuple[str, ...]] = [(), ("f",), ("-",), ("f", "g"), ("",), ("\udcff",)]


@each_row("words, name", product(WORDS, INPUTS))
def test_any_input_is_handled(command: Command, words: tuple[str, ...], name: str) -> None:
    if command.name == "yes":
        return  # its answer has no end
    stdin = INPUTS[name]
    try:
        answer = run_keysh(command.name, *words, stdin=stdin, files={"/f": stdin, "/d/e": ""})
    except RuntimeDiagnostic as problem:
        if problem.code != "E202":  # which the engine explains
            raise
    else:
        assert answer.status in range(256)


class Closed(Exception):
    """The reader of the output has closed it."""


def test_closed_reader_stops_the_command(command: Command) -> None:
    """An exception of the output belongs to the engine: no command may swallow it."""

    def put(text: str) -> None:
        raise Closed

    errors: list[str] = []
    call = Call(
        command.name,
        FakeShell(Router(MemoryFS({"/f": "a\nb\n"})), "/", {"A": "1"}, refuse),
        Reader(iter(["a\nb\n"])),
        Writer(put),
        Writer(errors.append),
    )
    try:
        status = invoke(command, call, WRITING.get(command.name, ["f"]))
    except Closed:
        return
    # The other commands write nothing, or change the state of a shell, which is missing here.
    assert status in range(256)
    assert command.name in SILENT or errors[-1].endswith("works only inside a shell\n")


refuse: Callable[..., int] = lambda words, **_: 127  # noqa: E731 - a stand-in for the shell
SILENT = {
    "true", "test", "cp", "dd", "xargs", "touch", "truncate", "sync", "sleep", "unlink", "link",
    "users", "false", "assert", "patch", "split", "nohup", "stdbuf", "setsid", "shred",
    "mkfifo", "watch", "complete", "compopt", "time",
    "csplit", "fallocate", "gather", "logger", "pathchk", "result",
}  # fmt: skip
WRITING: dict[str, list[object]] = {
    "changes": ["1"], "redo": ["1"], "undo": ["1"],
    "printenv": [], "whoami": [], "logname": [], "hostname": [], "uname": [], "arch": [],
    "nproc": [], "tty": [], "uptime": [], "date": [], "id": [], "df": [], "who": ["-H"],
    "mkdir": ["-v", "d"], "rmdir": ["-v", "d"], "rm": ["-v", "f"], "ln": ["-sv", "f", "l"],
    "mv": ["-v", "f", "g"], "install": ["-v", "f", "g"], "chmod": ["-v", "600", "f"],
    "readlink": ["-f", "f"], "getconf": ["PAGE_SIZE"], "mktemp": ["-u"],
    "grep": ["b", "f"], "sed": ["p", "f"], "jq": [".", "-n"],
    "fromtoml": ["a=1"], "sqlite3": [":memory:", "select 1"],
    "kill": ["-l"], "trap": ["-l"], "pwd": [], "times": [],
    "ulimit": [], "keys": [[1]], "values": [[1]], "tojsonl": [[1]], "fromjson": ["1"],
    "fromjsonl": ["1"], "awk": ["1", "f"], "caller": [], "getopts": ["a", "o"],
    "timeout": ["1", "f"], "cmp": ["-i", "0:1", "f", "f"], "comm": ["f", "f"], "factor": ["6"],
    "diff": ["-s", "f", "f"], "join": ["f", "f"], "numfmt": ["5"], "strings": ["-n1", "f"],
    "bzip2": ["-c", "f"], "gzip": ["-c", "f"], "tar": ["-c", "f"], "xz": ["-c", "f"],
    "env": [], "find": ["/"], "cut": ["-c1", "f"], "seq": ["3"], "table": ["[1]"],
    "tr": ["a", "b"], "nice": [], "yq": ["-n", "1"],
    "chown": ["-v", "user", "f"], "chgrp": ["-v", "user", "f"],
    "tput": ["-T", "xterm", "bold"], "basenc": ["--base16", "f"], "cal": ["2024"],
    "clear": ["-T", "xterm"], "uuidgen": [], "groups": [], "dos2unix": ["-i", "f"],
    "envsubst": [],
}  # fmt: skip


def test_every_command_has_a_page() -> None:
    pages = Path(__file__).parents[1] / "spec" / "commands"
    files = names() - frozenset(FILES)
    assert sorted(name for name in files if not (pages / f"{name}.md").exists()) == []
