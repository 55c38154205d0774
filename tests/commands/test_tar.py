"""tar: a table against GNU tar, with byte-identical archives, and hostile archives."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import random
import re
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.archive_copies import OLD, cases, make_old, run_both, without_folder_times
from commands.command_runner import Answer, on_disk, run_gnu, run_keysh
from keysh import Limits, Shell
from keysh.vfs.memory.filesystem import MemoryFS
from real_tools import need

LONG = "a-name-that-is-much-longer-than-the-field-for-it/" * 3 + "end"


def archive(*members: tuple[str, bytes, str, bytes], form: int = tarfile.GNU_FORMAT) -> bytes:
    """An archive with members of any name: name, kind, target, content."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as out:
        for name, kind, link, content in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.size, info.mtime = kind, link, len(content), OLD
            info.mode = 0o755 if kind == tarfile.DIRTYPE else 0o640
            info.uname, info.gname = "amy", "staff-of-a-long-name"
            out.addfile(info, io.BytesIO(content))
    return made.getvalue()


FILE, DIR, SYM, HARD = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE
FIFO, DEVICE = tarfile.FIFOTYPE, tarfile.CHRTYPE
PLAIN = archive(
    ("d/", DIR, "", b""), ("d/x", FILE, "", b"x\n"), ("a", FILE, "", b"hello\n"),
    ("hard", HARD, "a", b""), ("l", SYM, "a", b""), ("d/two words", FILE, "", b"w" * 700),
)  # fmt: skip
HURT = bytearray(PLAIN)
HURT[1024 + 512 + 10] ^= 1  # in the name of the third header
ARCHIVES = {
    "plain.tar": PLAIN,
    "pax.tar": archive((LONG, FILE, "", b"1"), ("l", SYM, LONG, b""), form=tarfile.PAX_FORMAT),
    "ustar.tar": archive((LONG[:140], FILE, "", b"1"), form=tarfile.USTAR_FORMAT),
    "long.tar": archive((LONG, FILE, "", b"1"), ("l", SYM, LONG, b""), ("h", HARD, LONG, b"")),
    "out.tar": archive(
        ("/k/abs", FILE, "", b"x"), ("../../up", FILE, "", b"y"), ("a/../b", FILE, "", b"z"),
        ("..", DIR, "", b""), ("h", HARD, "/etc/no such file", b""), ("h2", HARD, "../q/no", b""),
        ("k/abs", FILE, "", b"later"),
    ),
    "links.tar": archive(
        ("l", SYM, "/tmp", b""), ("l/owned", FILE, "", b"x"), ("m", SYM, "..", b""),
        ("m/owned", FILE, "", b"x"), ("n", SYM, "sub", b""), ("sub", DIR, "", b""),
        ("n/in", FILE, "", b"i"), ("hl", HARD, "l", b""), ("o", SYM, "../x", b""),
    ),
    "clash.tar": archive(
        ("d", DIR, "", b""), ("d/f", FILE, "", b"1"), ("f", FILE, "", b"2"),
        ("f/g", FILE, "", b"3"), ("d", FILE, "", b"4"), ("f", DIR, "", b""), ("f", FILE, "", b"5"),
    ),
    "odd.tar": archive(("nl\nx\\", FILE, "", b"1"), ("\udcff", FILE, "", b"2"),
                       ("it's é\u200b", FILE, "", b"3"), ("t\x7fab\t", FILE, "", b"")),
    "special.tar": archive(("p", FIFO, "", b""), ("c", DEVICE, "", b""), ("z", FILE, "", b"z")),
    "cut.tar": PLAIN[:1500], "cut_header.tar": PLAIN[:1600], "cut_pad.tar": PLAIN[:1026],
    "hurt.tar": bytes(HURT), "empty.tar": b"", "zeros.tar": bytes(1024), "lone.tar": bytes(512),
    "twice.tar": PLAIN + archive(("second", FILE, "", b"2")),
    "no.tar": b"this is no archive\n" * 100,
}  # fmt: skip


