"""Archives and compressed files: damaged ones, and what Python reads of those that keysh writes."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import re
import tarfile
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Callable
from io import BytesIO
from random import Random

from fuzz.fields import Unfit
from fuzz.mutation import ByteMutator, random_bytes, random_text
from fuzz.runs import run

NAME_CHARACTERS = "abcé .-_[*\\'\"\n"
MOST_NAME_CHARACTERS = 150
TIME = 1_700_000_000
STRAY = re.compile("[\ud800-\udfff]")  # bytes that are not UTF-8, which no archive of Python has
SIZE = re.compile(r"[0-9]{1,5}")
# Sizes at which blocks of archives end.
SIZES = (0, 1, 511, 512, 513, 10_240)


def tar_samples() -> list[bytes]:
    """Return archives of Python's tarfile in each of its forms."""
    samples = []
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        stream = BytesIO()
        with tarfile.open(fileobj=stream, mode="w", format=form) as archive:
            for name, kind, link in (
                ("dir", tarfile.DIRTYPE, ""), ("dir/file", tarfile.REGTYPE, ""),
                ("n" * 90 + "/" + "é" * 30, tarfile.REGTYPE, ""),
                ("soft", tarfile.SYMTYPE, "dir/file"),
                ("hard", tarfile.LNKTYPE, "dir/file"), ("pipe", tarfile.FIFOTYPE, ""),
            ):  # fmt: skip
                member = tarfile.TarInfo(name)
                member.type, member.linkname, member.mtime = kind, link, TIME
                content = b"content of it\n" if kind == tarfile.REGTYPE else b""
                member.size = len(content)
                archive.addfile(member, BytesIO(content))
        samples.append(stream.getvalue().rstrip(b"\0") + bytes(1024))
    return samples


def zip_samples() -> list[bytes]:
    """Return archives of Python's zipfile with each of its methods."""
    samples = []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        stream = BytesIO()
        with zipfile.ZipFile(stream, "w", method) as archive:
            archive.comment = b"a comment"
            archive.writestr("dir/file.txt", b"some content, some content\n")
            archive.writestr("é", b"")
            archive.writestr("../up", b"x")
        samples.append(stream.getvalue())
    return samples


def packed_samples() -> list[bytes]:
    """Return compressed files: of one piece, of two, and of nothing."""
    packers: tuple[Callable[[bytes], bytes], ...] = (
        lambda data: gzip.compress(data, mtime=0), bz2.compress, lzma.compress,
        lambda data: lzma.compress(data, lzma.FORMAT_ALONE),
    )  # fmt: skip
    return [
        data
        for pack in packers
        for data in (pack(b""), pack(b"some text " * 40), pack(b"one") + pack(b"two"))
    ]


def maker_of(samples: Callable[[], list[bytes]]) -> Callable[[Random], Callable[[], bytes]]:
    """Return a maker that damages these samples."""
    return lambda random: ByteMutator(samples(), random).data


def repaired_tar(data: bytes) -> bytes:
    """Return an archive with the right sums in its headers, so that the rest of them is read."""
    blocks = [data[at : at + 512] for at in range(0, len(data), 512)]
    for number, block in enumerate(blocks):
        if len(block) == 512 and b"ustar" in block[250:270]:
            total = sum(block[:148]) + sum(block[156:]) + 8 * 32
            blocks[number] = block[:148] + b"%06o\0 " % total + block[156:]
    return b"".join(blocks)


def tar_holds(data: bytes) -> None:
    """tar lists and extracts a damaged archive, or refuses it."""
    for archive in (data, repaired_tar(data)):
        run("tar tvf /a; mkdir /d; tar xf /a -C /d; tar df /a -C /d", {"/a": archive})


def zip_holds(data: bytes) -> None:
    """unzip lists, tests and extracts a damaged archive, or refuses it."""
    run(
        "unzip -v /a; unzip -t /a; mkdir /d; unzip -o /a -d /d; zip -d /a dir/file.txt",
        {"/a": data},
    )


def packed_holds(data: bytes) -> None:
    """An unpacker refuses damaged data, or what it unpacks is what Python finds there."""
    for name, unpack in (("gzip", gzip.decompress), ("bzip2", bz2.decompress)):
        result = run(f"{name} -dc < /a > /b && {name} -t < /a && base64 -w0 /b", {"/a": data})
        with contextlib.suppress(OSError, EOFError, ValueError, zlib.error):
            content = unpack(data)
            assert result.code or b64decode(result.stdout) == content, name
    run("xz -dc < /a; xz -t < /a; xz -l /a", {"/a": data})


# ------------------------------------------------------------ what keysh writes


def pack_maker(random: Random) -> Callable[[], bytes]:
    return lambda: random_bytes(random)


def pack_holds(data: bytes) -> None:
    """Python unpacks what keysh has packed to the same bytes; keysh does too."""
    for name, unpack in (
        ("gzip", gzip.decompress),
        ("bzip2", bz2.decompress),
        ("xz", lzma.decompress),
    ):
        script = f"{name} -c < /a > /p; {name} -dc < /p | cmp - /a && base64 -w0 /p"
        result = run(script, {"/a": data})
        assert result.code == 0, f"{name}: {result.stderr}"
        assert unpack(b64decode(result.stdout)) == data, name


def names_maker(random: Random) -> Callable[[], str]:
    def text() -> str:
        count = random.randint(1, 4)
        sizes = [str(random.choice(SIZES)) for _ in range(count)]
        names = [random_text(random, NAME_CHARACTERS, MOST_NAME_CHARACTERS) for _ in range(count)]
        return "\0".join([*sizes, *names])

    return text


def names_hold(data: str) -> None:
    """Python's tarfile and zipfile find the files that keysh has archived."""
    words = data.split("\0")
    sizes, names = words[: len(words) // 2], words[len(words) // 2 :]
    if len(sizes) != len(names) or not all(map(SIZE.fullmatch, sizes)) or STRAY.search(data):
        raise Unfit
    files = {
        f"/d/x{name[:100].replace('/', '')}": b"y" * int(size)
        for size, name in zip(sizes, names, strict=True)
    }
    wanted = {path[3:]: content for path, content in files.items()}
    for form in ("gnu", "pax"):
        result = run(f"cd /d; tar -c --no-unquote --format={form} -f /t * && base64 -w0 /t", files)
        assert result.code == 0, result.stderr
        with tarfile.open(fileobj=BytesIO(b64decode(result.stdout))) as archive:
            found = {member.name: archive.extractfile(member) for member in archive}
            assert {name: file.read() if file else None for name, file in found.items()} == wanted
    result = run("cd /d; zip -q /z.zip * && base64 -w0 /z.zip", files)
    assert result.code == 0, result.stderr
    with zipfile.ZipFile(BytesIO(b64decode(result.stdout))) as packed:
        assert packed.testzip() is None
        assert {name: packed.read(name) for name in packed.namelist()} == wanted


TARGETS = {
    "tar": (maker_of(tar_samples), tar_holds),
    "zip": (maker_of(zip_samples), zip_holds),
    "packed": (maker_of(packed_samples), packed_holds),
    "pack": (pack_maker, pack_holds),
    "names": (names_maker, names_hold),
}
