"""gzip, bzip2 and xz: tables against the real tools, round trips, damage, and limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pty
import random
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.archive_copies import cases, make_old, run_both
from commands.command_runner import Answer, on_disk, run_gnu, run_keysh
from commands.directory_tree import Tree
from keysh import Limits, Shell
from keysh.cli.command_line import CliOptions
from keysh.cli.setup import limits_of
from keysh.vfs.memory.filesystem import MemoryFS
from real_tools import need

LINES = "".join(f"{n}\n" for n in range(1, 1001)).encode()
END = {"gzip": "gz", "bzip2": "bz2", "xz": "xz"}
PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0), "bzip2": bz2.compress, "xz": lzma.compress,
}  # fmt: skip
UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.decompress, "bzip2": bz2.decompress, "xz": lzma.decompress,
}  # fmt: skip


def filler(name: str, call: str) -> Callable[[Path], None]:
    """Create files to compress, compressed files, and compressed files with each kind of damage.

    There are only those that a call may be about.
    """
    words = tuple(call.split(" "))
    end, pack = END[name], PACK[name]
    packed = pack(b"hello\n")
    long = pack(LINES)
    hurt = bytearray(long)
    hurt[-6 if name == "gzip" else len(hurt) // 3] ^= 0xFF  # in gzip's sum: inflaters differ
    contents = {
        "a": b"hello\n", "n": LINES, "e": b"", "d/x": b"x\n", "d/y": b"y\n", "h1": b"h",
        "text.txt": LINES * 3, f"a.{end}": packed, f"p.{end}": long, f"d/z.{end}": packed,
        f"cut.{end}": packed[:20], f"cut2.{end}": long[:-3], f"no.{end}": b"no such thing at all\n",
        f"nothing.{end}": b"", f"two.{end}": packed + long, f"junk.{end}": packed + b"garbage\n",
        f"junk2.{end}": packed + b"much more garbage than that\n", f"hurt.{end}": bytes(hurt),
        f"zeros.{end}": packed + bytes(100), f"zeros2.{end}": packed + bytes(7), "odd.foo": packed,
        f"begun.{end}": packed[:2], f"q.t{end}": packed, f"s.{end}": packed, f"ends.{end}": long,
        f"big.{end}": pack(LINES * 9), f"up.{end.upper()}": packed, "su": b"s\n",
    }  # fmt: skip

    def fill(root: Path) -> None:
        (root / "d").mkdir()
        for file, content in contents.items():
            if file.startswith(words) or file in ("a", "h1", f"p.{end}"):
                (root / file).write_bytes(content)
        os.link(root / "h1", root / "h2")
        (root / "l").symlink_to("a")
        (root / f"l2.{end}").symlink_to(f"p.{end}")
        if "n" in words:
            (root / "n").chmod(0o640)
        if "su" in words:
            (root / "su").chmod(0o4755)
        make_old(root)

    return fill


def readable(actual: Tree) -> Tree:
    """Compare compressed files by their content: their bytes depend on the compressor."""
    plain: Tree = {}
    for name, (mode, content, same, time) in actual.items():
        displayed = content
        for kind, unpack in UNPACK.items():
            if isinstance(content, bytes) and name.endswith((END[kind], ".q")):
                try:
                    displayed = (kind, unpack(content))
                except (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error):
                    continue
                break
        plain[name] = (mode, displayed, same, time)
    return plain


COMMON = """
missing|-d missing|d|-d a|a.@|a|-f a|l|-f l|-k l|h1|-f h1|-k h1|-v n|-t a.@ p.@|-tv a.@|-dv p.@
-c d|-kv e|-d a.@|-fd a.@|-dc a n|-fdc a n|-fdc a.@ n|-d l2.@|-df l2.@|-dc l2.@|-d p.@|-dk p.@|-x
-d cut.@|-t cut.@|-dc cut.@|-d cut2.@|-t cut2.@|-dc cut2.@|-t no.@|-d no.@|-dc no.@ p.@
-t nothing.@|-d nothing.@|-dc two.@|-dk two.@|-dk junk.@|-dc junk.@|-t junk.@|-dc junk2.@
-t junk2.@|-dq junk2.@|-t hurt.@|-d hurt.@|-tv hurt.@|-dc zeros.@|-t zeros.@|-t zeros2.@
-d odd.foo|-dv odd.foo|-t begun.@|-dv q.t@|-t q.t@ s.@ missing.@|-q d|-q a.@|-qd a|-1k n|-9kv n
-6 -k n|-kf9 n|n e|-d s.@ p.@|-kd missing.@ s.@ p.@|n missing d e|-- n|-cdf odd.foo|-qd odd.foo
-k n n|--best -k n|--fast -k n|--keep --verbose n|--decompress --stdout s.@|--test s.@
--force --quiet h1|-dc -|-t -|-dfc -|-tv ends.@|-dc hurt.@ p.@|-t hurt.@ p.@|-dc cut.@ p.@
-dcq hurt.@|-dcq cut.@|-t no.@ cut.@ p.@|-tv no.@|-q l|-qv n|-vq n|-dc h1
-d p.@ hurt.@ a.@
"""
OWN = {
    "gzip": """