def fill(root: Path, archives: Iterable[str] = ()) -> None:
    """Create files of some kinds, and archives."""
    for folder in ("d/sub", "e", "to", "v/.git", "v/s", "k/no", os.path.dirname(LONG)):
        (root / folder).mkdir(parents=True)
    contents = {"a": b"hello\n", "b": bytes(range(256)) * 9, "d/x": b"x\n", "d/sub/y": b"",
                "two words": b"w", "it's": b"q", "nl\nx\\": b"n", "\udcff": b"f", "größe": b"g",
                "run": b"#!", LONG: b"long", "list": b"a\nd/x\n", "nuls": b"a\0two words\0",
                "not": b"*.o\nsub\n", "d/main.o": b"o", "-C": b"dash",
                "moved": b"a\n-C d\nx\n-C..\nb\n", "escaped": b"nl\\nx\\\\\n\\377\n",
                "v/.git/c": b"c", "v/.gitignore": b"", "v/a~": b"", "v/s/tag": b"",
                "v/s/y": b"y", "k/data": b"d", "k/no/CACHEDIR.TAG": b"no",
                "k/CACHEDIR.TAG": b"Signature: 8a477f597d28d172789f06886806bc55\n"}  # fmt: skip
    for name in archives:
        contents[name] = ARCHIVES[name]
    for name, content in contents.items():
        (root / name).write_bytes(content)
    os.link(root / "a", root / "hard")
    (root / "l").symlink_to("a")
    (root / "d/up").symlink_to("../a")
    (root / "run").chmod(0o4751)
    (root / "d/sub").chmod(0o1777)
    make_old(root)
    os.utime(root / "d/x", (OLD + 5, OLD + 5))


