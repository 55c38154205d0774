"""Descriptors of programs lead directly to real files, and by pipes to everything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from external.conftest import PATH, Open
from keysh import MemoryFS


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("/bin/echo a > f; cat f", "a\n"),
        ("/bin/echo a > /m; cat /m", "a\n"),
        ("/bin/echo a > f; /bin/echo b >> f; /bin/cat < f", "a\nb\n"),
        ("/bin/echo a > /m; /bin/echo b >> /m; /bin/cat < /m", "a\nb\n"),
        ("/bin/sh -c 'echo a; echo b >&2' > f 2>&1; cat f", "a\nb\n"),
        ("/bin/sh -c 'echo a; echo b >&2' > /m 2>&1; cat /m", "a\nb\n"),
        ("/bin/sh -c 'echo b >&2' 2> f; cat f", "b\n"),
        ("/bin/cat <<< a", "a\n"),
        ("/bin/cat << E\na\nE", "a\n"),
        ("/bin/cat /dev/fd/3 3<<< a", "a\n"),
        ("/bin/sh -c 'cat <&4' 4<<< a", "a\n"),
        ("exec 3> f; /bin/sh -c 'echo a >&3'; exec 3>&-; cat f", "a\n"),
        ("exec 3> /m; /bin/sh -c 'echo a >&3'; exec 3>&-; cat /m", "a\n"),
        ("/bin/cat <(echo a) <(/bin/echo b)", "a\nb\n"),
        ("/usr/bin/diff <(seq 2) <(/usr/bin/seq 3)", "2a3\n> 3\n"),
        ("echo a | /usr/bin/tee >(tr a b) >/dev/null", "b\n"),
        ("/bin/echo a > >(/usr/bin/tr a b)", "b\n"),
        ("/usr/bin/head -n 1 <(yes)", "y\n"),
        ("/usr/bin/head -n 1 <(/usr/bin/yes)", "y\n"),
        ("cat <(/bin/cat <(echo a)) | cat", "a\n"),
        ("/bin/cat", ""),
    ],
)
def test_descriptors(shell: Open, text: str, output: str) -> None:
    result = shell().run(text)
    assert (result.stdout, result.stderr) == (output, "")


FULL, BAD = "No space left on device", "Bad file descriptor"


@pytest.mark.parametrize(
    ("text", "output", "errors"),
    [
        ("/bin/echo a >/dev/full; echo $?", "1\n", f"/bin/echo: write error: {FULL}\n"),
        ("/bin/yes >/m; echo $?", "1\n", f"/bin/yes: write error: {FULL}\n"),
        ("/bin/yes >/m | cat; echo ${PIPESTATUS[@]}", "1 0\n", f"/bin/yes: write error: {FULL}\n"),
        ("/bin/echo a >/dev/full & wait $!; echo $?", "1\n", f"/bin/echo: write error: {FULL}\n"),
        ("exec 3>&1 >/dev/full; /bin/echo a || echo $? >&3", "1\n",
         f"/bin/echo: write error: {FULL}\n"),
        ("/bin/echo a >&-; echo $?", "1\n", f"/bin/echo: write error: {BAD}\n"),
        ("/bin/cat nofile 2>/dev/full; echo $?; /bin/cat nofile 2>&-; echo $?", "1\n1\n", ""),
        ("/bin/true <&-; echo $?; /usr/bin/head -c1 <&-; echo $?", "0\n1\n",
         f"/usr/bin/head: error reading 'standard input': {BAD}\n"),
        ("/usr/bin/head </d; echo $?", "1\n",
         "/usr/bin/head: error reading 'standard input': Is a directory\n"),
    ],
)  # fmt: skip
def test_unwritable_and_unreadable_files(shell: Open, text: str, output: str, errors: str) -> None:
    """Only the command fails, and the script continues."""
    memory = MemoryFS({"/d/f": ""}, max_bytes=100)
    result = shell(True, env={"PATH": PATH, "LC_ALL": "C"}, fs=memory).run(text)
    assert (result.stdout, result.stderr) == (output, errors)


def test_program_continues_reading_where_the_shell_stopped(shell: Open, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("1\né\n3\n4\n")
    text = "{ read x; /usr/bin/head -n 1; read y; /bin/cat; echo $x $y; } < f"
    assert shell().run(text).stdout == "é\n4\n1 3\n"


def test_real_file_is_passed_directly(shell: Open, tmp_path: Path) -> None:
    text = "/bin/sh -c 'readlink /proc/self/fd/0 /proc/self/fd/1' < /work/in > /work/out"
    (tmp_path / "in").write_text("")
    shell().run(text)
    assert (tmp_path / "out").read_text() == f"{tmp_path}/in\n{tmp_path}/out\n"


def test_no_other_descriptor_is_inherited(shell: Open) -> None:
    text = "exec 7> f; /bin/ls /proc/self/fd | cat; exec 7>&-"
    assert shell().run(text).stdout.split() == ["0", "1", "2", "3", "7"]
