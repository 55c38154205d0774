"""The contract of plugins, with the examples of the document that specified them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest

from keysh import Shell
from keysh.adapters.plugins import Manifest, PluginTool, ToolParameter, load
from keysh.adapters.plugins.line import MAX_LINE_BYTES

Script = Callable[..., Path]

UNPARSED = ": failed to parse output as ToolResult"


def make_manifest(name: str, params: list[ToolParameter]) -> Manifest:
    return Manifest(name, "1.0.0", f"Test tool: {name}", "tool", params)


def make_param(name: str, kind: str, required: bool) -> ToolParameter:
    return ToolParameter(name, kind, f"param {name}", required=required)


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Write a program for sh."""

    def write(text: str, name: str = "tool.sh") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def tool(script: Script, env: dict[str, str]) -> Iterator[Callable[..., PluginTool]]:
    """Make a tool of a program for sh."""
    made: list[PluginTool] = []

    def build(text: str, **options: float) -> PluginTool:
        path = script(text)
        made.append(PluginTool(make_manifest("t", []), path, env=env, **options))
        return made[-1]

    yield build
    for one in made:
        one.close()


# ---------------------------------------------------------------- the document's own


def test_name_and_description_come_from_manifest() -> None:
    tool = PluginTool(make_manifest("gpio_test", []), "/bin/true")
    assert tool.name == "gpio_test"
    assert tool.description == "Test tool: gpio_test"
    tool.close()


def test_schema_reflects_parameter_definitions() -> None:
    params = [
        make_param("device", "string", True),
        make_param("pin", "integer", True),
        make_param("value", "integer", False),
    ]
    tool = PluginTool(make_manifest("gpio_write", params), "/bin/true")
    schema = tool.parameters_schema()
    assert schema["type"] == "object"
    assert schema["properties"]["device"]["type"] == "string"
    assert schema["properties"]["pin"]["type"] == "integer"
    assert schema["required"] == ["device", "pin"]
    jsonschema.Draft7Validator.check_schema(schema)
    tool.close()


def test_schema_parameterless_tool_has_empty_required() -> None:
    tool = PluginTool(make_manifest("noop", []), "/bin/true")
    assert tool.parameters_schema()["required"] == []
    tool.close()


@pytest.mark.asyncio
async def test_execute_successful_subprocess(tool: Callable[..., PluginTool]) -> None:
    line = '{"success":true,"output":"ok","error":null}'
    result = await tool(f"cat > /dev/null\necho '{line}'").execute({})
    assert result.success
    assert result.output == "ok"
    assert result.error is None


@pytest.mark.asyncio
async def test_execute_timeout_kills_process_and_returns_error(
    tool: Callable[..., PluginTool],
) -> None:
    result = await tool("echo busy >&2; sleep 60 & wait", timeout=1.5).execute({})
    assert not result.success
    assert result.error == "plugin 't' timed out after 1.5s; stderr: busy"


# ---------------------------------------------------------------- the protocol


def test_timeouts_of_the_contract() -> None:
    tool = PluginTool(make_manifest("t", []), "/bin/true")
    assert (tool._timeout, tool._exit_timeout) == (10.0, 5.0)
    tool.close()


def test_arguments_are_one_line_of_json(tool: Callable[..., PluginTool], tmp_path: Path) -> None:
    given = {"a": "x\ny'\"\\", "b": [1, None], "c": {"d": 1.5}, "e": "\u00fc"}
    one = tool(f'cat > {tmp_path}/given; echo \'{{"success":true,"output":""}}\'')
    assert one.call(given).success
    text = (tmp_path / "given").read_text("utf-8")
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert json.loads(text) == given