CREATE = """
-cvf o.tar --transform s/d/q/ a d|cf o.tar --xform s,x,Y,RS d hard l a
cf o.tar --transform s,a,b,H a hard
-cvf o.tar --show-transformed-names --transform s,[xy],<&>,g;s,d,\\U&, d
-cf o.tar --transform s/d/q d
-cf o.tar --transform s/d/q/k d|-cf o.tar --transform s,\\(,,x d|-cf o.tar --transform s/d/\\1/ d
-cf o.tar --transform flags=rH;s,(x),-\\1,x;flags=S;s,X,z,2i d|-cf o.tar --transform flags=Q d
-cf o.tar --transform s,^d/,, d|-cf o.tar --transform s.\\..-. d|-cf o.tar --transform x d
cf o.tar a d hard l|cf o.tar d|cf o.tar d/|-cvf o.tar a missing|cf o.tar d/../a|-cvvf o.tar a d l
-cf o.tar -C d x -C sub y|-cf o.tar -C nope x|-c|-cf|cf o.tar|-cf o.tar ./a ./d|-cPf o.tar d/../a
cvf - a d|-cf o.tar --exclude=sub d|-cf o.tar --exclude *.o d|-cf o.tar -X not d
-cf o.tar --exclude d/x d|-cf o.tar -T list|-cf o.tar --null -T nuls|-cf o.tar -T list run
-cvf o.tar --no-recursion d|-chf o.tar l d|-cf o.tar --numeric-owner a
-cf o.tar --owner=amy:5 --group=9 --mtime=@7 a|-cf o.tar --owner=99999999999 a
-cf o.tar --group=g:x a|-cf o.tar --owner=u:4294967296 a|-cf o.tar --owner=0000000000042 a
cf o.tar run d/sub|-cf o.tar it's größe
-cf /nope/o.tar a|-cf o.tar LONG|-cf o.tar -- a -C|-cf o.tar a -- -C|cvf o.tar -C . a -C d x
-rf plain.tar b|-rvf plain.tar b d|-rf new.tar b|-uf plain.tar a d|-uvf plain.tar b d
-rf cut.tar b|-rzf o.tar a|-czjf o.tar a|-ctf o.tar|cf o.tar two~words|-cf o.tar d//sub d/./x
-cf o.tar a a hard hard|tvf|-f o.tar|--foo|-Y|-cf o.tar d/up --dereference|cf e d
-cf o.tar list --exclude=l*t|-cf o.tar . --exclude=*.tar --exclude=a-name*|cf o.tar ..~x
rf empty.tar a|rf zeros.tar a|-cf o.tar a/|-cf o.tar -Hv7 a d l|-cf o.tar -Hustar run d l
-cf o.tar -H ustar LONG|-cvf o.tar -H v7 LONG a|-cf o.tar --format=oldgnu LONG
-cf o.tar --mode=u+x,go= a d|-cf o.tar --mode=0640 d|-cf o.tar --mode=zz a|-b1 -cf o.tar a
-b 0 -cf o.tar a|-cf o.tar --remove-files d|-cvf o.tar --remove-files a e|-I gzip -cf o.tar missing
--delete -f plain.tar d|--delete -f plain.tar a nope|--delete -f long.tar l|-Azf plain.tar a
--delete -f plain.tar d/x a|-cf o.tar --totals b|-cf o.tar --totals d b
--delete -f plain.tar hard --wildcards d/*|--delete -zf plain.tar a
-cf o.tar --exclude-vcs v|-cvf o.tar --exclude-vcs --exclude-backups v d
-cf o.tar --exclude-caches k
-cvf o.tar --exclude-caches k|-cvf o.tar --exclude-caches-under k
-cvf o.tar --exclude-caches-all k v
-cvf o.tar --exclude-tag=tag v k|-cf o.tar --exclude-tag-under tag v
-cf o.tar --exclude-tag-all=tag v
-cf o.tar --anchored --exclude=x --exclude=d/m* d|-cf o.tar --ignore-case --exclude X d
-cf o.tar --no-wildcards --exclude=* --exclude=x d
-cf o.tar --no-wildcards-match-slash --exclude=d/* d
-cf o.tar --no-anchored --exclude=sub/y d|-cf o.tar d --exclude=x a d/x
-cf o.tar a --exclude=x -T list
-cvf o.tar --newer-mtime=@1000003 d a|-cvf o.tar --newer-mtime=./d/x d
-cf o.tar --newer-mtime=/nope d
-cf o.tar --mtime=./d/x a|-cf o.tar --mtime=@1000003 --clamp-mtime d|-cf o.tar --clamp-mtime a
-cf o.tar --hard-dereference a hard|-clf o.tar hard|-clf o.tar a hard|-cf o.tar d ./d a
-chf o.tar l d
-cf o.tar -T moved|-cf o.tar --verbatim-files-from -T moved|-cf o.tar nl\\nx\\\\
-cf o.tar -T escaped
-cf o.tar --no-unquote nl\\nx\\\\|-cf o.tar --add-file=-C --add-file a
-cf o.tar --old-archive a d|-cf o.tar --record-size=1024 a|-cf o.tar --record-size=1000 a
-cf o.tar --utc a|-cf o.tar -B -S --one-file-system --warning=no-timestamp --atime-preserve a d
-cvf o.tar --mtime=@5 a|-cf o.tar a -C d
--delete -f plain.tar|-Af plain.tar long.tar|-Ac|--delete -xf a
-A|-xAf plain.tar|-cf o.tar -T nuls|-cf o.tar -T nuls --null
-cf o.tar --ignore-failed-read missing~{x} a|-cf o.tar d --no-recursion|-cf o.tar v --exclude-vcs
-cf o.tar --no-recursion d --recursion e|-cf o.tar d --no-wildcards
-cf o.tar d --null -T nuls --exclude-backups
-cf o.tar --exclude-backups --exclude-vcs v/a~ v/.git/c|-cvf o.tar --remove-files e/a e/a
-cf o.tar --remove-files --no-recursion d|-cf o.tar -H x a|-cf o.tar --sort=x a|-cf o.tar --sort= a
-cf o.tar --sort=in a|-cf o.tar -b x a|-cf o.tar --record-size=x a|-cf o.tar --record-size=2b a
-cf o.tar --atime-preserve=x a|-cf o.tar -S -H ustar a|-cf o.tar --strip-components=x a
"""
READ = """
xvf plain.tar -C to --transform s,d/,e/,
xf plain.tar -C to --transform s,^,k/j/, --strip-components=1
tf plain.tar --transform s,d,q,|tvf plain.tar --show-transformed-names --transform s,a,b,
xf plain.tar --one-top-level|xf plain.tar --one-top-level=to/./w/ d|xf no.tar.d --one-top-level
xvf plain.tar --one-top-level=d|xf out.tar --one-top-level=to|xf plain.tar --transform s,^,../,
tf plain.tar|tvf plain.tar|-tvvf plain.tar|tf plain.tar a|tf plain.tar d|tf plain.tar d/ nope
-tf plain.tar nope a|tf plain.tar --wildcards d/*|tf plain.tar d/*|tf plain.tar --wildcards *x
-t --exclude d -f plain.tar|tvf pax.tar|tvf ustar.tar|tvf long.tar|tvf out.tar|tvf links.tar
tvf odd.tar|tf odd.tar|tvf special.tar|tf cut.tar|tf cut_header.tar|tf cut_pad.tar|tf hurt.tar
tf empty.tar|tf zeros.tar|tf lone.tar|tf no.tar|tf missing.tar|tf d|tvf plain.tar --full-time
tvf plain.tar --numeric-owner|tvf plain.tar --utc l|-tzf plain.tar|-tf plain.tar --exclude=*words
xf plain.tar -C to|xvf plain.tar -C to|xvvf plain.tar -C to|xf plain.tar -C to a d
xf plain.tar a -C to d/x|xf pax.tar -C to|xf ustar.tar -C to|xf long.tar -C to|xvf out.tar -C to
xf links.tar -C to|xf clash.tar -C to|xf odd.tar -C to|xf cut_header.tar -C to|xf hurt.tar -C to
xf empty.tar -C to|xOf plain.tar|xOvf plain.tar a d/x|xf plain.tar|xkf plain.tar|xvf plain.tar -k
xf plain.tar --skip-old-files|xvf plain.tar --skip-old-files
xf plain.tar -C to --strip-components=1|xvf plain.tar -C to --strip-components 2
xpf plain.tar -C to|xmf plain.tar -C to a|xf plain.tar -C nope|xf plain.tar -T missing
tf plain.tar --strip-components=-3
xf plain.tar nope -C to|xf plain.tar -C to --wildcards *.o *x|xf clash.tar|xPf plain.tar -C to
xf plain.tar -C to --exclude=d|xf out.tar -C to --strip-components=1|-xf plain.tar -C to -- a
-df plain.tar|-dvf plain.tar|dvvf plain.tar a l|-df plain.tar nope a|-df plain.tar --exclude=d
-df plain.tar -C d x a|-df long.tar|-df special.tar|-df clash.tar|-df no.tar|-df out.tar
tf plain.tar --totals|xf long.tar --totals -C to|-df pax.tar|-df plain.tar --strip-components=1
-dvf plain.tar --transform s,x,y,|-df odd.tar
xf plain.tar --keep-newer-files|xvf plain.tar --keep-newer-files d/x a|xUf plain.tar -C to
tf plain.tar --no-anchored x|tf plain.tar --ignore-case D/X A|tf plain.tar --wildcards --anchored *x
tf plain.tar --wildcards --no-wildcards-match-slash *x */x|tf plain.tar --anchored --exclude=x
tf plain.tar --ignore-case --exclude=D/X|tf plain.tar --wildcards --no-anchored t*|tf twice.tar
tf twice.tar -i|xif twice.tar -C to|tf plain.tar --newer-mtime=@1000003|tf plain.tar --newer=@999999
tf plain.tar --utc|xf plain.tar --utc a -C to|xf plain.tar --no-overwrite-dir|xf long.tar -k -C to
-df plain.tar --one-top-level=e|tf odd.tar nl\\nx\\\\
tf odd.tar \\377|xf plain.tar -C to --keep-directory-symlink|xf plain.tar -C to -C nope a
xf plain.tar -k --skip-old-files|xf plain.tar --no-overwrite-dir --overwrite|xf plain.tar -UU -C to
xf plain.tar nope/ -C to|xf plain.tar --no-recursion d -C to|tf plain.tar --no-recursion d/
xf plain.tar -T list -C to|xf plain.tar -C to -C ../e|xf no.tar -C to
tf plain.tar d d/x|tf plain.tar d/x d|tf plain.tar d d/x --no-recursion|xf plain.tar d a d/x -C to
xpf plain.tar -C to --no-same-permissions|tOf plain.tar|tvOf plain.tar d
xf plain.tar --overwrite-dir --no-overwrite-dir|xf plain.tar -k --overwrite-dir
tPf plain.tar --one-top-level|tf plain.tar --show-stored-names
"""
FIXED = {"c": "--sort=name", "x": "--no-same-permissions"}


