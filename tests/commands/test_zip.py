"""zip and unzip: tables against Info-ZIP's, exchanged archives, and hostile ones."""

from __future__ import annotations

import io
import json
import os
import random
import stat as kinds
import zipfile
import zlib
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.archive_copies import OLD, cases, make_old, run_both, without_folder_times
from commands.command_runner import Answer, on_disk, run_gnu, run_keysh
from commands.directory_tree import Tree, tree
from keysh import Limits, Shell
from keysh.archive import zip as zip_format
from keysh.tools.zip import archive as zipping
from keysh.vfs.memory.filesystem import MemoryFS

LINES = "".join(f"{n}\n" for n in range(1, 1001)).encode()
WHEN = (1990, 1, 2, 3, 4, 6)


def archive(*members: tuple[str, bytes, int], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive with members of any name: name, content, mode."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as out:
        for name, content, mode in members:
            info = zipfile.ZipInfo(name, WHEN)
            info.external_attr, info.compress_type = mode << 16, method
            out.writestr(info, content)
    return made.getvalue()


def texts() -> bytes:
    """An archive with members that are marked as texts, and others."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content, is_text in (
            ("t", b"one\r\ntwo\r\r\nthree", True), ("U/N.x", b"unix\n", True),
            ("bin", bytes(range(256)), False), ("crlf", b"a\r\nb\x1a", False),
        ):  # fmt: skip
            info = zipfile.ZipInfo(name, WHEN)
            info.external_attr, info.internal_attr = FILE << 16, int(is_text)
            out.writestr(info, content)
    return made.getvalue()


FILE, FOLDER, LINK = 0o100640, 0o40755, 0o120777
PLAIN = archive(("d/", b"", FOLDER), ("d/x", b"x\n", FILE), ("a", b"hello\n", FILE),
                ("n", LINES, 0o100755), ("d/two words", b"w" * 700, FILE))  # fmt: skip
ARCHIVES = {
    "plain.zip": PLAIN, "stored.zip": archive(("a", b"1", FILE), ("b/c", b"2", FILE), method=0),
    "bz.zip": archive(("n", LINES, FILE), method=zipfile.ZIP_BZIP2),
    "lzma.zip": archive(("n", LINES, FILE), method=zipfile.ZIP_LZMA),
    "out.zip": archive(("../../up", b"u", FILE), ("/abs", b"a", FILE), ("a/../b", b"b", FILE),
                       ("ok/x", b"x", FILE), method=0),
    "links.zip": archive(("l", b"/tmp", LINK), ("m", b"..", LINK), ("k", b"a", LINK),
                         ("a", b"1", FILE), method=0),
    "empty.zip": archive(), "cut.zip": PLAIN[:150], "no.zip": b"no archive at all\n" * 9,
    "said.zip": PLAIN[:-2] + b"\x08\0said so\n", "bad.zip": PLAIN[:100] + b"XX" + PLAIN[102:],
    "text.zip": texts(),
    "modes.zip": archive(("s", b"1", 0o104755), ("none", b"2", 0), ("w", b"3", 0o100666)),
    "twice.zip": archive(("a", b"first", FILE), ("b", b"2", FILE), ("größe", b"u", FILE)),
}  # fmt: skip


def fill(root: Path, archives: Iterable[str] = ()) -> None:
    """Create files of some kinds, and archives."""
    for folder in ("d/sub", "to/d"):
        (root / folder).mkdir(parents=True)
    contents = {"a": b"hello\n", "n": LINES, "d/x": b"x\n", "d/sub/y": b"", "two words": b"w",
                "to/a": b"old", "d/main.o": b"o" * 99, "list": b"a\nd/x\nnope\n",
                "every": bytes(range(256)) * 40,
                "crlf": b"one\r\ntwo\n\rthree\r\r\n"}  # fmt: skip
    for name in archives:
        contents[name] = ARCHIVES[name]
    for name, content in contents.items():
        (root / name).write_bytes(content)
    (root / "l").symlink_to("a")
    (root / "d/x").chmod(0o751)
    make_old(root)
    for file in ("a", "d/x", "n", "two words", "every"):
        os.utime(root / file, (OLD * 1000, OLD * 1000))  # DOS knows no time before 1980


ZIP = """
o a n|o a missing|o missing|-r o d|-rq o d a|-j o d/x a|-D -r o d|-0 o n a|-9 o n every|-1r o d n
-y o l a|o l|plain a|-u plain a n|-u plain n|-f plain a|-d plain n|-d plain d/*|-d plain nope
-d plain *|-d missing a|-r o . -x *.zip to/*|-r o d -i *.o|-r o d -x *.o -q|-m o n|-mr o d
-X o a n|o.foo a|o d|o ./a d/../a|-q o a missing|bad/o a|-rj o d|o two~words|plain n d/x
-T o a n|-T plain|-qT o a|-T plain n|-T nope|-Tm o n|-v o a n|-v plain n a
-vr o d
-qv o a|-vq o a|-vd plain n|-FS plain a n d/x|-r plain d -FS|-FS stored n|-FS now two~words|-FS f
-FSr o d
-R o *.o|-R o x a|-R o d/*|-R o|-rR o *.o|-R o * -x *.zip|-ll o crlf|-l o n crlf|-ll o every
-l o every
-n .o:a o d/main.o a n|-n .x o n|-Z store o n|-Z bzip2 o n a|-Z deflate o n|-sf o a n|-sf -r o d
-u plain a|-f plain a|-FS plain a|-u new a|-g new a|-f new a
-FS new a|-d new a
-sf plain|-sf -d plain n|-sf -d plain d/*|-sf nope|-sf -u plain n
plain a --out p.zip
o a/|o a/ n|-d plain nope n a
-d plain n --out p.zip|-z plain|-z o a|-z said n|said n|-d said a|-MM o a missing|-MM o a
-o o a n d/x
-o plain n|o a -O p.zip|-FSu now a|-mT o n a|-Dr o d -n .o
-qr o d/sub/|o a a|-g plain every|-D o d a|-r o missing d
"""
UNZIP = """
-c plain a n|-cq plain a|-cqq plain a d/x|-c plain d/|-c stored|-c plain nope|-a text.zip -d to/new
-aa text.zip -d to/new|-ca text.zip|-pa text.zip t|-aab text.zip -d to/new|-L plain -d to
-LL text.zip -d to
-oB plain a -d to|-B plain a -d to|-K modes -d to|-D plain -d to/new|-DD plain a -d to|-T plain
-Tq plain
-UVXMb plain a -d to/new|-P x plain a -d to/new|-W plain d* -d to/new|-W plain d/* -d to/new
-W plain **x -d to/new|-l said|said -d to/new|-q said -d to/new|-t said|-p said a|-c said a|-lq said
-zl said
-lv plain|-tv plain|-lt plain|-pl plain a|-cl stored|-ol plain|-no plain -d to|-un plain -d to
plain -d no/such|plain -d a|pl*.zip -d to/new|*ed.zip zz|q*.zip|-l *ed.zip|-tq ?aid.zip
-Z plain|-Z2 plain|-Zs plain|-Zm plain|-Zl plain|-Zh plain|-Zt plain|-Zht plain|-ZT plain|-Zz plain
-q no.zip|-qq no.zip|-qt no.zip|-lq no.zip|-t missing|-p missing|-Z1 no.zip|-Z1 missing
-l plain -d to|-t plain -d to|-p plain a -d to|-Z1 plain -d to
-Zhz plain|-Z2z plain|-Z2h plain|-Z2t plain|-Z1t plain|-Zlh plain a|-Zlt plain a|-Zsh plain
-Z plain a nope|-Z plain nope|-Zm plain d/*|-Zs plain -x a|-Z out.zip|-Zl twice|-ZC plain A|-z plain
-Z1 plain|-Z1 plain d/*|-Z1 plain nope|-Z1 plain -x d/*|-Z1 twice|-Z1 out.zip
-l plain|-v plain|-t plain|-tq plain|-p plain n|-p plain|-l plain a nope|-l plain nope|-lqq plain
-l missing|-l no.zip|-l cut.zip|-l empty.zip|-t empty.zip|plain -d to|-o plain -d to
-n plain -d to|-oq plain -d to|-ojd to plain|-o plain d/* -d to|-o plain -x *.o d/* -d to
-o plain a nope -d to|-v lzma|lzma -d to|-v bz|bz -d to|-t bz|out.zip -d to/deep|-l out.zip
links -d to/deep|-oq links -d to/deep|-u plain -d to|-f plain -d to|plain nope -d to|-p plain nope
-t plain a|stored -d to/new|-o plain -x zz -d to|-oC plain A -d to|-l twice|-v twice|modes -d to
-qql plain a|-p stored|-tqq plain|-v stored|-l d|-o plain.zip n -d to|-t no.zip|-vqq plain
"""
CALLS = [("zip", call) for call in cases(ZIP)] + [("unzip", call) for call in cases(UNZIP)]


def members(actual: Tree) -> Tree:
    """Compare archives by their content: their bytes depend on the compressor."""
    made: Tree = {}
    for name, (mode, content, same, time) in actual.items():
        displayed = content
        if name.endswith((".zip", ".foo")) and isinstance(content, bytes) and content[:2] == b"PK":
            try:
                with zipfile.ZipFile(io.BytesIO(content)) as file:
                    assert file.testzip() is None
                    displayed = {
                        info.filename: (file.read(info), info.external_attr >> 16, info.date_time,
                                        info.compress_type)
                        for info in file.infolist()
                    }  # fmt: skip
            except (zipfile.BadZipFile, NotImplementedError):
                displayed = content
        made[name] = (mode, displayed, same, time)
    return without_folder_times(made)


def said(answer: Answer, *, in_order: bool) -> Answer:
    """Sort the lines of an answer, because the order of directory entries is unknown."""
    out = answer.out if in_order else b"\n".join(sorted(answer.out.split(b"\n")))
    return answer._replace(out=out)


@pytest.mark.parametrize(("name", "call"), CALLS, ids=lambda value: value)
def test_calls_match_the_real_tool(tmp_path: Path, name: str, call: str) -> None:
    words = [word.replace("~", " ") for word in call.split(" ")]
    archives = [file for file in ARCHIVES
                if file.removesuffix(".zip") in words or file in words
                or (name == "unzip" and any(fnmatch(file, word) for word in words))]  # fmt: skip
    mine, real, here, there = run_both(tmp_path, name, words, lambda root: fill(root, archives))
    in_order = name == "unzip"
    assert said(mine, in_order=in_order) == said(real, in_order=in_order)
    assert members(here) == members(there)


def hurt(data: bytes, name: bytes) -> bytes:
    """Create an archive in which one byte of a stored member is changed."""
    at = data.index(name) + len(name)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize(
    "words", ["-t h", "-p h", "-p h b/c", "h -d to/deep", "-tq h", "-qo h -d q"]
)
def test_damage_is_reported(tmp_path: Path, words: str) -> None:
    def filled(root: Path) -> None:
        (root / "to").mkdir()
        (root / "h.zip").write_bytes(hurt(ARCHIVES["stored.zip"], b"a"))

    mine, real, here, there = run_both(tmp_path, "unzip", words.split(" "), filled)
    assert mine == real
    assert without_folder_times(here) == without_folder_times(there)


@pytest.mark.parametrize(
    "answers", ["y\nn\n", "n\ny\n", "A\n", "N\n", "r\nfresh\nA\n", "x\ny\nN\n", "y\n", ""]
)
def test_prompts_are_shown(tmp_path: Path, answers: str) -> None:
    def filled(root: Path) -> None:
        for name in ("a", "b"):
            (root / name).write_bytes(b"here")
        (root / "o.zip").write_bytes(archive(("a", b"1", FILE), ("b", b"2", FILE), method=0))

    mine, real, here, there = run_both(tmp_path, "unzip", ["o"], filled, answers.encode())
    assert mine == real
    assert members(here) == members(there)


def test_text_members_are_marked_and_names_aligned(tmp_path: Path) -> None:
    def fill_odd(root: Path) -> None:
        files = {"t": b"1\n", "b": b"a\1", "é": b"yes\n" * 99, "l\nm": b"l", "v": b""}
        for name, content in files.items():
            (root / name).write_bytes(content)
        make_old(root)

    for words in (["-qX", "o.zip", "t", "b", "é", "l\nm", "v"], ["-X", "o.zip", "é", "l\nm"]):
        answer, expected, *_ = run_both(tmp_path, "zip", words, fill_odd)
        assert answer == expected
    for words in (["-Zs", "o.zip"], ["-t", "o.zip"], ["-v", "o.zip"], ["-ao", "o.zip"]):
        answer, expected, *_ = run_both(tmp_path, "unzip", words, lambda _: None)
        assert answer == expected


NAMES = st.lists(st.sampled_from(["a", "b c", "größe", "d/x", "d/e/y", "-x", "z.zip", "\udcff"]),
                 unique=True, min_size=1, max_size=5)  # fmt: skip


@settings(max_examples=25, derandomize=True, deadline=None)
@given(names=NAMES, data=st.data(), level=st.sampled_from(["-0", "-1", "-6", "-9"]))
def test_round_trip(names: list[str], data: st.DataObject, level: str) -> None:
    contents = {
        f"/t/{name}": data.draw(st.binary(max_size=300)) * data.draw(st.integers(0, 400))
        for name in names
    }
    fs = MemoryFS(contents)
    for target in ("/o.zip", "-"):
        made = run_keysh("zip", level, "-rq", target, ".", fs=fs, cwd="/t")
        assert (made.status, made.err) == (0, "")
        packed = made.out or fs.open("/o.zip").read()
        with zipfile.ZipFile(io.BytesIO(packed)) as file:
            assert file.testzip() is None
            read = {file.read(info) for info in file.infolist() if not info.is_dir()}
        assert read == set(contents.values())
        there = MemoryFS({"/o.zip": packed})
        assert run_keysh("unzip", "-q", "o", "-d", "/t", fs=there).status == 0
        assert {path: there.open(path).read() for path in contents} == contents


def test_pattern_matches_several_archives() -> None:
    files = {"/a.zip": archive(("x", b"1", FILE)), "/b.zip": b"none", "/c.zip": archive(),
             "/d.zip": archive(("x", b"2", FILE)), "/z.zip/f": b""}  # fmt: skip
    answer = run_keysh("unzip", "-o", "*.zip", "-d", "t", files=files)
    assert answer.status == 9
    assert answer.out.startswith(
        b"Archive:  a.zip\n  inflating: t/x                     \n\nArchive:"
    )
    assert answer.err.splitlines()[-4:] == [
        "", "2 archives were successfully processed.",
        "1 archive had warnings but no fatal errors.", "1 file had no zipfile directory.",
    ]  # fmt: skip


def test_nothing_is_extracted_outside() -> None:
    hostile = archive(("../../up", b"u", FILE), ("/abs", b"a", FILE), ("l", b"/outside", LINK),
                      ("l/in", b"x", FILE), ("..", b"y", FILE), method=0)  # fmt: skip
    fs = MemoryFS({"/h.zip": hostile, "/outside/kept": b"1"})
    answer = run_keysh("unzip", "/h.zip", "-d", "/deep", fs=fs)
    assert answer.status == 50  # l/in cannot be made: l is no directory
    assert sorted(entry.name for entry in fs.list("/outside")) == ["kept"]
    assert sorted(entry.name for entry in fs.list("/")) == ["deep", "h.zip", "outside"]
    assert sorted(entry.name for entry in fs.list("/deep")) == ["abs", "l", "up"]
    assert fs.read_link("/deep/l") == "/outside"


def test_members_that_share_bytes_are_refused() -> None:
    one = archive(("a", b"x" * 1000, FILE), ("b", b"x" * 1000, FILE), method=0)
    second = one.rindex(b"PK\1\2") + 42  # the offset of the second member
    shared = one[:second] + bytes(4) + one[second + 4 :]
    answer = run_keysh("unzip", "-t", "o", files={"/o.zip": shared})
    assert answer.status == 12
    assert "possible zip bomb" in answer.err


def test_encrypted_members_are_reported() -> None:
    locked = bytearray(ARCHIVES["stored.zip"])
    locked[locked.index(b"PK\1\2") + 8] |= 1
    answer = run_keysh("unzip", "o", files={"/o.zip": bytes(locked)})
    assert (answer.status, answer.err) == (
        82, f"   skipping: {'a':<22}  unable to get password\n"
    )  # fmt: skip


def test_rows() -> None:
    answer = run_keysh("unzip", "-l", "--json", "o", files={"/o.zip": PLAIN})
    assert [json.loads(line) for line in answer.out.splitlines()][1] == {
        "name": "d/x", "type": "file", "size": 2, "packed": 4, "method": "Defl:N",
        "crc": "46ea081f", "modified": "1990-01-02T03:04:06Z",
    }  # fmt: skip


def test_bytes_before_an_archive_are_skipped() -> None:
    answer = run_keysh("unzip", "-p", "o", "a", files={"/o.zip": b"#!/bin/sh\n" + PLAIN})
    assert answer == Answer(0, b"hello\n", "")


def test_extra_fields_of_members_are_kept() -> None:
    owner, other = b"ux\x0b\0" + bytes(range(11)), b"\x99\x99\2\0ab"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        out.comment = b"of all"
        for name in ("stays", "changes"):
            info = zipfile.ZipInfo(name, WHEN)
            info.comment, info.extra = f"of {name}".encode(), owner + other
            out.writestr(info, b"old")
    fs = MemoryFS({"/x.zip": made.getvalue(), "/changes": "new", "/comes": ""})
    assert Shell(fs=fs).run("zip -q x.zip changes comes").ok
    with fs.open("/x.zip") as stream, zipfile.ZipFile(io.BytesIO(stream.read())) as actual:
        assert actual.comment == b"of all"
        assert {one.filename: one.comment for one in actual.infolist()} == {
            "stays": b"of stays", "changes": b"of changes", "comes": b"",
        }  # fmt: skip
        assert actual.getinfo("stays").extra == owner + other
        assert (actual.read("stays"), actual.read("changes")) == (b"old", b"new")


def test_failure_keeps_the_old_archive() -> None:
    fs = MemoryFS({"/o.zip": PLAIN[:100] + PLAIN, "/a": b"1"}, max_bytes=len(PLAIN) + 200)
    before = fs.open("/o.zip").read()
    assert run_keysh("zip", "o", "a", fs=fs).status != 0
    assert fs.open("/o.zip").read() == before
    assert sorted(entry.name for entry in fs.list("/")) == ["a", "o.zip"]


def test_full_disk_is_reported_and_nothing_is_lost() -> None:
    fs = MemoryFS({"/o.zip": PLAIN, "/a": b"1", "/big": random.Random(4).randbytes(9000)},
                  max_bytes=14_000)  # fmt: skip
    answer = run_keysh("zip", "-m", "o", "a", "big", fs=fs)
    assert answer.status == 14
    assert answer.out.decode() == (
        "updating: a (stored 0%)\n  adding: big\nzip I/O error: No space left on device\n"
        "zip error: Output file write failure (write error on zip file)\n"
    )
    assert sorted(entry.name for entry in fs.list("/")) == ["a", "big", "o.zip"]
    assert fs.open("/o.zip").read() == PLAIN


def test_our_archives_are_read_by_the_real_tool(tmp_path: Path) -> None:
    (tmp_path / "größe").write_bytes(b"g")
    (tmp_path / "run").write_bytes(LINES)
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "l").symlink_to("run")
    with on_disk(tmp_path) as fs:
        assert run_keysh("zip", "-qy", "o", "größe", "run", "l", fs=fs).status == 0
    assert run_gnu("unzip", "-q", "o", "-d", "to", cwd=tmp_path) == Answer(0, b"", "")
    assert (tmp_path / "to/größe").read_bytes() == b"g"
    assert kinds.S_IMODE((tmp_path / "to/run").stat().st_mode) == 0o755
    assert os.readlink(tmp_path / "to/l") == "run"
    assert tree(tmp_path / "to")["run"][1] == LINES


def test_damaged_input_is_always_answered() -> None:
    chance = random.Random(7)
    for _ in range(150):
        hurt = bytearray(PLAIN)
        for _ in range(3):
            hurt[chance.randrange(len(hurt))] = chance.randrange(256)
        files = {"/h.zip": bytes(hurt), "/b": b"2"}
        for words in ("-v h", "-o h -d to"):
            assert run_keysh("unzip", *words.split(), files=files).status in range(256)
        assert run_keysh("zip", "h", "b", files=files).status in range(256)


HOSTILE = archive(("a\x1b[31mb\x07\tq\nr", b"1", FILE), method=0)


@pytest.mark.parametrize("words", ["-l h", "-Z1 h", "-v h", "-t h", "-p h", "-o h"])
def test_names_are_escaped_for_the_terminal(tmp_path: Path, words: str) -> None:
    def hold(root: Path) -> None:
        (root / "h.zip").write_bytes(HOSTILE)
        make_old(root)

    mine, real, here, there = run_both(tmp_path, "unzip", words.split(), hold)
    assert mine == real
    assert sorted(here) == sorted(there)
    assert b"\x1b" not in mine.out


def test_failed_link_does_not_prevent_others() -> None:
    hurt = archive(("d/", b"", 0o40700), ("d/l", b"", LINK), ("d/n", b"a\0b", LINK),
                   ("d/ok", b"a", LINK), method=0)  # fmt: skip
    fs = MemoryFS({"/h.zip": hurt})
    answer = run_keysh("unzip", "h", fs=fs)
    assert answer.status == 50
    assert answer.err.count("error:  cannot create d/") == 2
    assert fs.read_link("/d/ok") == "a"
    assert kinds.S_IMODE(fs.stat("/d").mode) == 0o700


# ---------------------------------------------------------------- more than 32 bits


def test_zip64_archive_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive with 64-bit fields wherever possible."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1)
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
    made = archive(("a", b"hello\n", FILE), ("n", LINES, FILE))
    assert zip_format.END_64_MAGIC in made
    (tmp_path / "w.zip").write_bytes(made)
    for words in (("-p", "w"), ("-v", "w"), ("-t", "w")):
        mine = run_keysh("unzip", *words, files={"/w.zip": made})
        assert mine == run_gnu("unzip", *words, cwd=tmp_path)
    assert run_keysh("unzip", "-p", "w", "a", files={"/w.zip": b"#!\n" + made}).out == b"hello\n"
    hurt = made.replace(zip_format.END_64_MAGIC, b"none")
    at = hurt.index(zip_format.LOCATOR_MAGIC) + 8
    for leading in (hurt, hurt[:at] + b"\xff" * 8 + hurt[at + 8 :]):
        answer = run_keysh("unzip", "-l", "w", files={"/w.zip": leading})
        assert (answer.status, answer.err) == (3, "error:  the directory of w.zip is damaged\n")


GIB = 1 << 30


def test_sizes_and_offsets_beyond_32_bits(tmp_path: Path) -> None:
    """A member of 5 GiB, which is a hole in the archive's file, and one after it."""
    large, small = zip_format.ZipEntry(b"large"), zip_format.ZipEntry(b"small")
    large.size = large.packed_size = 5 * GIB
    small.size, small.packed_size, small.crc = 5, 5, zlib.crc32(b"small")
    for entry in (large, small):
        entry.date, entry.external_attributes = 1 << 5 | 1, FILE << 16
    with (tmp_path / "w.zip").open("wb") as file:
        for entry, content in ((large, b""), (small, b"small")):
            entry.offset = file.tell()
            file.write(zip_format.local_header(entry, has_extra=False))
            file.write(content)
            file.seek(entry.packed_size - len(content), 1)
        start = file.tell()
        lines = [zip_format.central_header(entry, has_extra=False) for entry in (large, small)]
        file.write(b"".join(lines) + zip_format.end_records(2, sum(map(len, lines)), start))
    with on_disk(tmp_path) as fs:
        for words in (("-l", "w"), ("-v", "w"), ("-p", "w", "small")):
            assert run_keysh("unzip", *words, fs=fs) == run_gnu("unzip", *words, cwd=tmp_path)
    with zipfile.ZipFile(tmp_path / "w.zip") as read:
        assert [info.file_size for info in read.infolist()] == [5 * GIB, 5]
        assert read.read("small") == b"small"


def test_more_than_65535_members(tmp_path: Path) -> None:
    count = 70_000
    lines, members = [], []
    at = 0
    for number in range(count):
        entry = zip_format.ZipEntry(b"%d" % number)
        entry.date, entry.offset = 1 << 5 | 1, at
        members.append(zip_format.local_header(entry, has_extra=False))
        lines.append(zip_format.central_header(entry, has_extra=False))
        at += len(members[-1])
    made = b"".join([*members, *lines, zip_format.end_records(count, sum(map(len, lines)), at)])
    with zipfile.ZipFile(io.BytesIO(made)) as read:
        assert len(read.infolist()) == count
    assert run_keysh("unzip", "-Z1", "w", files={"/w.zip": made}).out.count(b"\n") == count
    shell = Shell(files={"/w.zip": made}, limits=Limits(seconds=20))
    assert shell.run("unzip -l w", timeout=0.01).code == 124


def test_large_file_gets_a_zip64_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipping, "ZIP64_THRESHOLD", 1000)  # a test has no time for 4 GiB
    (tmp_path / "n").write_bytes(LINES)
    (tmp_path / "a").write_bytes(b"1")
    with on_disk(tmp_path) as fs:
        assert run_keysh("zip", "-q", "w", "n", "a", fs=fs).status == 0
        assert run_keysh("unzip", "-p", "w", fs=fs).out == LINES + b"1"
    made = (tmp_path / "w.zip").read_bytes()
    assert made[18:26] == b"\xff" * 8  # both sizes are in the extra field
    assert run_gnu("unzip", "-tqq", "w", cwd=tmp_path) == Answer(0, b"", "")


def test_decompression_bomb_meets_the_limit() -> None:
    bomb = archive(*((f"f{n}", bytes(60_000), FILE) for n in range(5)))
    for script in ("unzip -q b", "unzip -t b", "unzip -p b"):
        shell = Shell(files={"/b.zip": bomb}, limits=Limits(output=None, unpacked=100_000))
        result = shell.run(script)
        assert (result.code, result.limit.kind if result.limit else "") == (125, "unpacked")


def test_names_from_arguments_and_standard_input(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_text(name)
    with on_disk(tmp_path) as fs:
        answer = run_keysh("zip", "-@", "o.zip", "b", fs=fs, stdin=b"c\na\n")
    assert answer == run_gnu("zip", "-@", "p.zip", "b", cwd=tmp_path, stdin=b"c\na\n")


def test_extracted_files_respect_the_umask() -> None:
    fs = MemoryFS({"/a": "1"})
    assert run_keysh("zip", "-q", "o.zip", "a", fs=fs).status == 0
    assert run_keysh("unzip", "-q", "o.zip", "-d", "new", fs=fs).status == 0
    assert [fs.stat(path).mode & 0o777 for path in ("/o.zip", "/new")] == [0o644, 0o755]