def answer(output: str) -> str:
    return f"echo '{json.dumps({'success': True, 'output': output, 'error': None})}'"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("exit 0", ": empty stdout"),
        ("echo; exit 0", ": empty stdout"),
        ("echo why >&2", ": empty stdout; stderr: why"),
        ("exec >&-; echo x >&2", ": empty stdout; stderr: x"),
        ("echo no",
         f"{UNPARSED}: Expecting value: line 1 column 1 (char 0) (got: 'no')"),
        ("echo []", f"{UNPARSED}: it is not an object (got: '[]')"),
        ("echo '{}'", f"{UNPARSED}: its success is absent (got: '{{}}')"),
        ("""echo '{"success":1,"output":""}'""",
         UNPARSED + ": its success is 1 (got: '{\"success\":1,\"output\":\"\"}')"),
        (f"{answer('x')}; echo why >&2; exit 3", " exited with exit status: 3; stderr: why"),
        (f"{answer('x')}; kill -9 $$", " exited with signal: 9 (SIGKILL)"),
        ("exit 4", " exited with exit status: 4"),
    ],
)  # fmt: skip
def test_failures(tool: Callable[..., PluginTool], text: str, error: str) -> None:
    result = tool(text).call({"unread": "x" * 200_000})
    assert not result.success
    assert result.error == f"plugin 't'{error}"


def test_invalid_output_is_quoted_up_to_200_characters(tool: Callable[..., PluginTool]) -> None:
    error = tool("printf '%0300d\\n' 7").call({}).error
    assert error is not None
    assert error.endswith(f"(got: '{'0' * 200}…')")


def test_stderr_is_reported_up_to_512_bytes(tool: Callable[..., PluginTool]) -> None:
    error = tool("head -c 100000 /dev/zero | tr '\\0' e >&2").call({}).error
    assert error == f"plugin 't': empty stdout; stderr: {'e' * 512}"


def test_overlong_line_is_reported(tool: Callable[..., PluginTool]) -> None:
    error = (
        tool(f"head -c {MAX_LINE_BYTES + 9} /dev/zero | tr '\\0' x; exit 0", exit_timeout=5)
        .call({})
        .error
    )
    assert error is not None
    assert f"the line is over {MAX_LINE_BYTES} bytes" in error


def test_failure_reported_by_the_tool(tool: Callable[..., PluginTool]) -> None:
    result = tool("""echo '{"success":false,"output":"half","error":"no pin"}'""").call({})
    assert (result.success, result.output, result.error) == (False, "half", "no pin")


def test_further_lines_are_ignored(tool: Callable[..., PluginTool]) -> None:
    assert tool(f"{answer('a')}; {answer('b')}; yes | head -n 100000").call({}).output == "a"


def test_program_may_clean_up_after_its_answer(
    tool: Callable[..., PluginTool], tmp_path: Path
) -> None:
    assert tool(f"{answer('a')}; sleep 0.05; touch {tmp_path}/cleaned").call({}).success
    assert (tmp_path / "cleaned").exists()


def test_program_that_does_not_exit_is_killed(tool: Callable[..., PluginTool]) -> None:
    result = tool(f"{answer('a')}; sleep 60 & wait", exit_timeout=0.1).call({})
    assert (result.success, result.output) == (True, "a")


def test_non_json_arguments(tool: Callable[..., PluginTool]) -> None:
    error = tool("exit 0").call({"a": object()}).error
    assert error is not None
    assert error.startswith("plugin 't': arguments are not JSON")


@pytest.mark.asyncio
async def test_cancelling_the_task_kills_the_program(
    tool: Callable[..., PluginTool], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "begun")
    held = os.open(tmp_path / "begun", os.O_RDWR)
    begun = asyncio.Event()
    asyncio.get_running_loop().add_reader(held, begun.set)
    one = tool(f"echo x > {tmp_path}/begun; sleep 60 & wait")
    task = asyncio.create_task(one.execute({}))
    await begun.wait()
    asyncio.get_running_loop().remove_reader(held)
    os.close(held)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("change", ["replace", "write", "remove"])
def test_changed_program_is_not_run(
    tool: Callable[..., PluginTool], script: Script, tmp_path: Path, change: str
) -> None:
    one = tool(answer("first"))
    path = tmp_path / "tool.sh"
    if change == "replace":
        script(answer("other"), "other.sh").replace(path)
    elif change == "write":
        path.write_text(f"#!/bin/sh\n{answer('longer than it was')}\n")
    else:
        path.unlink()
    error = one.call({}).error
    assert error == (f"plugin 't' could not be started: {path}: has changed since it was loaded")


# ---------------------------------------------------------------- folders