def words_of(call: str) -> list[str]:
    """Add the options that make the real tool sort names and omit details as keysh does."""
    words = [word.replace("~", " ").replace("LONG", LONG) for word in call.split(" ")]
    mode = next((mode for mode in "xc" if mode in words[0] and not words[0].startswith("--")), "")
    if "r" in words[0] or "u" in words[0]:
        mode = "c"
    if mode and len(words) > 1:
        words.insert(1 if words[0].startswith("-") and "f" not in words[0] else 2, FIXED[mode])
    return words


def said(answer: Answer) -> Answer:
    """Remove the hint at the help and the speed from an answer."""
    text = re.sub(r"[.\d?]+\w*/s\)", "N/s)", answer.err)
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("Try ")]
    return answer._replace(err="".join(lines))


@pytest.mark.parametrize("call", [*cases(CREATE), *cases(READ)])
def test_calls_match_gnu(tmp_path: Path, call: str) -> None:
    archives = [name for name in ARCHIVES if name in call]
    mine, real, here, there = run_both(
        tmp_path, "tar", words_of(call), lambda root: fill(root, archives)
    )
    assert said(mine) == said(real)
    # GNU gives a directory its time when the next member is not in it, and not again later.
    assert without_folder_times(here) == without_folder_times(there)


NAMES = st.lists(
    st.text(st.sampled_from("ab/.é \udcff\n-"), min_size=1, max_size=9).map("t/x{}y".format),
    unique_by=lambda name: name, max_size=6,
)  # fmt: skip


