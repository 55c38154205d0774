"""Programs on files in memory work on a real copy, whose changes are copied back."""

from __future__ import annotations

from pathlib import Path

import pytest

from external.conftest import Open
from keysh import LocalFS, MemoryFS, OverlayFS, Policy, Shell
from real_tools import needs

SCRIPT = """\
import os
print(open("in.txt").read(), end="")
open("made", "w").write("made\\n")
open("changed", "a").write("more\\n")
os.remove("gone")
os.chmod("mode", 0o4751)
os.makedirs("d/e")
os.symlink("../made", "d/link")
os.remove("kind"); os.mkdir("kind"); open("kind/x", "w").close()
os.mkfifo("fifo")
os.rename("tree", "moved")
"""

FILES = {
    "/p/script.py": SCRIPT, "/p/in.txt": "in\n", "/p/changed": "a\n", "/p/gone": "", "/p/mode": "",
    "/p/kind": "", "/p/tree/a/b": "deep\n", "/other/kept": "kept\n",
}  # fmt: skip


def on_files(shell: Open) -> Shell:
    """A shell with files in memory, which programs see as a copy."""
    return shell(in_memory=True, files=FILES, cwd="/p", external=Policy(materialize=True))


def test_changes_are_copied_back(shell: Open) -> None:
    copying = on_files(shell)
    result = copying.run("/usr/bin/python3 -E script.py")
    assert (result.stdout, result.stderr, result.code) == ("in\n", "", 0)
    text = "cat made changed moved/a/b d/link; stat -c %a mode; ls -A . d kind; cat /other/kept"
    assert copying.run(text).stdout == (
        "made\na\nmore\ndeep\nmade\n751\n"
        ".:\nchanged\nd\nin.txt\nkind\nmade\nmode\nmoved\nscript.py\n\nd:\ne\nlink\n\nkind:\nx\n"
        "kept\n"
    )


def test_unchanged_files_are_not_touched(shell: Open) -> None:
    copying = on_files(shell)
    text = "stat -c '%n %y %i' /p /p/* /other"
    before = copying.run(text).stdout
    copying.run("/bin/cat in.txt; /bin/true")
    assert copying.run(text).stdout == before


def test_changes_are_copied_back_after_a_timeout(shell: Open) -> None:
    copying = on_files(shell)
    result = copying.run("/bin/sh -c 'echo late > late; exec sleep 60'", timeout=1)
    assert result.code == 124
    assert copying.run("cat late").stdout == "late\n"


def test_processes_left_running_are_ended(shell: Open) -> None:
    copying = on_files(shell)
    copying.run("/bin/sh -c 'setsid sleep 60 >/dev/null 2>&1 & echo a > f'")
    assert copying.run("cat f").stdout == "a\n"


@needs("git", "make")
def test_git_and_make(shell: Open) -> None:
    copying = on_files(shell)
    copying.run("printf 'out: in.txt\\n\\tcp in.txt out\\n' > Makefile")
    assert copying.run("make").stdout == "cp in.txt out\n"
    assert copying.run("make; cat out").stdout == "make: 'out' is up to date.\nin\n"
    git = "git -c user.name=a -c user.email=b -c init.defaultBranch=main"
    result = copying.run(
        f"git init -q . && {git} add -A && {git} commit -q -m first; git status -s"
    )
    assert (result.stdout, result.stderr) == ("", "")
    assert copying.run("git log --format=%s").stdout == "first\n"


def test_program_inside_the_mount(shell: Open) -> None:
    copying = on_files(shell)
    text = "printf '#!/bin/sh\\ncat in.txt\\n' > s; chmod +x s; ./s; /p/s; cd /other; ../p/s; /p/s"
    result = copying.run(text)
    assert result.stdout == "in\nin\n"
    assert result.stderr.count("in.txt: No such file") == 2


def test_pipeline_stages_have_separate_copies(shell: Open) -> None:
    copying = on_files(shell)
    copying.run("/bin/sh -c 'echo a; echo 1 > one' | /bin/sh -c 'cat > two'")
    assert copying.run("cat one two").stdout == "1\na\n"


