"""chown and chgrp against GNU's, as root or not: both are refused what the kernel refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.command_runner import run_in_copies, run_keysh
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.router import Router

CALLS = [
    "chown -v nobody f", "chown -v 5:6 f", "chown -v :6 f", "chown -v 0:0 f", "chown -v : f",
    "chown -c -R 5:6 d", "chown -v 0 nosuch", "chown 0 dang", "chown -h 9 dang", "chown -v 9 l",
    "chown -vh 9 l", "chown --reference=d f -v", "chown --reference=nosuch f", "chown bad f",
    "chown 0:bad f", "chown bad:bad f", "chown -v +0:+0 f", "chown -R --dereference 0 d",
    "chown --from=0:0 -v 3 f", "chown --from=4 -v 3 f", "chown -f bad f", "chown -f 0 nosuch",
    "chown 7777: f", "chown 99999999999 f", "chown 1:2:3 f", "chown -R -v 9 l", "chown -RL -v 9 d",
    "chown -RH -v 9 l", "chown -RP -v 9 l", "chown -v nobody: f", "chown -cv 3 f l", "chown",
    "chown x",
    "chgrp -v 6 f", "chgrp -v 0 f", "chgrp bad f", "chgrp -c 6 f d", "chgrp", "chgrp x",
    "chgrp --reference=d f -v", "chgrp -Rv 9 d", "chgrp -hv 9 l", "chgrp -f 9 nosuch",
]  # fmt: skip


def fill(place: Path) -> None:
    (place / "f").write_text("")
    (place / "d" / "e").mkdir(parents=True)
    (place / "d" / "e" / "g").write_text("")
    (place / "l").symlink_to("f")
    (place / "dang").symlink_to("none")


@pytest.mark.parametrize("call", CALLS)
def test_it_answers_as_gnu_does(tmp_path: Path, call: str) -> None:
    name, *words = call.split()
    answer, real = run_in_copies(tmp_path, name, words, fill)
    assert answer == real
    for path in ("f", "d", "d/e", "d/e/g", "l", "dang"):
        here, there = ((tmp_path / side / path).lstat() for side in ("here", "there"))
        assert (here.st_uid, here.st_gid) == (there.st_uid, there.st_gid), path


def test_an_owner_of_the_shell_is_its_user() -> None:
    env = {"USER": "amy"}
    assert run_keysh("chown", "amy:amy", "f", files={"/f": ""}, env=env).status == 0
    refused = run_keysh("chown", "-R", "root", "/", files={"/d/f": ""}, env=env)
    assert refused.err.count("Operation not permitted") == 3


def test_a_read_only_file_keeps_its_owner() -> None:
    fs = ReadOnlyFS(MemoryFS({"/f": ""}))
    with pytest.raises(OSError, match="Read-only file system"):
        Router(fs).set_owner("/f", 1, 1)