@settings(max_examples=40, derandomize=True, deadline=None)
@given(names=NAMES, data=st.data(), packing=st.sampled_from(["", "z", "j", "J"]))
def test_round_trip(names: list[str], data: st.DataObject, packing: str) -> None:
    fs = MemoryFS({"/t/one": "1"})
    for name in names:
        if ".." in name.split("/") or run_keysh("mkdir", "-p", os.path.dirname(name), fs=fs).status:
            continue  # a file is where a directory would be
        content = data.draw(st.binary(max_size=1100))
        try:
            with fs.open(os.path.normpath(f"/{name}"), "w") as stream:
                stream.write(content)
        except IsADirectoryError:
            continue
    fs.make_link("one", "/t/link")
    fs.link("/t/one", "/t/twin")
    made = run_keysh("tar", f"-c{packing}f", "-", "t", fs=fs)
    assert (made.status, made.err) == (0, "")
    there = MemoryFS()
    answer = run_keysh("tar", f"xp{packing}", fs=there, stdin=made.out)
    assert (answer.status, answer.err) == (0, "")
    assert image(there, "/t") == image(fs, "/t")
    with tarfile.open(fileobj=io.BytesIO(made.out), errors="surrogateescape") as file:
        assert len(file.getnames()) == len(image(fs, "/t")) + 1


