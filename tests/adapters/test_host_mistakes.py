"""Mistakes of a host, and programs that fail in every way: told in one line, never a traceback."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh.adapters.code import execute, running
from keysh.adapters.plugins import load

MANIFEST = """
[tool]
name = "t"
version = "1"
description = "d"
[exec]
binary = "main.py"
"""
HALF_A_PAIR = """print('{"success": true, "output": "\\\\ud800"}')"""
EXITED = " exited with exit status: 1; stderr: "
ANSWER = """print('{"success": true, "output": "ok"}')"""


def plugin_folder(folder: Path, body: str, first_line: str = f"#!{sys.executable} -S") -> Path:
    """Return a folder with a plugin in Python."""
    plugin = folder / "plugins" / "t"
    plugin.mkdir(parents=True)
    (plugin / "tool.toml").write_text(MANIFEST)
    program = plugin / "main.py"
    program.write_text(f"{first_line}\n{body}\n")
    program.chmod(0o755)
    return plugin.parent


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("import missing_module", f"{EXITED}ModuleNotFoundError: No module named 'missing_module'"),
        ("raise RuntimeError('lost /home/amy/x')", f"{EXITED}RuntimeError: lost …"),
        ("raise SystemExit('bye')", f"{EXITED}bye"),
        ("raise SystemExit(0)", ": empty stdout"),
        ("raise KeyboardInterrupt", " exited with signal: 2 (SIGINT); stderr: KeyboardInterrupt"),
        ("class B(BaseException): pass\nraise B('x')", f"{EXITED}B: x"),
        ("raise ExceptionGroup('many', [ValueError('x')])", EXITED),
        ("import sys; sys.stderr.write('w' * 9999); raise ValueError", EXITED + "w" * 512),
        ("def f(n):\n    f(n + 1)\nf(0)", f"{EXITED}RecursionError: maximum"),
        ("def f(:", EXITED),
        (HALF_A_PAIR, ": failed to parse output as ToolResult: \\ud800 is half of a surrogate"),
        ("import os; os.kill(os.getpid(), 9)", " exited with signal: 9 (SIGKILL)"),
        ("import os; os.kill(os.getpid(), 40)", " exited with signal: 40 (SIGRTMIN+6)"),
    ],
)  # fmt: skip
def test_a_plugin_that_fails_is_told_in_one_line(tmp_path: Path, body: str, message: str) -> None:
    with load(plugin_folder(tmp_path, body)) as plugins:
        shell = keysh.Shell(commands=plugins.commands)
        result = shell.run("t")
        assert result.stderr.startswith(f"t: plugin 't'{message}")
        assert (result.code, result.error) == (1, None)
        assert "Traceback" not in result.stderr
        assert str(tmp_path) not in result.stderr
        assert shell.run("echo again").stdout == "again\n"


def test_the_host_gets_all_that_a_plugin_wrote(tmp_path: Path) -> None:
    with load(plugin_folder(tmp_path, "raise RuntimeError('lost')")) as plugins:
        error = plugins["t"].call({}).error
    assert error is not None
    assert "Traceback" in error
    assert str(tmp_path) in error


@pytest.mark.parametrize("first_line", ["#!/none/python", "", "#!" + "x" * 300, "\x7fELF"])
def test_a_plugin_that_does_not_start_names_no_path(tmp_path: Path, first_line: str) -> None:
    with load(plugin_folder(tmp_path, ANSWER, first_line)) as plugins:
        result = keysh.run("t", commands=plugins.commands)
    assert result.stderr.startswith("t: plugin 't' could not be started: …")
    assert str(tmp_path) not in result.stderr


def test_a_plugin_that_prints_on_stderr_answers(tmp_path: Path) -> None:
    body = f"import sys; sys.stderr.write('w' * 200_000)\n{ANSWER}"
    with load(plugin_folder(tmp_path, body)) as plugins:
        result = keysh.run("t", commands=plugins.commands)
    assert (result.stdout, result.stderr, result.code) == ("ok\n", "", 0)


@pytest.mark.parametrize(
    ("option", "value"),
    [("timeout", "x"), ("timeout", -1), ("timeout", float("nan")), ("timeout", True),
     ("exit_timeout", None), ("env", 5), ("env", ["A"])],
)  # fmt: skip
def test_a_wrong_option_of_plugins_is_named(tmp_path: Path, option: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{option} must be"):
        load(plugin_folder(tmp_path, ANSWER), **{option: value})


def test_a_descriptor_is_no_folder_of_plugins() -> None:
    with pytest.raises(TypeError, match="folder must be a path, but is 5"):
        load(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("timeout", ["x", 0, -1, float("nan"), True, None])
def test_a_wrong_timeout_of_code_is_named(timeout: Any) -> None:
    error = execute("python", "1", timeout=timeout).error
    assert error == f"exec: timeout must be seconds above 0, but is {timeout!r} (EINVAL)"


def test_a_timeout_may_be_longer_than_any_clock_counts() -> None:
    assert execute("bash", "echo a", timeout=10**400).stdout == "a\n"
    assert execute("bash", "echo a", timeout=float("inf")).stdout == "a\n"


@pytest.mark.parametrize(
    ("languages", "message"),
    [
        (5, "languages must be a mapping"), ({5: ("a",)}, "a language must be a str"),
        ({"x": 5}, r"languages\['x'\] must be"), ({"x": ()}, r"languages\['x'\] must be"),
        ({"x": "python3"}, r"languages\['x'\] must be"), ({"x": (5,)}, r"languages\['x'\] must be"),
    ],
)  # fmt: skip
def test_wrong_languages_are_named(languages: Any, message: str) -> None:
    for use in (lambda: execute("x", "1", languages=languages), lambda: running(languages)):
        with pytest.raises(TypeError, match=f"^{message}"):
            use()


@pytest.mark.parametrize("language", [["python"], None, 5, {}])
def test_a_language_that_is_no_text_is_unknown(language: Any) -> None:
    error = execute(language, "1").error
    assert error is not None
    assert error.startswith("exec: Unsupported language")


def test_a_descriptor_is_no_directory_of_code() -> None:
    with pytest.raises(TypeError, match="cwd must be a path, but is 0"):
        execute("bash", "pwd", 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cancel must be an open descriptor, but is 'x'"):
        execute("bash", "pwd", cancel="x")  # type: ignore[arg-type]
