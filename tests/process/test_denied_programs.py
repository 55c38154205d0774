"""A deny list sees through links, copies and programs that run others."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from keysh import LocalFS, Policy, Shell
from keysh.process import run
from keysh.process.allowance import denied_programs
from process.conftest import PATH, Make
from process.test_policy import reason

ENV = shutil.which("env", path=PATH) or ""


@pytest.fixture
def policy() -> Policy:
    return Policy(deny=["env"], path=PATH)


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """Return a directory with a copy, a hard link of it, a link and a script of `env`."""
    shutil.copy(ENV, tmp_path / "copy")
    os.link(tmp_path / "copy", tmp_path / "hard")
    (tmp_path / "link").symlink_to(ENV)
    (tmp_path / "script").write_text(f"#!{ENV} sh\n")
    (tmp_path / "script").chmod(0o755)
    (tmp_path / "harmless").write_bytes(Path(ENV).read_bytes()[:-1] + b"x")
    (tmp_path / "harmless").chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("name", ["copy", "hard", "link", "script"])
def test_copy_or_link_is_denied(make: Make, policy: Policy, copies: Path, name: str) -> None:
    assert "is denied" in reason(make(str(copies / name), policy=policy))


def test_other_file_of_the_same_size_runs(make: Make, policy: Policy, copies: Path) -> None:
    assert reason(make(str(copies / "harmless"), policy=policy)) == ""


def test_file_that_changes_is_judged_again(make: Make, policy: Policy, copies: Path) -> None:
    harmless = copies / "harmless"
    assert reason(make(str(harmless), policy=policy)) == ""
    before = harmless.stat()
    harmless.write_bytes(Path(ENV).read_bytes())
    os.utime(harmless, ns=(before.st_atime_ns, before.st_mtime_ns))
    while harmless.stat().st_ctime_ns == before.st_ctime_ns:  # within one tick of the clock
        os.utime(harmless, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "is denied" in reason(make(str(harmless), policy=policy))


def test_file_that_cannot_be_read_is_no_copy(
    make: Make, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(denied_programs, "digest_of", lambda _: b"")
    assert reason(make(str(copies / "harmless"), policy=Policy(deny=["env"], path=PATH))) == ""


def test_few_digests_are_kept(
    make: Make, policy: Policy, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(denied_programs, "MAX_CACHED_DIGESTS", 3)
    for number in range(5):
        shutil.copy(copies / "harmless", copies / f"harmless{number}")
        assert reason(make(str(copies / f"harmless{number}"), policy=policy)) == ""
        assert "is denied" in reason(make(str(copies / "copy"), policy=policy))
    assert len(policy._deny._digests) <= 3


@pytest.mark.parametrize(
    "words",
    [
        ("nice", "env"),
        ("nice", "-n", "5", "{}/copy"),
        ("sh", "-c", "env"),
        ("sh", "-c", "true;env"),
        ("sh", "-c", "x=$(env)"),
        ("bash", "-c", "exec {}/hard"),
        ("timeout", "5", "nohup", "env"),
        ("xargs", "./link"),
        ("find", ".", "-exec", "env", ";"),
        ("bash", "-c", "sh -c 'nice -n 1 env'"),
    ],
)
def test_program_that_would_run_it_is_denied(
    make: Make, policy: Policy, copies: Path, words: tuple[str, ...]
) -> None:
    words = tuple(word.format(copies) for word in words)
    assert "which is denied" in reason(make(*words, policy=policy, directory=str(copies)))


@pytest.mark.parametrize(
    "words", [("nice", "true"), ("sh", "-c", "echo environment"), ("cat", "env"), ("echo", "env")]
)
def test_other_programs_run(make: Make, policy: Policy, words: tuple[str, ...]) -> None:
    assert reason(make(*words, policy=policy)) == ""


def test_more_words_than_are_examined_are_refused(make: Make, policy: Policy) -> None:
    words = [":"] * (denied_programs.MAX_EXAMINED_WORDS + 1)
    assert "too many to look for what is denied" in reason(make("sh", *words, policy=policy))


def test_program_of_many_names_is_judged_by_the_name(make: Make, tmp_path: Path) -> None:
    busybox = tmp_path / "busybox"
    busybox.write_text('#!/bin/sh\necho "$@"\n')
    busybox.chmod(0o755)
    policy = Policy(deny=["env"], path=PATH)
    assert "which is denied" in reason(make(str(busybox), "env", policy=policy))
    assert "which is denied" in reason(make(str(busybox), "nice", "env", policy=policy))
    assert run(make(str(busybox), "ls", policy=policy)).stdout == b"ls\n"


def test_kernel_denies_what_no_argument_shows(tmp_path: Path) -> None:
    script = "e=en; v=v; $e$v; cat /usr/bin/$e$v > copy; chmod +x copy; ./copy"
    ran = []
    for confine in ("off", "auto"):
        policy = Policy(deny=["env"], path=PATH, confine=confine)
        shell = Shell({"/": LocalFS(tmp_path)}, env={"PATH": PATH, "SEEN": "1"}, external=policy)
        result = shell.run(f"/bin/sh -c '{script}'")
        ran.append("SEEN=1" in result.stdout)
    assert ran == [True, False]