def image(fs: MemoryFS, folder: str) -> dict[str, object]:
    """Return all paths in a directory."""
    result: dict[str, object] = {}
    for entry in fs.list(folder):
        path = f"{folder}/{entry.name}"
        stat = fs.stat(path)
        content: object = stat.links
        if stat.is_link:
            content = fs.read_link(path)
        elif stat.is_file:
            content = (fs.open(path).read(), stat.links)
        result[path] = (stat.mode, content, stat.modified // 10**9 if stat.is_file else 0)
        if stat.is_directory:
            result.update(image(fs, path))
    return result


PACKERS = {"z": "gzip", "j": "bzip2", "J": "xz"}  # programs that GNU tar runs


@pytest.mark.parametrize(
    ("letter", "end", "packer"),
    [
        ("z", "gz", "gzip"), ("j", "bz2", "bzip2"), ("J", "xz", "xz"), ("a", "tgz", "gzip"),
        ("a", "txz", "xz"),
    ],
)  # fmt: skip
def test_gnu_reads_our_archives(tmp_path: Path, letter: str, end: str, packer: str) -> None:
    need(packer)
    fill(tmp_path)
    with on_disk(tmp_path) as fs:
        assert run_keysh("tar", f"-c{letter}f", f"o.{end}", "d", "b", fs=fs) == Answer(0, b"", "")
        mine = run_keysh("tar", "-tvf", f"o.{end}", fs=fs, env={"TZ": "UTC"})
        assert run_gnu("tar", "-tvf", f"o.{end}", cwd=tmp_path, TZ="UTC") == mine
        assert run_gnu("tar", "-df", f"o.{end}", cwd=tmp_path) == Answer(0, b"", "")


@pytest.mark.parametrize("letter", PACKERS)
def test_gnu_archives_are_read(tmp_path: Path, letter: str) -> None:
    need(PACKERS[letter])
    fill(tmp_path)
    made = run_gnu("tar", "-c", f"-{letter}", "d", "b", "two words", cwd=tmp_path).out
    fs = MemoryFS({"/o": made})
    assert run_keysh("tar", "-xf", "/o", fs=fs) == Answer(0, b"", "")
    assert fs.open("/b").read() == (tmp_path / "b").read_bytes()
    assert fs.read_link("/d/up") == "../a"
    piped = run_keysh("tar", "-t", stdin=made)
    assert piped.status == 2
    assert f"tar: Archive is compressed. Use -{letter} option\n" in piped.err


@pytest.mark.parametrize("letter", "zJ")
@pytest.mark.parametrize("size", [20, -3, 0])
def test_truncated_compressed_archive_is_reported(tmp_path: Path, letter: str, size: int) -> None:
    need(PACKERS[letter])
    pack = {"z": gzip.compress, "J": lzma.compress}[letter]
    (tmp_path / "o").write_bytes(pack(PLAIN)[:size] if size else b"no such thing at all\n" * 90)
    with on_disk(tmp_path) as fs:
        mine = run_keysh("tar", f"-t{letter}f", "o", fs=fs)
    real = run_gnu("tar", f"-t{letter}f", "o", cwd=tmp_path)
    assert (mine.status, mine.err) == (real.status, real.err)


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_large_and_negative_numbers(form: int) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as out:
        info = tarfile.TarInfo("x")
        info.mtime, info.uid, info.gid = -5, 3_000_000, 4_000_000
        out.addfile(info)
    row = json.loads(run_keysh("tar", "--json", "-t", stdin=made.getvalue()).out)
    assert row == {
        "name": "x", "type": "file", "size": 0, "mode": "0644", "owner": 3_000_000,
        "group": 4_000_000, "modified": "1969-12-31T23:59:55Z",
    }  # fmt: skip


HOSTILE = archive(
    ("l", SYM, "/outside", b""), ("l/in", FILE, "", b"x"), ("m", SYM, "..", b""),
    ("m/in", FILE, "", b"x"), ("h", HARD, "/outside/kept", b""), ("../up", FILE, "", b"u"),
    ("/outside/abs", FILE, "", b"a"), ("n", HARD, "l", b""), ("n/in", FILE, "", b"y"),
    ("o", SYM, "../x", b""), ("o", FILE, "", b"instead"), ("c", DEVICE, "", b""),
)  # fmt: skip


@pytest.mark.parametrize("form", ["v7", "ustar", "gnu", "pax", "posix"])
def test_all_formats_are_read(tmp_path: Path, form: str) -> None:
    fill(tmp_path)
    os.utime(tmp_path / "b", ns=(OLD * 10**9, OLD * 10**9 + 120))
    names = ["a", "d", "b", "two words", "hard"]
    names += [] if form == "v7" else ["größe"]
    names += [LONG, os.path.dirname(LONG)] if form in ("gnu", "pax", "posix") else []
    with on_disk(tmp_path) as fs:
        assert run_keysh("tar", "-H", form, "-cf", "o", *names, fs=fs) == Answer(0, b"", "")
        mine = run_keysh("tar", "-tvf", "o", "--full-time", fs=fs, env={"TZ": "UTC"})
        assert run_keysh("tar", "-df", "o", fs=fs) == Answer(0, b"", "")
    assert run_gnu("tar", "-tvf", "o", "--full-time", cwd=tmp_path, TZ="UTC") == mine
    assert run_gnu("tar", "-df", "o", cwd=tmp_path) == Answer(0, b"", "")
    assert (b".00000012 b" in mine.out) == (form in ("pax", "posix"))


def test_differences_are_reported() -> None:
    fs = MemoryFS({"/a": "one", "/b": "two", "/c": "c", "/d/e": ""})
    fs.make_link("a", "/l")
    fs.link("/c", "/twin")
    assert run_keysh("tar", "cf", "o", "a", "b", "c", "twin", "d", "l", fs=fs).status == 0
    assert run_keysh("tar", "df", "o", fs=fs) == Answer(0, b"", "")
    when = fs.stat("/a").modified
    fs.open("/a", "w").write(b"ONE")
    fs.set_times("/a", when, when)
    fs.set_mode("/b", 0o600)
    for name in ("/twin", "/l", "/d/e"):
        fs.remove(name)
    fs.open("/twin", "x").write(b"c")
    fs.make_link("b", "/l")
    answer = run_keysh("tar", "df", "o", fs=fs)
    assert answer == Answer(
        1,
        b"a: Contents differ\nb: Mode differs\ntwin: Not linked to c\nl: Symlink differs\n",
        "tar: d/e: Warning: Cannot stat: No such file or directory\n",
    )


def test_archive_is_changed_in_place() -> None:
    long = "n" * 150
    fs = MemoryFS({"/a": "1", f"/{long}": "2" * 9000, "/z": "3", "/y": "4"})
    run_keysh("tar", "cf", "o", "a", long, "z", fs=fs)
    run_keysh("tar", "cf", "p", "y", fs=fs)
    assert run_keysh("tar", "--delete", "-f", "o", "a", fs=fs) == Answer(0, b"", "")
    assert run_keysh("tar", "-Af", "o", "p", "p", fs=fs) == Answer(0, b"", "")
    assert run_keysh("tar", "tf", "o", fs=fs).out == f"{long}\nz\ny\ny\n".encode()
    assert run_keysh("tar", "-df", "o", fs=fs) == Answer(0, b"", "")
    assert run_keysh("tar", "--delete", "-f", "o", long, "z", "y", fs=fs).status == 0
    assert fs.open("/o").read() == bytes(10240)


@pytest.mark.parametrize("name", ["cut.tar", "no.tar", "hurt.tar"])
def test_unreadable_archive_is_not_changed(name: str) -> None:
    fs = MemoryFS({"/o": PLAIN, "/bad": ARCHIVES[name]})
    for words in (["--delete", "-f", "bad", "a"], ["-Af", "bad", "o"], ["-Af", "o", "bad"]):
        assert run_keysh("tar", *words, fs=fs).status == 2
        assert (fs.open("/o").read(), fs.open("/bad").read()) == (PLAIN, ARCHIVES[name])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-I", "zstd", "-cf", "o", "a"], "-I takes one of gzip, bzip2, xz, lzma, pigz"),
            (["-I", "gzip -k", "-cf", "o", "a"], "-I takes a level for gzip, not '-k'"),
        (["--delete", "a"], "--delete takes an archive in a file"),
    ],
)  # fmt: skip
def test_unsupported_options_are_refused(words: list[str], says: str) -> None:
    answer = run_keysh("tar", *words, files={"/a": "1"})
    assert (answer.status, answer.out) == (2, b"")
    assert says in answer.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-wtf", "o"], "'--interactive' is refused: nobody can be asked"),
        (["-gs", "-cf", "o", "a"], "'--listed-incremental' is refused: use -u"),
        (["-cf", "o", "a", "--zstd"], "'--zstd' is refused: use -z, -j or -J"),
        (["cZf", "o", "a"], "'--compress' is refused: use -z, -j or -J"),
        (["--to-command=cat", "-xf", "o"], "'--to-command' is refused: no programs are run"),
    ],
)
def test_an_option_that_is_refused(words: list[str], says: str) -> None:
    fs = MemoryFS({"/a": "1"})
    answer = run_keysh("tar", *words, fs=fs)
    assert (answer.status, answer.out) == (64, b"")
    assert says in answer.err
    assert [entry.name for entry in fs.list("/")] == ["a"]


