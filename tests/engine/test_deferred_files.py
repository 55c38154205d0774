"""Files that a host provides by a function, called once, when the first file is needed."""

from __future__ import annotations

import pytest

from keysh.shell.shell import Shell
from keysh.vfs.api import FileSystem
from keysh.vfs.memory.filesystem import MemoryFS

pytestmark = pytest.mark.quick


class Giving:
    """A function of the host that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> FileSystem:
        self.calls += 1
        return MemoryFS({"/a": "x\n"})


@pytest.mark.parametrize("text", ["echo hi", "x=1; echo $x", "f() { :; }; f; cd .", "true | :"])
def test_script_without_files_loads_none(text: str) -> None:
    giving = Giving()
    with Shell(giving) as shell:
        assert shell.run(text).ok
    assert giving.calls == ("cd" in text)


@pytest.mark.parametrize("text", ["cat /a", "cat < /a", "cat /a & wait", "echo $(cat /a)"])
def test_first_file_access_loads_them(text: str) -> None:
    giving = Giving()
    with Shell(giving) as shell:
        assert shell.run(text).stdout == "x\n"
        assert shell.run(text).stdout == "x\n"
        assert shell.fs.stat("/a").size == 2
    assert giving.calls == 1


def test_concurrent_jobs_share_the_loaded_files() -> None:
    giving = Giving()
    with Shell(giving) as shell:
        result = shell.run("for i in 1 2 3 4; do echo $i > /$i & done; wait; cat /1 /2 /3 /4 /a")
        assert result.stdout == "1\n2\n3\n4\nx\n"
    assert giving.calls == 1


def test_mounts_given_as_a_function() -> None:
    with Shell(lambda: {"/m": MemoryFS({"/a": "x\n"})}) as shell:
        assert shell.run("cat /m/a; echo y > /b; cat /b").stdout == "x\ny\n"