GPIO = """
[tool]
name = "gpio_write"
version = "1.0.0"
description = "Sets a pin."

[exec]
binary = "tool.sh"

[transport]
preferred = "serial"

[[parameters]]
name = "value"
type = "integer"
description = "the level"
default = 1

[[parameters]]
name = "device"
type = "string"
description = "the board"
required = true

[[parameters]]
name = "pin"
type = "integer"
description = "its number"
required = true

[[parameters]]
name = "tags"
type = "array"
description = "anything"
"""
ECHO = """read -r line
printf '{"success":true,"output":"%s","error":null}\\n' "$(echo "$line" | tr '"' "'")"
"""


@pytest.fixture
def folder(tmp_path: Path, script: Script) -> Path:
    """Make a folder with one plugin."""
    script(ECHO, "gpio/tool.sh")
    (tmp_path / "gpio" / "tool.toml").write_text(GPIO)
    (tmp_path / "no plugin").mkdir()
    (tmp_path / "file").write_text("")
    return tmp_path


@pytest.fixture
def shell(folder: Path, env: dict[str, str]) -> Iterator[Shell]:
    with load(folder, env=env) as plugins, Shell(commands=plugins.commands) as made:
        assert not plugins.faults
        yield made


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("gpio_write device=pico0 pin=5", {"device": "pico0", "pin": 5, "value": 1}),
        ("gpio_write pico0 5 0", {"device": "pico0", "pin": 5, "value": 0}),
        ("gpio_write pico0 pin=5 tags=[a, 2]",
         {"device": "pico0", "pin": 5, "value": 1, "tags": ["a", 2]}),
        ("x='a b'; gpio_write \"$x\" 7", {"device": "a b", "pin": 7, "value": 1}),
    ],
)  # fmt: skip
def test_command(shell: Shell, text: str, given: dict[str, object]) -> None:
    result = shell.run(text)
    assert (result.code, result.stderr) == (0, "")
    assert json.loads(result.stdout.replace("'", '"')) == given


def test_command_in_a_pipeline(shell: Shell) -> None:
    assert "PICO" in shell.run("gpio_write pico 1 | tr a-z A-Z").stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gpio_write pico0 five", "pin must be a whole number, but is 'five'"),
        ("gpio_write pico0", "missing operand"),
        ("gpio_write pico0 5 color=red", "color"),
    ],
)
def test_plugin_command_is_checked(shell: Shell, text: str, message: str) -> None:
    result = shell.run(text)
    assert result.code == 2
    assert message in result.stderr


def test_help_comes_from_the_manifest(shell: Shell) -> None:
    assert shell.run("gpio_write --help").stdout == (
        "Usage: gpio_write DEVICE PIN [VALUE] [TAGS]\n"
        "Sets a pin.\n\n"
        "device  string: the board\npin  integer: its number\nvalue  integer: the level\n"
        "tags  array: anything\n"
    )


def test_failing_command(folder: Path, script: Script, env: dict[str, str]) -> None:
    script("echo no >&2; exit 3", "gpio/tool.sh")
    with load(folder, env=env) as plugins, Shell(commands=plugins.commands) as shell:
        result = shell.run("gpio_write a 1; echo $?")
    assert result.stdout == "1\n"
    failure = "plugin 'gpio_write' exited with exit status: 3; stderr: no"
    assert result.stderr == f"gpio_write: {failure}\n"


def test_shell_timeout_ends_a_plugin(folder: Path, script: Script, env: dict[str, str]) -> None:
    script("sleep 60 & wait", "gpio/tool.sh")
    with load(folder, env=env) as plugins, Shell(commands=plugins.commands) as shell:
        assert shell.run("timeout 0.2 gpio_write a 1; echo $?").stdout == "124\n"
        assert shell.run("gpio_write a 1", timeout=0.2).code == 124