-l a.gz p.gz|-lv a.gz|-l p.gz|-l n|-lq a.gz p.gz|-l missing.gz|-N -l a.gz|-lv a.gz p.gz|-l cut.gz
-rkv d|-rd d|-r d|-rk d/x|-rv d|-S .q -k n|-S .q -dv a.q|-Nd a.gz|-nk n|-nv n|-d s|-d p s|-t s
-rt d|-lN p.gz|-vvk n|-dN p.gz|-dkS .foo odd.foo|-qr d|-rqd d|--uncompress -k p|-l -|-rl d
-k two.gz|-f a.gz|-fv p.gz missing.gz|-fk s.gz|-l p.gz junk.gz p.gz|-l p.gz hurt.gz p.gz
-l p.gz cut.gz p.gz|-l p.gz no.gz|-l missing p.gz|-l p.gz zeros.gz p.gz|-lqv p.gz a.gz|-lvq p.gz
-dcf junk.gz|-dcf zeros.gz|-tf no.gz junk.gz|-tv zeros.gz|-dcv zeros.gz|-d up.GZ|up.GZ|-k su|-fk su
-cf su|-df -|-dcvk p.gz|-dcv p.gz|-lvN a.gz s.gz|-lv s.gz
-a -k n|--rsyncable -k n|--synchronous -k n|-d no.gz|-dc begun.gz p.gz|-qn n
""",
    "bzip2": """
-ks n|-k1s n|-zk n|-dz n|-s9 -kf n|-kz p.bz2|-zd p.bz2|-kvv0 n|-dvk s.bz2 p.bz2|-vk text.txt n
-tc a.bz2|-tz n|-zt a.bz2|-td n|-df n|-k - n|-dv n|--repetitive-best -k n|--repetitive-fast -k n
-d hurt.bz2 s.bz2 p.bz2|-qd cut.bz2 s.bz2|-ct -
""",
    "xz": """
