"""patch: files changed by diffs, against the real tool."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import on_disk, run_gnu, run_in_copies, run_keysh
from commands.comparison import assert_agreement
from commands.directory_tree import tree
from keysh.vfs.memory.filesystem import MemoryFS

OLD = "".join(f"{i}\n" for i in range(1, 21))
NEW = OLD.replace("10\n", "ten\n")
PATCH = b"""--- x
+++ x
@@ -7,7 +7,7 @@
 7
 8
 9
-10
+ten
 11
 12
 13
"""
NORMAL = b"10c10\n< 10\n---\n> ten\n"
MAKING = b"--- /dev/null\n+++ fresh\n@@ -0,0 +1,2 @@\n+one\n+two\n"
EPOCH = b"--- a\t1970-01-01 00:00:00 +0000\n+++ a\n@@ -0,0 +1 @@\n+1\n"
TAKING = b"--- gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-all\n"
FILES = {
    "x": OLD.encode(), "moved": f"0\n{OLD}".encode(), "done": NEW.encode(), "p": PATCH,
    "fuzzy": OLD.replace("7\n", "seven\n", 1).encode(), "bad": OLD.replace("10\n", "-\n").encode(),
    "n": NORMAL, "make": MAKING, "take": TAKING, "gone": b"all\n",
    "torn": b"--- x\n+++ x\n@@ -19,2 +19,2 @@\n 19\n-20\n+twenty\n\\ No newline at end of file\n",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "", "-p0", "moved", "done", "-N done", "-R done", "-R x", "fuzzy", "-F0 fuzzy", "bad",
        "-b x", "--no-backup-if-mismatch moved", "-o out x", "-o - x", "-r rej bad", "--dry-run x",
        "--dry-run bad", "-s x", "-s bad", "-i p x", "x p", "x n", "-i make", "-R -i make x",
        "-i take", "-i torn", "-E x", "-l x", "-f bad", "-f done", "-i no", "-i gone",
        "-p x", "-p 1x x", "-p-1 x", "-F x", "-F -1 x", "-F+2 fuzzy",
        "--backup-if-mismatch --no-backup-if-mismatch moved",
        "--no-backup-if-mismatch --backup-if-mismatch moved",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("patch", words.split(), tmp_path, FILES, PATCH)


@pytest.mark.parametrize("words", ["-b x", "moved", "bad", "-o out x", "-o n x"])
def test_patched_file_keeps_its_mode(tmp_path: Path, words: str) -> None:
    def fill(place: Path) -> None:
        for name, content in FILES.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content)
            (place / name).chmod(0o640)
            os.utime(place / name, (1000, 1000))

    answer, expected = run_in_copies(tmp_path, "patch", words.split(), fill, stdin=PATCH)
    assert answer == expected
    assert tree(tmp_path / "here", times=True) == tree(tmp_path / "there", times=True)


GIT = b"""diff --git a/x b/y
similarity index 90%
rename from x
rename to y
--- a/x
+++ b/y
@@ -9,3 +9,3 @@ eight
 9
-10
+ten
 11
diff --git a/moved b/copied
similarity index 90%
copy from moved
copy to copied
--- a/moved
+++ b/copied
@@ -1,3 +1,3 @@
-0
+zero
 1
 2
diff --git a/moved b/moved
--- a/moved
+++ b/moved
@@ -1,3 +1,2 @@
-0
 1
 2
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-all
diff --git a/new dir/fresh b/new dir/fresh
new file mode 100755
--- /dev/null
+++ b/new dir/fresh\t
@@ -0,0 +1 @@
+one
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
diff --git a/bad b/bad
old mode 100644
new mode 100755
diff --git a/done b/done
index 1..2 100644
GIT binary patch
"""
CONTEXT = b"""*** x
--- x
*************** some
*** 8,11 ****
  8
  9
! 10
  11
--- 8,12 ----
  8
  9
! ten
! eleven
  11
***************
*** 19,20 ****
--- 20,22 ----
  19
  20
