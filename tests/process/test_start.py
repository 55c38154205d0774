"""Which file is started, where, and with which environment; and errors of starting."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import tempfile
from pathlib import Path

import pytest

from keysh.process import OPEN, PRIVATE, STREAM, NotStarted, Policy, ProcessSpec, run, start
from process.conftest import Make


def script(path: Path, text: str = "#!/bin/sh\necho $0\n", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def failure(spec: ProcessSpec) -> NotStarted:
    result = run(spec)
    assert result.error is not None
    assert result.code == result.error.status
    assert result.issue == result.error.code
    return result.error


def test_path_is_searched_in_order(make: Make, tmp_path: Path) -> None:
    script(tmp_path / "1" / "tool", mode=0o644)
    (tmp_path / "2" / "tool").mkdir(parents=True)
    actual = script(tmp_path / "3" / "tool")
    script(tmp_path / "4" / "tool")
    path = ":".join(["", *(str(tmp_path / name) for name in ("0", "1", "2", "3", "4")), ""])
    result = run(make("tool", env={"PATH": path}))
    assert (result.stdout.decode().strip(), result.path) == (str(actual), str(actual))


def test_explicit_path_precedes_the_environment(make: Make, tmp_path: Path) -> None:
    actual = script(tmp_path / "echo")
    assert run(make("echo", path=str(tmp_path))).path == str(actual)


@pytest.mark.parametrize("limits", [{}, {"max_open_files": 50}])
def test_resolved_file(make: Make, tmp_path: Path, limits: dict[str, int]) -> None:
    actual = script(tmp_path / "tool")
    result = run(make("name", file=str(actual), **limits))
    assert (result.stdout.decode().strip(), result.path) == (str(actual), str(actual))
    actual.chmod(0o644)
    error = failure(make("name", file=str(actual), **limits))
    assert (error.kind, error.code, error.tried) == ("not_executable", "EACCES", (str(actual),))
    actual.unlink()
    error = failure(make("name", file=str(actual), **limits))
    assert (error.kind, error.subject, error.reason) == (
        "not_found", "name", "No such file or directory",
    )  # fmt: skip
    actual.mkdir()
    assert failure(make("name", file=str(actual), **limits)).code == "EISDIR"
    script(tmp_path / "other", "#!/no/such\n")
    error = failure(make("./other", file="./other", directory=str(tmp_path)))
    assert error.reason == "its interpreter was not found"


def test_resolved_file_is_judged(make: Make, tmp_path: Path) -> None:
    spec = make("true", file=str(script(tmp_path / "tool")), policy=Policy(deny=["true"]))
    assert failure(spec).reason == f"{os.path.realpath('/bin/true')} is denied"


def test_empty_path_entry_is_not_the_current_directory(make: Make, tmp_path: Path) -> None:
    script(tmp_path / "tool")
    spec = make("tool", path=":/nowhere:", directory=str(tmp_path))
    assert failure(spec).tried == ("/nowhere/tool",)


def test_path_of_the_host_is_not_searched() -> None:
    assert run(ProcessSpec(["true"])).code == 127


def test_relative_names_start_from_the_working_directory(make: Make, tmp_path: Path) -> None:
    script(tmp_path / "bin" / "tool")
    for name, path in (("./bin/tool", ""), ("tool", "bin")):
        spec = make(name, path=path, directory=str(tmp_path))
        assert run(spec).stdout.endswith(b"bin/tool\n")
    held = os.open(tmp_path, os.O_PATH)
    try:
        assert run(make("./bin/tool", directory=held)).code == 0
    finally:
        os.close(held)


FAULTS = {
    "no-such-tool": (127, "not_found", "ENOENT", "No such file or directory"),
    "/no/such/tool": (127, "not_found", "ENOENT", "No such file or directory"),
    "": (127, "not_found", "ENOENT", "No such file or directory"),
    "/": (126, "not_executable", "EISDIR", "Is a directory"),
    "/etc/passwd": (126, "not_executable", "EACCES", "Permission denied"),
    "/etc/passwd/x": (126, "not_executable", "ENOTDIR", "Not a directory"),
    "a\0b": (126, "arguments", "EINVAL", "holds a NUL character"),
    "\ud800": (126, "arguments", "EILSEQ", "holds a character without bytes"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_files_that_cannot_be_executed(make: Make, name: str) -> None:
    error = failure(make(name))
    assert (error.status, error.kind, error.code, error.reason) == FAULTS[name]
    with pytest.raises(NotStarted):
        start(make(name))


def test_nul_in_an_argument(make: Make) -> None:
    assert str(failure(make("echo", "a\0b"))) == "a\\0b: holds a NUL character"


def test_empty_argument_list(make: Make) -> None:
    assert failure(make()).kind == "arguments"


def test_non_text_argument(make: Make) -> None:
    assert failure(make("echo", 3)).reason == "an argument must be a string"  # type: ignore[arg-type]


def test_arguments_given_as_one_string() -> None:
    assert failure(ProcessSpec("ls -l")).reason == "must be a list of arguments"


def test_argument_list_too_long(make: Make) -> None:
    assert failure(make("true", "x" * (1 << 20))).code == "E2BIG"


def test_missing_interpreter(make: Make, tmp_path: Path) -> None:
    tool = script(tmp_path / "tool", "#!/no/such/interpreter\n")
    error = failure(make(str(tool)))
    assert (error.status, error.reason) == (127, "its interpreter was not found")


def test_file_of_unknown_format(make: Make, tmp_path: Path) -> None:
    error = failure(make(str(script(tmp_path / "tool", "echo hi\n"))))
    assert (error.status, error.code) == (126, "ENOEXEC")


def test_directory(make: Make, tmp_path: Path) -> None:
    assert run(make("pwd", directory=str(tmp_path))).stdout.decode().strip() == str(tmp_path)


def test_directory_by_descriptor_follows_renaming(make: Make, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    held = os.open(tmp_path / "old", os.O_PATH | os.O_DIRECTORY)
    try:
        (tmp_path / "old").rename(tmp_path / "new")
        result = run(make("pwd", "-P", directory=held))
        assert result.stdout.decode().strip() == str(tmp_path / "new")
        (tmp_path / "new").rmdir()
        assert failure(make("pwd", directory=held)).code == "ENOENT"
    finally:
        os.close(held)
    assert failure(make("pwd", directory=held)).code == "EBADF"


def test_unsearchable_directory_of_the_host(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run as a process that cannot be dumped, so that a child sees only itself in /proc."""
    popen = subprocess.Popen
    tried = []

    def guarded(*arguments: object, cwd: str, **options: object) -> object:
        tried.append(cwd)
        if not cwd.startswith("/proc/self/"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), cwd)
        return popen(*arguments, cwd=cwd, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", guarded)
    held = os.open(tmp_path, os.O_PATH)
    try:
        result = run(make("pwd", "-P", directory=held))
        failed = failure(make("pwd", directory="/usr"))
    finally:
        os.close(held)
    assert result.stdout.decode().strip() == str(tmp_path)
    assert tried == [f"/proc/{os.getpid()}/fd/{held}", f"/proc/self/fd/{held}", "/usr"]
    assert (failed.kind, failed.code, failed.subject) == ("directory", "EACCES", "/usr")


@pytest.mark.parametrize(
    ("name", "code"), [("/no/such", "ENOENT"), ("/etc/passwd", "ENOTDIR"), ("/\0", "ENOENT")]
)
def test_invalid_directory(make: Make, name: str, code: str) -> None:
    error = failure(make("pwd", directory=name))
    assert (error.kind, error.code, error.subject) == ("directory", code, name)


def test_directory_removed_while_the_process_runs(make: Make, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    spec = make("sh", "-c", "echo ready; read x; ls; echo $?", directory=str(place),
                stdin=OPEN, stdout=STREAM)  # fmt: skip
    with start(spec) as process:
        output = process.output()
        assert next(output) == b"ready\n"
        place.rmdir()
        process.send(b"\n")
        assert b"".join(output) == b"0\n"


def test_private_directory(make: Make) -> None:
    result = run(make("sh", "-c", "pwd; ls -A; mkdir -p a/b; echo >a/b/c; ln -s / l",
                      directory=PRIVATE))  # fmt: skip
    (place,) = result.stdout.decode().split()
    assert not Path(place).exists()


def test_private_directory_is_removed_when_the_start_fails(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = script(tmp_path / "tool", "no format\n")
    places = tmp_path / "places"
    places.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(places))
    assert run(make("pwd", directory=PRIVATE)).stdout.startswith(str(places).encode())
    failure(make(str(tool), directory=PRIVATE))
    failure(make("no-such-tool", directory=PRIVATE))
    assert list(places.iterdir()) == []


def test_environment_is_exactly_as_specified(make: Make) -> None:
    result = run(ProcessSpec(["/usr/bin/env"], env={"A": "ä\udcff", "B": ""}))
    assert result.stdout == b"A=\xc3\xa4\xff\nB=\n"


@pytest.mark.parametrize(
    ("name", "value"), [("", "x"), ("a=b", "x"), ("a\0", "x"), ("a", "x\0"), ("a", 3), ("a", None)]
)
def test_impossible_environment(make: Make, name: str, value: object) -> None:
    assert failure(make("true", env={name: value})).kind == "environment"


def test_no_free_descriptor(make: Make) -> None:
    """With few free descriptors, the process starts or an error is reported; nothing leaks."""
    run(make("true"))  # lazily opened descriptors are open now
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    vacant = [number for number in range(soft) if not os.path.lexists(f"/proc/self/fd/{number}")]
    results = []
    try:
        for limit in vacant[:16]:  # of numbers: so many below it as there were rounds are vacant
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
            results.append(run(make("echo", "hi", stdin=b"x" * 5000)))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    codes = [result.issue for result in results]
    assert set(codes) == {"EMFILE", ""}
    assert codes == sorted(codes, reverse=True)
    assert all(result.stdout == b"hi\n" for result in results if result.code == 0)
    assert results[0].code == 125


@pytest.mark.parametrize("number", [errno.ENOMEM, errno.EAGAIN])
def test_process_table_is_full(make: Make, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(subprocess, "Popen", fail)
    error = failure(make("true", directory=PRIVATE))
    assert (error.kind, error.status) == ("resources", 125)
    assert error.code == errno.errorcode[number]