-l a.xz|-l a.xz p.xz missing.xz|-l n|-l two.xz|-l zeros.xz|-l zeros2.xz|-l cut.xz|-ql p.xz
-l big.xz|-l s.xz two.xz ends.xz|-l nothing.xz|-l d|-l hurt.xz
-qq missing|-Q d|-Qq d|-F lzma -k n|-S .q -k n|-C none -k n|-C sha256 -kv text.txt|-0e -k n|-zk n
-Fxz -d s.xz|-Flzma -d s.xz|-Flzma -l p.xz|--single-stream -dc two.xz|--single-stream -dc junk.xz
-C md5 n|-F odd n|-k su|-fk su|-qqv missing n|-vqd a|-M 1GiB -k n|-T0 --block-size 1000 -k n
--no-sparse --no-adjust -dk s.xz|-dfc n|-dfk n|-df -|-Fauto -k n
-T x n|-T -1 n|--block-size=x n|--block-size=1KiB -k n
-td s.xz|-dt s.xz|-lt s.xz|-tl s.xz|-tz -k n|-zt s.xz|-ld s.xz
-Qd odd.foo|-dk -S .foo odd.foo|-T0 -k n|-vk text.txt e|--format=xz -k n|-zvf a|-qv -k n
""",
}
PACKED_INPUT = {"-l -", "-dc -", "-t -"}
# What the real bzip2 does wrong: -x prints all of its help, a copy's mode is lost where garbage
# follows, input that is not packed is lost, and so is the last block before a missing end. The
# real xz shows how far it has come, and gives what it has read before the damage.
REAL_IS_ODD = {
    ("bzip2", "-x"), ("bzip2", "-kvv0 n"), ("bzip2", "-dk junk.bz2"), ("bzip2", "-dq junk2.bz2"),
    ("bzip2", "-dfc -"), ("bzip2", "-dc cut2.bz2"), ("xz", "-tv hurt.xz"),
    ("xz", "-dc hurt.xz p.xz"), ("xz", "-dcq hurt.xz"),
}  # fmt: skip

CALLS = [(name, call.replace("@", END[name])) for name in END for call in cases(COMMON + OWN[name])]
CALLS = [case for case in CALLS if case not in REAL_IS_ODD]


def said(name: str, answer: Answer) -> Answer:
    """Remove the hint at the help from an answer, and sort the files of -r.

    The real bzip2 prints a stale errno as the reason when a file ends too early.
    """
    text = re.sub(r"  \*Possible\* reason follows\.\nbzip2: .*", "", answer.err)
    lines = [line for line in text.splitlines(keepends=True)
             if not line.startswith(("Try ", "xz: Try "))]  # fmt: skip
    return answer._replace(err="".join(sorted(lines) if name == "gzip" else lines))


@pytest.mark.parametrize(("name", "call"), CALLS, ids=lambda value: value)
def test_calls_match_the_real_tool(tmp_path: Path, name: str, call: str) -> None:
    stdin = PACK[name](b"from a pipe\n") if call in PACKED_INPUT else b"from a pipe\n"
    mine, real, here, there = run_both(tmp_path, name, call.split(" "), filler(name, call), stdin)
    mine, real = said(name, mine), said(name, real)
    assert mine == real
    assert readable(here) == readable(there)


@settings(max_examples=30, derandomize=True, deadline=None)
@given(name=st.sampled_from(sorted(END)), data=st.binary(max_size=2000), times=st.integers(0, 300))
def test_round_trip(name: str, data: bytes, times: int) -> None:
    plain = data * times
    packed = run_keysh(name, "-c", stdin=plain)
    assert (packed.status, packed.err) == (0, "")
    assert UNPACK[name](packed.out) == plain
    assert run_keysh(name, "-dc", stdin=PACK[name](plain) * 2) == Answer(0, plain * 2, "")


@pytest.mark.parametrize("name", END)
@pytest.mark.parametrize("level", ["-1", "-4", "-9"])
def test_real_tool_reads_our_output(tmp_path: Path, name: str, level: str) -> None:
    plain = random.Random(1).randbytes(300_000) + bytes(300_000)
    packed = run_keysh(name, level, stdin=plain)
    assert run_gnu(name, "-dc", cwd=tmp_path, stdin=packed.out) == Answer(0, plain, "")


@pytest.mark.parametrize("name", END)
def test_damaged_input_is_always_answered(name: str) -> None:
    """Damage anywhere in a file is reported, and the output is a part of the whole."""
    packed = PACK[name](LINES)
    chance = random.Random(2)
    for _ in range(60):
        hurt = bytearray(packed)
        hurt[chance.randrange(len(hurt))] ^= 1 << chance.randrange(8)
        cut = packed[: chance.randrange(len(packed))]
        assert run_keysh(name, "-dc", stdin=cut).status != 0
        assert run_keysh(name, "-t", stdin=bytes(hurt)).status in (0, 1, 2)
        assert LINES.startswith(run_keysh(name, "-dc", stdin=cut).out)


@pytest.mark.parametrize("name", END)
def test_decompression_bomb_meets_the_limit(name: str) -> None:
    bomb = PACK[name](bytes(1_000_000))
    for script in (
        f"{name} -d b.{END[name]}",
        f"{name} -t b.{END[name]}",
        f"{name} -dc < b.{END[name]}",
    ):
        shell = Shell(files={f"/b.{END[name]}": bomb}, limits=Limits(output=None, unpacked=100_000))
        result = shell.run(script)
        assert (result.code, result.limit.kind if result.limit else "") == (125, "unpacked")
        assert [entry.name for entry in shell.fs.list("/") if entry.name[:2] == "b."] == [
            f"b.{END[name]}"
        ]


def test_unpacked_bytes_of_a_run_add_up() -> None:
    packed = gzip.compress(bytes(60_000))
    shell = Shell(files={"/a.gz": packed, "/b.gz": packed}, limits=Limits(unpacked=100_000))
    assert shell.run("gzip -dk a.gz").code == 0
    assert shell.run("gzip -dk b.gz").code == 0
    result = shell.run("zcat a.gz | wc -c; zcat b.gz | wc -c")
    assert (result.code, result.stdout) == (125, "60000\n")
    assert result.limit is not None
    assert (result.limit.kind, result.limit.allowed) == ("unpacked", 100_000)


def test_program_has_an_unpack_limit_where_one_is_set(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(60_000)))
    command = [sys.executable, "-m", "keysh", "--limit", "unpacked=1000", "-c", "gzip -d a.gz"]
    actual = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=20, check=False)
    assert actual.returncode == 125
    assert actual.stderr.startswith(b"keysh: limit reached: unpacked: 60000 used, 1000 allowed")
    assert os.listdir(tmp_path) == ["a.gz"]
    assert limits_of(CliOptions()).unpacked is None


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz"])
def test_empty_streams_do_not_outlast_the_timeout(name: str) -> None:
    many = PACK[name](b"") * 100_000
    shell = Shell(files={"/a": many}, limits=Limits(seconds=20))
    assert shell.run(f"{name} -dc < a", timeout=0.05).code == 124


@pytest.mark.parametrize("count", [4, 400, 4_000_000, 4_000_002])
def test_xz_stream_padding_is_skipped_in_fours(count: int) -> None:
    packed = lzma.compress(b"x") + bytes(count)
    is_whole = count % 4 == 0
    answer = run_keysh("xz", "-dc", stdin=packed)
    assert (answer.status, answer.out) == (0 if is_whole else 1, b"x")
    listed = run_keysh("xz", "-l", "/a.xz", files={"/a.xz": packed})
    assert (listed.status, "corrupt" in listed.err) == (0 if is_whole else 1, not is_whole)


def hungry(older: bool) -> bytes:
    """A small file of xz, or of the format before it, that asks for gigabytes of memory."""
    if older:
        packed = lzma.compress(b"x", lzma.FORMAT_ALONE)
        return packed[:1] + (1 << 31).to_bytes(4, "little") + packed[5:]
    packed = lzma.compress(b"x")
    size = 4 * (packed[12] + 1)  # of the header of the block
    head = bytearray(packed[12 : 12 + size - 4])
    at = head.index(b"\x21\x01") + 2  # LZMA2, whose one property is the size of its dictionary
    head[at] = 39  # 3 GiB
    return packed[:12] + head + zlib.crc32(head).to_bytes(4, "little") + packed[12 + size :]


@pytest.mark.parametrize("older", [False, True])
def test_excessive_memory_demand_is_refused(tmp_path: Path, older: bool) -> None:
    end = "lzma" if older else "xz"
    name = f"a.{end}"
    (tmp_path / name).write_bytes(hungry(older))
    answer = run_keysh("xz", "-dk", name, files={f"/{name}": hungry(older)})
    assert answer == Answer(1, b"", f"xz: {name}: Memory usage limit reached\n")
    real = run_gnu("xz", "-dk", "-M256MiB", "-q", name, cwd=tmp_path)
    assert (real.status, real.err.splitlines()[0]) == (1, answer.err.rstrip("\n"))
    if not older:
        packed = run_keysh("tar", "xJf", name, files={f"/{name}": hungry(older)})
        assert (packed.status, "xz: (stdin): Memory usage limit" in packed.err) == (2, True)


TERMINAL = """
gzip; gzip -c < f | wc -c > /dev/null; gzip -d; gzip -t; bzip2; bzip2 -c f; bzip2 -d; xz; xz -cf f
xz -dc; tar c f; tar cz f; tar t; tar xz; zip - f; gzip -c f > g && echo packed
"""


def on_a_terminal(words: list[str], folder: Path) -> str:
    """Return the output of a program that runs on a terminal."""
    near, far = pty.openpty()
    with subprocess.Popen(
        words, cwd=folder, stdin=far, stdout=far, stderr=far, start_new_session=True,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
    ) as process:  # fmt: skip
        os.close(far)
        os.write(near, b"\4" * 20)  # a program that reads nevertheless must end
        said = bytearray()
        try:
            while piece := os.read(near, 4096):
                said += piece
        except OSError:  # on Linux: the other end is closed
            pass
        os.close(near)
        process.wait(20)
    return said.decode().replace("\r\n", "\n").replace("gzip -h", "gzip --help")


def test_compressed_data_is_not_written_to_or_read_from_a_terminal(tmp_path: Path) -> None:
    need("gzip", "bzip2", "xz", "tar", "zip")
    (tmp_path / "f").write_text("f\n")
    real = on_a_terminal(["sh", "-c", TERMINAL], tmp_path)
    (tmp_path / "g").unlink()
    mine = on_a_terminal([sys.executable, "-m", "keysh", "-c", TERMINAL], tmp_path)
    assert mine == real
    assert mine.count("terminal") == 14
    assert mine.endswith("packed\n")


def test_stored_name_stays_in_its_directory() -> None:
    made = io.BytesIO()
    with gzip.GzipFile("../../evil", "wb", fileobj=made, mtime=7) as file:
        file.write(b"x")
    fs = MemoryFS({"/d/e/b.gz": made.getvalue().replace(b"evil\0", b"../../evil\0", 1)})
    assert run_keysh("gunzip", "-N", "/d/e/b.gz", fs=fs).status == 0
    assert [entry.name for entry in fs.list("/d/e")] == ["evil"]
    assert [entry.name for entry in fs.list("/d")] == ["e"]


def test_pipes() -> None:
    shell = Shell(files={"/a": LINES})
    assert shell.run(
        "gzip -c a | zcat | bzip2 | bzcat | xz | xzcat | cmp - a && echo same"
    ).stdout == ("same\n")
    assert shell.run("lzma -k a && unlzma -c a.lzma | tail -1").stdout == "1000\n"
    assert shell.run("yes | gzip -c | zcat | head -n 1").stdout == "y\n"


@pytest.mark.parametrize(
    ("name", "suffix"), [("gzip", ""), ("gzip", "/"), ("xz", "/"), ("xz", "a/b")]
)
def test_invalid_suffixes(tmp_path: Path, name: str, suffix: str) -> None:
    (tmp_path / "n").write_bytes(LINES)
    with on_disk(tmp_path) as fs:
        mine = run_keysh(name, "-kS", suffix, "n", fs=fs)
    assert mine == run_gnu(name, "-kS", suffix, "n", cwd=tmp_path)
    assert os.listdir(tmp_path) == ["n"]


def test_full_disk_leaves_no_partial_file() -> None:
    fs = MemoryFS({"/a.gz": gzip.compress(random.Random(3).randbytes(5000))}, max_bytes=6000)
    answer = run_keysh("gunzip", "a.gz", fs=fs)
    assert answer == Answer(1, b"", "gzip: a: No space left on device\n")
    assert [entry.name for entry in fs.list("/")] == ["a.gz"]