+ 21
"""


@pytest.mark.parametrize(
    "words",
    [
        "-p1", "-p1 -R", "-p1 -b", "-p1 --dry-run", "-p1 -s", "-p1 -N", "-p1 -b -V numbered",
        "-p1 -b -z .bak", "-p1 -b -B old/", "-p1 -b -Y old.", "-p1 -b -V simple -z ~",
    ],
)  # fmt: skip
def test_git_patches_are_applied(tmp_path: Path, words: str) -> None:
    assert_agreement("patch", words.split(), tmp_path, FILES, GIT)
    assert modes(tmp_path / "here") == modes(tmp_path / "there")


SHORT = "--- a\n+++ a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n"
MADE = "--- /dev/null\n+++ new/deep/x\n@@ -0,0 +1 @@\n+1\n"
TAKEN = "--- d/e/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"
NAMED = "--- {0}\n+++ {0}\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n"


@pytest.mark.parametrize(
    ("words", "patch"),
    [
        ("", SHORT.replace("\n", "\r\n")), ("--binary", SHORT.replace("\n", "\r\n")),
        ("-s", SHORT.replace("\n", "\r\n")), ("-R", SHORT.replace("\n", "\r\n")),
        ("", f"{SHORT}{SHORT.replace('2', 'two')}".replace("\n", "\r\n")),
        ("crlf", SHORT), ("crlf", SHORT.replace("\n", "\r\n")), ("-s crlf", SHORT),
        ("--binary crlf", SHORT.replace("\n", "\r\n")),
        ("", indent(SHORT, "  ")), ("", indent(SHORT, "\t")), ("--verbose", indent(SHORT, " X")),
        ("-p1", indent(SHORT, " ").replace("\n", "\r\n")),
        ("a", "  2c2\n  < 2\n  ---\n  > two\n"), ("a", "2c2\r\n< 2\r\n---\r\n> two\r\n"),
        ("", SHORT[:-1]), ("--verbose", SHORT[:-1]), ("-s", SHORT[:-1]), ("", f"{SHORT}behind"),
        ("", "garbage"), ("", SHORT[:-3]), ("", SHORT.replace("1,3", "1,5")),
        ("", SHORT.replace("-1,3 +1,3", "-1,6 +1,6")), ("", SHORT.replace(" 1\n", "") + SHORT),
        ("-d in", NAMED.format("../a")), ("-d in -p1", NAMED.format("x/../../a")),
        ("-d in -p0", NAMED.format("x/../g")), ("-d in ../a", NAMED.format("g")),
        ("-d in -p0", MADE.replace("new", "../new")), ("-d in -p1", MADE.replace("new", "../new")),
        ("-d in -p1", "diff --git a/g b/../g\nrename from g\nrename to ../g\n"),
        ("-d in -p1", "diff --git a/g b/../g\ncopy from g\ncopy to ../g\n"),
        ("-d in -i ../p", ""), ("-d in -i p", ""), ("-d none", SHORT), ("-d a", SHORT),
        ("-p0", MADE), ("-p0 -R", MADE.replace("new/deep", "d/e")), ("-p0 --verbose", TAKEN),
        ("-p0", TAKEN.replace("/dev/null", "d/e/x\t1970-01-01 00:00:00 +0000")),
        ("-p1", "diff --git a/d/e/x b/y\nrename from d/e/x\nrename to y\n"),
        ("-p1", "diff --git a/a b/a\nrename from a\nrename to b\n" + NAMED.format("a/a")),
        ("-p1", "diff --git a/a b/a\ncopy from a\ncopy to b\n" + NAMED.format("a/a")),
        ("-p0", MADE.replace("/dev/null", "old/x\t1970-01-01 00:00:00 +0000")),
        ("-p0", MADE.replace("/dev/null", "d/x.orig\t1970-01-01 00:00:00 +0000")),
        ("", SHORT + SHORT), ("-b", SHORT + SHORT.replace("2", "two")), ("-N", SHORT + SHORT),
        ("-r d a", SHORT.replace("1", "5")), ("-Z", SHORT.replace("1", "5")),
        ("-p0 -f -N", MADE.replace("new/deep", "d/e")),
        ("-p0 -f -s", MADE.replace("new/deep", "d/e")),
    ],
)  # fmt: skip
def test_real_world_patches_match_gnu(tmp_path: Path, words: str, patch: str) -> None:
    files = {
        "a": b"1\n2\n3\n", "crlf": b"1\r\n2\r\n3\r\n", "in/g": b"1\n2\n3\n", "d/e/x": b"1\n",
        "p": NAMED.format("g").encode(),
    }  # fmt: skip
    assert_agreement("patch", ["-t", *words.split()], tmp_path, files, patch.encode())
    ours_left, real_answer = (
        {path.relative_to(tmp_path / place) for path in (tmp_path / place).rglob("*")}
        for place in ("here", "there")
    )
    assert ours_left == real_answer


def modes(folder: Path) -> dict[str, int]:
    """The modes of all files in a directory."""
    return {path.relative_to(folder).as_posix(): path.stat().st_mode for path in folder.rglob("*")}


@pytest.mark.parametrize(
    "words",
    [
        "x", "-R x", "-c x", "-u x", "bad", "moved", "-b moved", "done", "-t done", "-f done",
        "--reject-format=unified bad", "--reject-format=context bad", "-F0 fuzzy", "-p1",
        "-F3 fuzzy", "-R -t x", "-p0 -n x", "-b --binary --posix x", "-i n bad",
        "-i p --reject-format=context bad", "-r - bad", "--no-backup-if-mismatch bad",
    ],
)  # fmt: skip
def test_context_diffs_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("patch", words.split(), tmp_path, FILES, CONTEXT)


@pytest.mark.parametrize("words", ["x", "-t x", "-f x", "-N x", "-R x", "-s x", "e", "-R e", "no"])
@pytest.mark.parametrize("patch", [MAKING, TAKING, EPOCH])
def test_messages_about_existing_and_missing_files_match_gnu(
    tmp_path: Path, words: str, patch: bytes
) -> None:
    assert_agreement("patch", words.split(), tmp_path, {"x": b"all\n", "e": b""}, patch)


@pytest.mark.parametrize(
    "text",
    [
        b"***************\n*** 1,2 ****\n- a\n", b"***************\n*** 1 ****\n",
        b"***************\n*** 1 ****\n- a\n--- 1,9 ----\n",
        b"***************\n*** 1,2 ****\n  a\n- b\n--- 1,2 ----\n  c\n+ d\n",
    ],
)  # fmt: skip
def test_truncated_context_diff_is_refused(text: bytes) -> None:
    answer = run_keysh("patch", "x", files={"/x": "a\n"}, stdin=text)
    assert answer.status == 2
    assert answer.err.startswith("patch: **** ")


LINES = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=20)
EDITS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 2)), max_size=3)


def edited(lines: list[str], edits: list[tuple[int, int]], mark: str) -> list[str]:
    """Lines with some replaced, some inserted and some deleted."""
    made = list(lines)
    for at, kind in edits:
        made[at : at + (kind > 0)] = [mark] if kind < 2 else []
    return made


@settings(max_examples=60)
@given(
    lines=LINES,
    edits=EDITS,
    others=EDITS,
    words=st.sampled_from(["-U3", "-U1", "-C3", "-C1", "--normal"]),
    options=st.sampled_from(["", "", "-l", "-R", "--verbose", "-F3", "-b", "-N", "-t"]),
)
def test_random_patches_match_gnu(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    edits: list[tuple[int, int]],
    others: list[tuple[int, int]],
    words: str,
    options: str,
) -> None:
    folder = tmp_path_factory.mktemp("patch")
    texts = [
        "".join(f"{line}\n" for line in one)
        for one in (lines, edited(lines, edits, "x"), edited(lines, others, "y"))
    ]
    for name, text in zip(("old", "new"), texts, strict=False):
        (folder / name).write_text(text)
    made = subprocess.run(
        ["diff", words, "--label=x", "--label=x", "old", "new"],
        cwd=folder, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert_agreement(
        "patch", [*options.split(), "x"], folder, {"x": texts[2].encode()}, made.stdout
    )


def test_hunk_cannot_match_before_the_start(tmp_path: Path) -> None:
    assert_agreement("patch", ["x"], tmp_path, {"x": b"a\n"}, b"@@ -1,2 +1,3 @@\n a\n a\n+x\n")


@pytest.mark.parametrize(
    "text", ["@@ -1,9 +1,9 @@\n a\n", "--- x\n+++ x\n@@ -1 +1 @@\n?\n", "1c1\n< a\n---\n"]
)
def test_truncated_patch_is_refused(text: str) -> None:
    answer = run_keysh("patch", "x", files={"/x": "a\n"}, stdin=text.encode())
    assert answer.status == 2
    assert answer.err.startswith("patch: **** ")


def test_patch_ending_within_a_hunk_has_the_message_of_gnu() -> None:
    text = b"--- x\n+++ x\n@@ -1,9 +1,9 @@\n 1\n-2\n+two\n"
    answer = run_keysh("patch", "x", files={"/x": OLD}, stdin=text)
    assert answer == (2, b"", "patch: **** unexpected end of file in patch\n")


def test_a_file_is_found_below_a_directory() -> None:
    files = {"/d/s/x": "a\n"}
    text = b"--- q/s/x\n+++ q/s/x\n@@ -1 +1 @@\n-a\n+b\n"
    assert (
        run_keysh("patch", "-p1", "-d", "d", files=files, stdin=text).out == b"patching file s/x\n"
    )
    lost = run_keysh("patch", "-p0", "-d", "d", files=files, stdin=text)
    assert lost.status == 1
    assert lost.out.endswith(b"Skipping patch.\n1 out of 1 hunk ignored\n")


@pytest.mark.parametrize("script", [b"5c\nfive\n.\n2,3d\n", b"leading\n1d\n"])
def test_an_ed_script_is_refused(script: bytes) -> None:
    answer = run_keysh("patch", "x", files={"/x": "1\n"}, stdin=script)
    assert answer == (2, b"", "patch: **** ed scripts are not supported\n")


@pytest.mark.parametrize(
    "words",
    [
        "-l blanks",
        "--verbose x", "--verbose", "--verbose -s x", "--verbose y", "--verbose -R y",
        "-s --verbose x", "--verbose -N y", "--verbose --dry-run x", "--verbose -o out x",
        "--verbose -b blanks", "--quoting-style=c x", "--quoting-style=shell-always y",
        "--quoting-style=x x", "--quoting-style=e x", "--quoting-style=shell x", "-g 1 x",
        "-g -1 x", "-g x x", "--get= x", "--read-only=fail x", "--read-only=x x",
        "--read-only=warn -s x", "--posix fuzzy", "--posix --backup-if-mismatch fuzzy", "d",
        "--verbose fuzzy", "--verbose -R x",
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["-U2", "-C2", "--normal"])
def test_options_match_gnu(tmp_path: Path, words: str, form: str) -> None:
    old = [f"{i}\n" for i in range(20)]
    new = [*old[:4], "four\n", *old[5:9], "more\n", "lines\n", *old[9:15], *old[17:19], "end\n"]
    files = {
        "x": "".join(old).encode(), "y": "".join(new).encode(),
        "blanks": "".join(old).replace("\n", " \n").encode(), "torn": "".join(old)[:-1].encode(),
        "fuzzy": "".join(["add\n", *old[:2], "X\n", *old[3:]]).encode(),
    }  # fmt: skip
    folder = tmp_path / "made"
    folder.mkdir()
    for name in ("x", "y"):
        (folder / name).write_bytes(files[name])
    made = subprocess.run(
        ["diff", form, "--label=x", "--label=x", "x", "y"],
        cwd=folder, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    text = b"Words before.\n" + made.stdout + b"Words behind.\n"
    assert_agreement("patch", words.split(), tmp_path, files, text)


@pytest.mark.parametrize("words", ["--verbose", "--verbose -p1", "--verbose -p1 -R", "-p1 --posix"])
@pytest.mark.parametrize("patch", [GIT, MAKING, TAKING, EPOCH, b"", b"nothing\n"])
def test_verbose_output_matches_gnu(tmp_path: Path, words: str, patch: bytes) -> None:
    assert_agreement("patch", words.split(), tmp_path, FILES, patch)


TIMES = [
    ("2020-01-01 10:00:00 +0000", "2021-01-01 10:00:00 +0000"),
    ("2020-01-01 10:00:00", "2021-01-01 10:00:00"), ("", ""), ("", "2021-01-01 10:00:00 +0100"),
    ("x", "y"), ("2020-01-01 10:00:00 +0000", "1970-01-01 00:00:00 +0000"),
]  # fmt: skip


@pytest.mark.parametrize("words", ["-T", "-Z", "-TZ", "-T -f", "-Z -R", "-T --dry-run", "-Z -F9"])
@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("line", ["a", "c"])
def test_times_come_from_the_patch(
    tmp_path: Path, words: str, times: tuple[str, str], line: str
) -> None:
    titles = [f"{mark} x\t{time}" for mark, time in zip(("---", "+++"), times, strict=True)]
    text = "\n".join([*titles, "@@ -1,3 +1,3 @@", f" {line}", "-b", "+B", " d", ""]).encode()
    known: list[int] = []
    for name in ("mine", "real"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").write_text("a\nb\nd\n")
        os.utime(tmp_path / name / "x", (1577872800, 1577872800))
    with on_disk(tmp_path / "mine") as fs:
        answer = run_keysh("patch", *words.split(), fs=fs, stdin=text, env={"TZ": "Asia/Tokyo"})
    real_answer = run_gnu(
        "patch", *words.split(), cwd=tmp_path / "real", stdin=text, TZ="Asia/Tokyo"
    )
    assert answer == real_answer
    for name in ("mine", "real"):
        file = tmp_path / name / "x"
        time = int(file.stat().st_mtime) if file.exists() else -1
        known.append(time if time < 1_650_000_000 else 0)
    assert known[0] == known[1]


@pytest.mark.parametrize("words", ["x", "--follow-symlinks x", "lost"])
def test_links_are_followed_only_on_request(tmp_path: Path, words: str) -> None:
    text = b"@@ -1 +1 @@\n-a\n+b\n"
    for name in ("mine", "real"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f").write_text("a\n")
        (tmp_path / name / "x").symlink_to("f")
        (tmp_path / name / "lost").symlink_to("nothing")
    with on_disk(tmp_path / "mine") as fs:
        answer = run_keysh("patch", *words.split(), fs=fs, stdin=text)
    assert answer == run_gnu("patch", *words.split(), cwd=tmp_path / "real", stdin=text)
    for name in ("x", "f"):
        mine, real = (tmp_path / one / name for one in ("mine", "real"))
        assert (mine.is_symlink(), mine.read_text()) == (real.is_symlink(), real.read_text())


def test_unwritable_files_are_reported() -> None:
    fs = MemoryFS({"/x": "a\n"})
    fs.set_mode("/x", 0o444)
    text = b"@@ -1 +1 @@\n-a\n+b\n"
    answer = run_keysh("patch", "x", "--read-only=fail", fs=fs, stdin=text)
    assert (answer.status, answer.out) == (
        1, (b"File x is read-only; refusing to patch\n"
            b"1 out of 1 hunk ignored -- saving rejects to file x.rej\n"),
    )  # fmt: skip
    answer = run_keysh("patch", "x", "--dry-run", fs=fs, stdin=text)
    tries = b"File x is read-only; trying to patch anyway\nchecking file x\n"
    assert (answer.status, answer.out) == (0, tries)


@pytest.mark.parametrize("words", [["x"], ["-b", "x"], ["-o", "new", "x"]], ids=repr)
def test_full_disk_leaves_the_file_unchanged(words: list[str]) -> None:
    fs = MemoryFS({"/x": "a\n"}, max_bytes=100)
    answer = run_keysh("patch", *words, fs=fs, stdin=b"@@ -1 +1 @@\n-a\n+" + b"b" * 200 + b"\n")
    assert answer.err == "patch: **** write error : No space left on device\n"
    assert (answer.status, fs.open("/x").read()) == (2, b"a\n")
    assert {entry.name for entry in fs.list("/")} == {"x", *(["x.orig"] if "-b" in words else [])}