def test_nothing_is_extracted_outside() -> None:
    fs = MemoryFS({"/outside/kept": "1", "/to/deep/there": ""})
    answer = run_keysh("tar", "x", fs=fs, cwd="/to/deep", stdin=HOSTILE)
    assert answer.status == 2
    assert image(fs, "/outside").keys() == {"/outside/kept"}
    assert {entry.name for entry in fs.list("/to")} == {"deep"}
    assert fs.stat("/outside/kept").links == 1
    assert fs.read_link("/to/deep/l") == fs.read_link("/to/deep/n") == "/outside"
    assert fs.open("/to/deep/o").read() == b"instead"  # which came later than the link
    assert fs.open("/to/deep/outside/abs").read() == b"a"
    assert "tar: c: Cannot mknod: Operation not permitted\n" in answer.err


def test_absolute_names_are_kept_on_request() -> None:
    fs = MemoryFS({"/to/deep/there": "", "/outside/kept": "1"})
    answer = run_keysh("tar", "xP", "../up", "/outside/abs", fs=fs, cwd="/to/deep", stdin=HOSTILE)
    assert answer == Answer(0, b"", "")
    assert fs.open("/to/up").read() == b"u"
    assert fs.open("/outside/abs").read() == b"a"


def test_glob_after_two_dashes_yields_no_options() -> None:
    fs = MemoryFS({"/a": "1", "/-C": "2", "/--exclude=a": "3"})
    made = run_keysh("tar", "-cf", "o.tar", "--", "a", "-C", "--exclude=a", fs=fs)
    assert made == Answer(0, b"", "")
    assert run_keysh("tar", "tf", "o.tar", fs=fs).out == b"a\n-C\n--exclude=a\n"


@pytest.mark.parametrize("archive", ["cut.tar", "no.tar", "hurt.tar"])
def test_unreadable_archive_is_not_appended_to(archive: str) -> None:
    fs = MemoryFS({f"/{archive}": ARCHIVES[archive], "/b": "b"})
    assert run_keysh("tar", "-rf", archive, "b", fs=fs).status == 2
    assert fs.open(f"/{archive}").read() == ARCHIVES[archive]


def test_truncated_archive_is_partly_extracted() -> None:
    fs = MemoryFS()
    answer = run_keysh("tar", "x", fs=fs, stdin=PLAIN[: 512 * 4 + 3])
    assert (answer.status, answer.err) == (
        2, "tar: Unexpected EOF in archive\ntar: Error is not recoverable: exiting now\n"
    )  # fmt: skip
    assert fs.open("/d/x").read() == b"x\n"
    assert fs.stat("/d").modified == OLD * 10**9


def test_a_name_that_takes_memory_is_refused() -> None:
    answer = run_keysh("tar", "t", stdin=archive(("x" * 2_000_000, FILE, "", b"")))
    assert (answer.status, answer.out) == (2, b"")
    assert answer.err.startswith("tar: Malformed header in archive\n")


def damaged_header(offset: int, content: bytes) -> bytes:
    """Return an archive of two files; a field of the first header is damaged, the sum is right."""
    data = bytearray(archive(("a", FILE, "", b"1\n"), ("b", FILE, "", b"2\n")))
    data[offset : offset + len(content)] = content
    total = sum(data[:148]) + sum(data[156:512]) + 8 * 32
    data[148:156] = b"%06o\0 " % total
    return bytes(data)


