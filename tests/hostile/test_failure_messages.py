"""No failure of a command tells a script of the host: no path, name, number or exception."""

from __future__ import annotations

import getpass
import json
import os
import re
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import keysh
from hostile.failures import ADDRESS, LONG_CHARACTERS, failing_lines, file_systems
from hostile.harness import PYTHON_ERROR
from hostile.sweep import command_names
from keysh.shell.command_listing import command_named

PACKAGE = Path(keysh.__file__).parent
# Some calls do not fail, and print for ever.
LIMITS = keysh.Limits(seconds=0.2, output=100_000)
# Names that scripts see on every machine.
PUBLIC_NAMES = {"root", "user", "nobody", "localhost", "keysh"}


@pytest.fixture(scope="module")
def secrets() -> re.Pattern[str]:
    """What belongs to the host alone."""
    names = {getpass.getuser(), socket.gethostname()} - PUBLIC_NAMES
    words = [rf"\b{re.escape(name)}\b" for name in [*names, str(os.getpid())]]
    parts = [str(PACKAGE), "of-the-host", ADDRESS, r"0x[0-9a-f]{9,}", "Errno"]
    return re.compile("|".join([*words, *parts, PYTHON_ERROR.pattern]))


@pytest.fixture
def mounts() -> Iterator[dict[str, keysh.FileSystem]]:
    with tempfile.TemporaryDirectory(prefix="of-the-host-") as folder:
        yield file_systems(Path(folder))


def all_texts(shell: keysh.Shell, line: str) -> str:
    """Return all that a run and the program's JSON say of a line."""
    result = shell.run(line)
    parts = (
        result.stdout, result.stderr, repr(result.error), repr(result),
        json.dumps(result.record()), *map(str, result.diagnostics),
    )  # fmt: skip
    return "\n".join(parts)


@pytest.mark.parametrize("name", command_names())
def test_no_failure_tells_of_the_host(
    name: str, mounts: dict[str, keysh.FileSystem], secrets: re.Pattern[str]
) -> None:
    told = []
    env = {"LONG": "a" * LONG_CHARACTERS}
    for line in failing_lines(command_named(name)):
        with keysh.Shell(fs=mounts, env=env, limits=LIMITS) as shell:
            texts = all_texts(shell, line)
        if found := secrets.search(texts.replace(line, "")):
            at = found.start()
            told.append(f"{line[:200]}\n    {texts[max(0, at - 150) : at + 150]!r}")
    if told:
        pytest.fail("\n".join(told), pytrace=False)


def test_each_way_to_fail_is_tried() -> None:
    lines = list(failing_lines(command_named("head")))
    assert "head --no-such-option" in lines
    assert "head -n none < /short" in lines
    assert "head /work/way/secret < /short" in lines


def test_what_is_told_would_be_found(
    mounts: dict[str, keysh.FileSystem], secrets: re.Pattern[str]
) -> None:
    def tell(sh: keysh.Call) -> None:
        """Fail as a command would that shows a host's error."""
        with pytest.raises(OSError, match="disk") as caught:
            mounts["/broken"].open("/f")
        raise sh.fail(str(caught.value))

    with keysh.Shell(fs=mounts, commands=[tell]) as shell:
        assert secrets.search(all_texts(shell, "tell"))