def test_oversized_mount_is_refused(shell: Open) -> None:
    files = {"/f": "x" * 2000}
    sh = shell(in_memory=True, files=files, external=Policy(materialize=1000))
    result = sh.run("/bin/true")
    assert result.code == 125
    assert "its file system cannot be copied: it has more than 1000 bytes" in result.stderr


def test_failed_copy_back_leaves_the_mount_unchanged(shell: Open) -> None:
    sh = shell(
        fs=MemoryFS({"/a": "old\n"}, max_bytes=10_000), cwd="/", external=Policy(materialize=True)
    )
    result = sh.run("/bin/sh -c 'echo new > a; head -c 20000 /dev/zero > big'")
    assert result.code == 125
    assert "its changes could not be copied back: No space left on device" in result.stderr
    assert sh.run("cat /a; ls -A / | grep -v dev").stdout == "old\na\n"


def test_changes_go_into_an_overlay(shell: Open, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("real\n")
    overlay = OverlayFS(LocalFS(tmp_path))
    sh = shell(fs=overlay, cwd="/", external=Policy(materialize=True))
    assert sh.run("/bin/sh -c 'echo changed > f; rm -f g'; cat f").stdout == "changed\n"
    assert (tmp_path / "f").read_text() == "real\n"


BUSY = "echo new > a; mkdir -p d/e; ln -s x l; echo f > d/e/f; rm b; mv c moved; mkdir c"


@pytest.mark.parametrize("most", range(4, 14))
def test_copying_back_is_all_or_nothing(shell: Open, most: int) -> None:
    """The missing space may be that of a directory or a link."""
    files: dict[str, str | bytes] = {"/a": "old\n", "/b": "b\n", "/c": "c\n"}
    room = MemoryFS(files, max_files=most)
    sh = shell(fs=room, cwd="/", external=Policy(materialize=True))
    show = "cat /a; find / -path /dev -prune -o -print | sort"
    before = sh.run(show).stdout
    result = sh.run(f"/bin/sh -c '{BUSY}'")
    after = sh.run(show).stdout
    if result.code:
        assert (result.code, after) == (125, before)
        assert "No space left on device" in result.stderr
    else:
        assert after == "new\n" + "".join(
            f"{path}\n" for path in ("/", "/a", "/c", "/d", "/d/e", "/d/e/f", "/l", "/moved")
        )
    # The three existing files, and seven staged next to them.
    assert (result.code == 0) == (most >= 10)


def test_links_are_not_followed_when_copying_back(shell: Open, tmp_path: Path) -> None:
    """Neither a link that replaced a directory, nor one that the program has created meanwhile."""
    (tmp_path / "kept").write_text("kept\n")
    files = {"/d/kept": "mine\n", "/d/e/f": "f\n"}
    sh = shell(in_memory=True, files=files, external=Policy(materialize=True))
    text = f"rm -r d; ln -s {tmp_path} d; ln -s {tmp_path}/kept link; ln -s ../../etc up"
    assert sh.run(f"/bin/sh -c '{text}'").code == 0
    result = sh.run("readlink d link up; cat d/kept")
    assert result.stdout == f"{tmp_path}\n{tmp_path}/kept\n../../etc\n"
    assert result.code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept").read_text() == "kept\n"


def test_special_files_and_set_id_bits_are_not_copied_back(shell: Open) -> None:
    sh = shell(in_memory=True, files={"/f": "f"}, external=Policy(materialize=True))
    text = "mkfifo p; chmod 6755 f; mkdir d; chmod 3777 d; cp f g; chmod 2644 g"
    assert sh.run(f"/bin/sh -c '{text}'").code == 0
    assert sh.run("ls; stat -c '%n %a' f d g").stdout == "d\ndev\nf\ng\ntmp\nf 755\nd 1777\ng 644\n"


def test_changes_of_a_killed_program_are_copied_back(shell: Open) -> None:
    sh = shell(in_memory=True, files={"/f": ""}, external=Policy(materialize=True))
    result = sh.run("timeout 0.2 /bin/sh -c 'echo a > f; setsid sleep 60 & sleep 60'; echo $?")
    assert result.stdout == "124\n"
    assert sh.run("cat f").stdout == "a\n"