def test_damaged_records_are_of_one_member() -> None:
    """The member after the one with damaged records is not blamed for them again."""
    damaged = archive(("é" * 80, FILE, "", b""), ("b", FILE, "", b""), form=tarfile.PAX_FORMAT)
    answer = run_keysh("tar", "t", stdin=damaged.replace(b" path=", b" path:"))
    assert answer.err.count("Malformed extended header") == 1


LONG_PAX = archive(("é" * 80, FILE, "", b""), ("b", FILE, "", b""), form=tarfile.PAX_FORMAT)


@pytest.mark.parametrize(
    "damaged",
    [
        LONG_PAX.replace(b" path=", b" path:"),
        LONG_PAX.replace(b"170 path", b"999 path"),
        LONG_PAX[:1024] + b"x" * 512 + LONG_PAX[1536:],  # the header that the record is for
        damaged_header(100, b"xxxxxxx"),
        damaged_header(100, b"1_1"),
        damaged_header(124, b"zz"),
        damaged_header(124, b" " * 12),
        damaged_header(136, b"9"),
        damaged_header(329, b"zzzz"),
        damaged_header(100, b"\0000644\0"),
    ],
)
def test_what_follows_a_damaged_header_is_listed(tmp_path: Path, damaged: bytes) -> None:
    answer = run_keysh("tar", "t", stdin=damaged)
    real = run_gnu("tar", "t", cwd=tmp_path, stdin=damaged)
    assert (answer.status, answer.out) == (real.status, real.out)
    assert answer.out.endswith(b"b\n")


def test_a_sparse_member_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "s").open("wb") as file:
        file.truncate(1_000_000)
        file.seek(500_000)
        file.write(b"x" * 5000)
    for form in ("gnu", "pax"):
        made = run_gnu("tar", "-cS", f"--format={form}", "s", cwd=tmp_path).out
        answer = run_keysh("tar", "x", stdin=made)
        assert answer.status == 2
        assert "sparse members are not extracted" in answer.err


def test_damaged_input_is_always_answered() -> None:
    chance = random.Random(5)
    for _ in range(150):
        hurt = bytearray(PLAIN[:6000])
        hurt[chance.randrange(len(hurt))] = chance.randrange(256)
        fs = MemoryFS({"/outside/kept": ""})
        assert run_keysh("tar", "xv", fs=fs, cwd="/", stdin=bytes(hurt)).status in (0, 2)


BOMB = gzip.compress(archive(("zeros", FILE, "", bytes(10**6))))


def test_tar_in_a_pipeline() -> None:
    shell = Shell(files={"/d/a": "1\n", "/d/b c": "2\n", "/bomb.tgz": BOMB},
                  limits=Limits(output=None, unpacked=100_000))  # fmt: skip
    assert shell.run("tar -cz d | tar -tz").stdout == "d/\nd/a\nd/b c\n"
    assert shell.run("tar cf - -C d . | (mkdir e; cd e; tar x; cat a 'b c')").stdout == "1\n2\n"
    bomb = shell.run("tar tf bomb.tgz")
    assert (bomb.code, bomb.limit.kind if bomb.limit else "") == (125, "unpacked")


def test_deep_member_name_does_not_outlast_the_timeout() -> None:
    steps, more = (archive(("a/" * count, FILE, "", b"")) for count in (16_000, 16_385))
    shell = Shell(files={"/t.tar": steps, "/m.tar": more}, limits=Limits(seconds=20))
    assert shell.run("tar tf t.tar | wc -c").stdout == "32001\n"
    assert shell.run("tar tf t.tar --exclude=c", timeout=0.05).code == 124
    assert "Malformed header" in shell.run("tar tf m.tar").stderr


def test_implied_directories_stay_inside() -> None:
    answer = run_keysh(
        "tar", "xf", "/d/...tar", "--one-top-level", files={"/d/...tar": PLAIN}, cwd="/d"
    )
    assert answer.status == 2
    assert answer.err.startswith("tar: Cannot deduce top-level directory name")


def test_full_disk_is_reported_for_each_member() -> None:
    packed = archive(("one", FILE, "", bytes(5000)), ("two", FILE, "", b"2"))
    fs = MemoryFS({"/f.tar": packed}, max_bytes=len(packed) + 1000)
    answer = run_keysh("tar", "xf", "f.tar", fs=fs)
    assert answer.status == 2
    assert answer.err.startswith("tar: one: Cannot write: No space left on device\n")
    assert fs.open("/two").read() == b"2"
