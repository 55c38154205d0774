"""What a host gets wrong is told where it is: as an exception that names it."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import pytest

import keysh

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("fs", "place"), [("/tmp", "/"), ({"/work": "/tmp"}, "/work"), (b"/tmp", "/"), (7, "/")]
)
def test_what_is_mounted_must_be_a_file_system(fs: object, place: str) -> None:
    shell = keysh.Shell(fs=fs)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=f"mounted at {place} must be a FileSystem, but is "):
        shell.run("ls")


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({"E999": "warning"}, "'E999', which is no code"),
        ({"e301": "warning"}, "'e301', which is no code"),
        ({"E301": "quiet"}, "E301 one of error, warn, warning, off, but has 'quiet'"),
    ],
)
def test_severities_are_of_codes_that_there_are(check: Mapping[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        keysh.Shell(check=check)


def test_severity_is_heeded() -> None:
    assert keysh.run("frobnicate", check={"E301": "off"}).stderr.startswith("keysh: frobnicate")


def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.delitem(sys.modules, "keysh.vfs.fsspec", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'keysh\[fsspec\]'"):
        __import__("keysh.vfs.fsspec")


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
def test_what_a_command_returns_is_a_value_or_a_status(name: str, code: int, out: bytes) -> None:
    result = keysh.run(f"give '{name}'", commands=[give])
    assert (result.code, result.stdout_bytes, result.stderr) == (code, out, "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("set", "TypeError: a value must be JSON, but is of the type set"),
        ("object", "TypeError: a value must be JSON, but is of the type type"),
        ("too much", "ValueError: a status must be 0 to 255, but is 256"),
        ("too little", "ValueError: a status must be 0 to 255, but is -1"),
    ],
)
def test_what_is_neither_is_an_error_of_the_command(name: str, message: str) -> None:
    result = keysh.run(f"give '{name}'", commands=[give])
    assert (result.code, result.stdout, result.stderr) == (1, "", f"give: {message}\n")
    assert isinstance(result.error, (TypeError, ValueError))


def test_a_variable_that_holds_itself_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(ValueError, match="holds itself"):
        keysh.Shell().vars["x"] = value
    with pytest.raises(TypeError, match="must be JSON, but is of the type set"):
        keysh.Shell().vars["x"] = {1}