def test_object(folder: Path, env: dict[str, str]) -> None:
    with load(folder, env=env) as plugins:
        one = plugins["gpio_write"]
        assert one.manifest.transport == {"preferred": "serial"}
        assert one.parameters_schema()["properties"]["value"] == {
            "type": "integer", "description": "the level", "default": 1,
        }  # fmt: skip
        assert [tool.name for tool in plugins] == ["gpio_write"]
        with pytest.raises(KeyError):
            plugins["other"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[tool]", "[tools]", "tool: is missing"),
        ('name = "gpio_write"', "", "tool.name: is missing"),
        ('name = "gpio_write"', "name = 5", "tool.name: must be text, but is 5"),
        ('name = "gpio_write"', 'name = "a b"',
         "tool.name: must be letters, digits and _, a letter first, but is 'a b'"),
        ('name = "gpio_write"', 'name = "cat"', "tool.name: cat is taken by keysh"),
        ('version = "1.0.0"', "version = 1", "tool.version: must be text, but is 1"),
        ('description = "Sets a pin."', "", "tool.description: is missing"),
        ('description = "Sets a pin."', 'description = " "',
         "tool.description: must be a text that is not blank, but is ' '"),
        ('binary = "tool.sh"', "", "exec.binary: is missing"),
        ('binary = "tool.sh"', 'binary = "../x"', "exec.binary: '../x' is outside its folder"),
        ('binary = "tool.sh"', 'binary = "/bin/sh"',
         "exec.binary: '/bin/sh' is outside its folder"),
        ('binary = "tool.sh"', 'binary = "link"', "exec.binary: 'link' is outside its folder"),
        ('binary = "tool.sh"', 'binary = "."', "exec.binary: '.' is outside its folder"),
        ('binary = "tool.sh"', 'binary = "no"', "exec.binary: 'no' is not a file"),
        ('binary = "tool.sh"', 'binary = "tool.toml"',
         "exec.binary: 'tool.toml' is not executable"),
        ('preferred = "serial"', "preferred = ",
         "is not TOML: Invalid value (at line 11, column 13)"),
        ("[transport]", "[[transport]]",
         "transport: must be a table, but is [{'preferred': 'serial'}]"),
        ("required = true", "required = 1",
         "parameters[1].required: must be true or false, but is 1"),
        ('type = "array"', 'type = "list"',
         ("parameters[3].type: must be one of string, integer, number, boolean, array, object, "
          "but is 'list'")),
        ('name = "tags"', 'name = "pin"', "parameters[3].name: pin is given twice"),
        ('name = "tags"', 'name = "a-b"',
         "parameters[3].name: must be letters, digits and _, a letter first, but is 'a-b'"),
        ("default = 1", "default = true",
         "parameters[0].default: must be of type integer, but is True"),
        ("default = 1", 'default = "1"',
         "parameters[0].default: must be of type integer, but is '1'"),
    ],
)  # fmt: skip
def test_a_malformed_manifest_is_skipped(folder: Path, old: str, new: str, fault: str) -> None:
    file = folder / "gpio" / "tool.toml"
    file.write_text(GPIO.replace(old, new, 1))
    (folder / "gpio" / "link").symlink_to("/bin/true")
    plugins = load(folder)
    assert [str(one) for one in plugins.faults] == [f"{file}: {fault}"]
    assert len(plugins) == 0


def test_unreadable_manifest(folder: Path) -> None:
    file = folder / "gpio" / "tool.toml"
    file.write_bytes(b"\xff")
    assert str(load(folder).faults[0]) == f"{file}: is not UTF-8"
    file.unlink()
    file.mkdir()
    assert str(load(folder).faults[0]) == f"{file}: Is a directory"
    file.rmdir()
    file.symlink_to("nowhere")
    assert str(load(folder).faults[0]) == f"{file}: No such file or directory"


def test_duplicate_names_are_refused(folder: Path, script: Script, env: dict[str, str]) -> None:
    script(ECHO, "other/tool.sh")
    (folder / "other" / "tool.toml").write_text(GPIO)
    with load(folder, env=env) as plugins:
        assert [tool.name for tool in plugins] == ["gpio_write"]
        assert [str(fault) for fault in plugins.faults] == [
            f"{folder}/other/tool.toml: tool.name: gpio_write is taken by {folder}/gpio/tool.toml"
        ]


def test_missing_folder() -> None:
    with pytest.raises(FileNotFoundError):
        load("/no/such/folder")


def test_a_program_has_the_environment_of_the_host(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYSH_PLUGIN", "seen")
    path = script("""printf '{"success": true, "output": "%s"}' "$KEYSH_PLUGIN" """)
    for env, output in ((None, "seen"), ({"PATH": os.defpath}, "")):
        with contextlib.closing(PluginTool(make_manifest("t", []), path, env=env)) as made:
            assert made.call({}).output == output
