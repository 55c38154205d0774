"""Hostile archives and files, by path: they name what is outside, lie about sizes, or are bombs."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import sqlite3
import struct
import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Callable
from functools import cache

import archive_lies

OUT = "../../outside"
BOMB_BYTES = 48 << 20  # more than a script may unpack

Member = tuple[tarfile.TarInfo, bytes]


def tar_of(*members: Member, end: bool = True) -> bytes:
    """Return an archive of headers as they are given, right or wrong."""
    packed = io.BytesIO()
    for header, data in members:
        packed.write(header.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape"))
        packed.write(data + bytes(-len(data) % 512))
    return packed.getvalue() + (bytes(1024) if end else b"")


def member(name: str, data: bytes = b"", **attributes: object) -> Member:
    header = tarfile.TarInfo(name)
    header.size = len(data)
    for attribute, value in attributes.items():
        setattr(header, attribute, value)
    return header, data


def link(name: str, target: str) -> Member:
    return member(name, type=tarfile.SYMTYPE, linkname=target)


def hard_link(name: str, target: str) -> Member:
    return member(name, type=tarfile.LNKTYPE, linkname=target)


def patched(archive: bytes, at: int, field: bytes) -> bytes:
    """Return a tar archive with a field of its first header replaced, and the right checksum."""
    header = bytearray(archive[:512])
    header[at : at + len(field)] = field
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + archive[512:]


def pax(records: dict[str, str], *after: Member) -> bytes:
    lines = b""
    for key, value in records.items():
        text = f" {key}={value}\n".encode("utf-8", "surrogateescape")
        size = len(text) + len(str(len(text) + 5))
        lines += str(size).encode() + text
    return tar_of(member("pax", lines, type=tarfile.XHDTYPE), *after)


def tars() -> dict[str, bytes]:
    plain = member("f", b"evil")
    size_at, type_at = 124, 156
    return {
        "dotdot": tar_of(member(f"{OUT}/new", b"evil")),
        "dotdot-inside": tar_of(member(f"a/b/../../{OUT}/new", b"evil")),
        "dotdot-overwrite": tar_of(member(f"{OUT}/secret", b"evil")),
        "dotdot-directory": tar_of(member(f"{OUT}/d", type=tarfile.DIRTYPE, mode=0o777)),
        "absolute": tar_of(member("/evil-new", b"evil"), member("//etc/passwd", b"evil")),
        "link-through": tar_of(link("w", OUT), member("w/new", b"evil")),
        "link-chain": tar_of(
            link("a", "."), link("a/b", ".."), link("a/b/c", OUT), member("a/b/c/new", b"evil")
        ),
        "link-absolute": tar_of(link("w", "/"), member("w/evil-new", b"evil")),
        "link-replaced": tar_of(
            member("w", type=tarfile.DIRTYPE), link("w", OUT), member("w/new", b"evil")
        ),
        "link-file": tar_of(link("w", f"{OUT}/secret"), member("w", b"evil")),
        "link-later": tar_of(member("w/new", b"evil"), link("w", OUT), member("w/two", b"evil")),
        "link-mode": tar_of(link("w", f"{OUT}/secret"), member("w", mode=0o777)),
        "link-loop": tar_of(link("a", "b"), link("b", "a"), member("a/f", b"evil")),
        "link-hard": tar_of(hard_link("h", f"{OUT}/secret"), member("h", b"evil")),
        "link-hard-absolute": tar_of(hard_link("h", "/etc/passwd")),
        "link-hard-through": tar_of(link("w", OUT), hard_link("h", "w/secret"), member("h", b"x")),
        "device": tar_of(
            member("null", type=tarfile.CHRTYPE, devmajor=1, devminor=3),
            member("disk", type=tarfile.BLKTYPE, devmajor=8, devminor=0),
        ),
        "fifo": tar_of(member("p", type=tarfile.FIFOTYPE)),
        "setuid": tar_of(member("s", b"#!/bin/sh\nid\n", mode=0o6777, uid=0)),
        "pax-path": pax({"path": f"{OUT}/new"}, plain),
        "pax-linkpath": pax({"linkpath": f"{OUT}/secret"}, link("w", "x"), member("w", b"evil")),
        "pax-size": pax({"size": "9" * 30}, plain),
        "pax-size-negative": pax({"size": "-1024"}, plain),
        "pax-many": pax({f"k{n}": "v" for n in range(50_000)}, plain),
        "pax-time": pax({"mtime": "9" * 5000, "uid": "9" * 5000}, plain),
        "pax-sparse": pax(
            {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "9" * 15},
            member("f", b"1\n99999999999999\n1\n" + bytes(500)),
        ),
        "pax-length": tar_of(member("x", b"99999999999 path=a\n", type=tarfile.XHDTYPE), plain),
        "pax-noise": tar_of(member("x", b"x" * 512, type=tarfile.XHDTYPE), plain),
        "pax-chain": tar_of(*[member("x", b"9 a=bcde\n", type=tarfile.XHDTYPE)] * 5000, plain),
        "pax-global": tar_of(member("g", b"12 path=../x\n", type=tarfile.XGLTYPE), plain),
        "long-name": tar_of(member("a/" * 3000 + "f", b"evil")),
        "long-name-deep": tar_of(member("d/" * 60_000 + "f", b"evil")),
        "long-link": patched(
            tar_of(member("././@LongLink", b"x", type=tarfile.GNUTYPE_LONGNAME), plain),
            size_at,
            b"77777777777\0",
        ),
        "size-lie": patched(tar_of(plain), size_at, b"77777777777\0"),
        "size-binary": patched(tar_of(plain), size_at, b"\x80" + b"\x7f" * 11),
        "size-negative": patched(tar_of(plain), size_at, b"\xff" * 12),
        "size-noise": patched(tar_of(plain), size_at, b"hello world "),
        "checksum": tar_of(plain).replace(b"ustar", b"usTar"),
        "sparse": patched(tar_of(member("f", b"x", type=tarfile.GNUTYPE_SPARSE)), 483, b"7" * 12),
        "type-unknown": patched(tar_of(plain), type_at, b"Z"),
        "truncated": tar_of(member("f", bytes(5000)))[:700],
        "empty": b"",
        "noise": random.Random(1).randbytes(50_000),
        "many": tar_of(*[member(f"m{n}") for n in range(10_000)]),
        "names": tar_of(
            *[member(n, b"x") for n in ("a\nb", "\udcff", "-rf", "~", "a\x1b[2J", ".", "..", " ")]
        ),
        "name-null": patched(tar_of(plain), 0, b"a\0../../outside/new\0"),
        "duplicates": tar_of(*[member("f", b"x" * n) for n in range(500)]),
        "file-and-directory": tar_of(member("f", b"x"), member("f/g", b"x")),
    }


def packed_tars() -> dict[str, bytes]:
    bomb = tar_of(member("f", bytes(BOMB_BYTES)))
    return {
        "gz": gzip.compress(bomb, 6),
        "bz2": bz2.compress(bomb),
        "xz": lzma.compress(bomb, preset=0),
    }


def zip_of(
    *entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED, mode: int = 0o100644
) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in entries:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            archive.writestr(entry, data, method)
    return packed.getvalue()


def zip_links(*entries: tuple[str, bytes, int]) -> bytes:
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore")  # two entries of one name are the attack
        for name, data, mode in entries:
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.external_attr = 3, mode << 16
            archive.writestr(entry, data)
    return packed.getvalue()


def overlapping(count: int) -> bytes:
    """Return an archive in which all entries share the data of one, as in the bombs of 2019."""
    inner = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = inner.compress(bytes(8 << 20)) + inner.flush()
    crc = zlib.crc32(bytes(8 << 20))
    local = (
        struct.pack("<4sHHHHHLLLHH", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(data), 8 << 20, 1, 0)
        + b"a"
    )
    central = b"".join(
        struct.pack(
            "<4sHHHHHHLLLHHHHHLL", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(data), 8 << 20,
            4, 0, 0, 0, 0, 0, 0,
        )
        + b"%04d" % n
        for n in range(count)
    )  # fmt: skip
    body = local + data
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, count, count, len(central), len(body), 0)
    return body + central + end


def changed(archive: bytes, signature: bytes, at: int, field: bytes) -> bytes:
    """Return a zip archive with a field of its first record of a kind replaced."""
    start = archive.index(signature) + at
    return archive[:start] + field + archive[start + len(field) :]


def nested_zip(depth: int) -> bytes:
    data = bytes(1 << 20)
    for _ in range(depth):
        data = zip_of(*[(f"z{n}.zip", data) for n in range(4)])
    return data


def zips() -> dict[str, bytes]:
    plain = zip_of(("f", b"evil" * 100))
    link_mode, local, central, end = 0o120777, b"PK\3\4", b"PK\1\2", b"PK\5\6"
    return {
        "dotdot": zip_of((f"{OUT}/new", b"evil"), (f"{OUT}/secret", b"evil")),
        "absolute": zip_of(("/evil-new", b"evil")),
        "backslash": zip_of(("..\\..\\outside\\new", b"evil"), ("C:\\new", b"evil")),
        "link": zip_links(("w", OUT.encode(), link_mode), ("w/new", b"evil", 0o100644)),
        "link-file": zip_links(("w", f"{OUT}/secret".encode(), link_mode), ("w", b"x", 0o100644)),
        "link-huge": zip_links(("w", b"a" * 5_000_000, link_mode)),
        "bomb": zip_of(("f", bytes(BOMB_BYTES))),
        "bomb-bzip2": zip_of(("f", bytes(BOMB_BYTES)), method=zipfile.ZIP_BZIP2),
        "bomb-lzma": zip_of(("f", bytes(BOMB_BYTES)), method=zipfile.ZIP_LZMA),
        "overlapping": overlapping(2000),
        "nested": nested_zip(5),
        "many": zip_of(*[(f"m{n}", b"") for n in range(10_000)]),
        "size-lie": changed(
            changed(zip_of(("f", bytes(BOMB_BYTES))), local, 22, b"\x0a\0\0\0"),
            central, 24, b"\x0a\0\0\0",
        ),
        "size-huge": changed(changed(plain, local, 22, b"\xfe" * 4), central, 24, b"\xfe" * 4),
        "zip64": changed(changed(plain, local, 18, b"\xff" * 8), central, 20, b"\xff" * 8),
        "offset": changed(plain, central, 42, b"\xfe\xff\xff\x7f"),
        "count": changed(plain, end, 8, b"\xff\xff\xff\xff"),
        "directory-size": changed(plain, end, 12, b"\xff\xff\xff\x7f"),
        "directory-offset": changed(plain, end, 16, b"\xff\xff\xff\x7f"),
        "comment": changed(plain, end, 20, b"\xff\xff"),
        "method": changed(changed(plain, local, 8, b"\x63\0"), central, 10, b"\x63\0"),
        "encrypted": changed(changed(plain, local, 6, b"\1\0"), central, 8, b"\1\0"),
        "crc": changed(changed(plain, local, 14, b"\0\0\0\0"), central, 16, b"\0\0\0\0"),
        "name-length": changed(plain, central, 28, b"\xff\xff"),
        "name-null": plain.replace(b"f", b"\0"),
        "lzma-dictionary": zip_of(("f", b"a" * 99), method=zipfile.ZIP_LZMA).replace(
            b"\x5d\0\0\x80\0", b"\x5d\xff\xff\xff\xff"
        ),
        "truncated": plain[:40],
        "empty": b"PK\5\6" + bytes(18),
        "noise": b"PK\3\4" + random.Random(2).randbytes(9000) + b"PK\5\6" + bytes(18),
        "names": zip_of(*[(n, b"x") for n in ("a\nb", "-rf", "~", "a\x1b[2J", "..", "./f")]),
        "duplicates": zip_of(("f", b"x"), ("f/", b""), ("f/g", b"x")),
    }  # fmt: skip


def streams() -> dict[str, bytes]:
    """Compressed streams: bombs, lies in headers, thousands of members."""
    header = b"\x1f\x8b\x08"
    member_of_two = gzip.compress(b"ab", mtime=0)
    dictionary = {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 20}
    alone = lzma.compress(b"a" * 5000, lzma.FORMAT_ALONE, filters=[dictionary])
    return {
        "bomb.gz": gzip.compress(bytes(BOMB_BYTES), 9),
        "bomb.bz2": bz2.compress(bytes(BOMB_BYTES)),
        "bomb.xz": lzma.compress(bytes(BOMB_BYTES), preset=0),
        "bomb-twice.gz": gzip.compress(gzip.compress(bytes(BOMB_BYTES))),
        "members.gz": member_of_two * 30_000,
        "members.bz2": bz2.compress(b"") * 3000,
        "members.xz": lzma.compress(b"") * 3000,
        "name.gz": header + b"\x08" + bytes(6) + b"a" * 1_000_000,
        "comment.gz": header + b"\x18" + bytes(6) + b"n\0" + b"a" * 1_000_000,
        "extra.gz": header + b"\x04" + bytes(6) + b"\xff\xff" + b"a" * 100,
        "flags.gz": header + b"\xff" + bytes(6),
        "path.gz": header + b"\x08" + bytes(6) + b"../../outside/new\0"
        + member_of_two[10:],
        "crc.gz": member_of_two[:-8] + b"\xff" * 8,
        "truncated.gz": gzip.compress(bytes(50_000))[:30],
        "truncated.bz2": bz2.compress(bytes(50_000))[:30],
        "truncated.xz": lzma.compress(bytes(50_000))[:40],
        "trailer.gz": member_of_two + b"trash" * 1000,
        "padding.xz": lzma.compress(b"a") + bytes(1_000_000),
        "dictionary.lzma": alone[:1] + b"\xff\xff\xff\xff" + alone[5:],
        "size.lzma": alone[:5] + b"\xfe\xff\xff\xff\xff\xff\xff\x7f" + alone[13:],
        "noise.gz": header + random.Random(3).randbytes(5000),
        "noise.bz2": b"BZh9" + random.Random(4).randbytes(5000),
        "noise.xz": b"\xfd7zXZ\0" + random.Random(5).randbytes(5000),
    }  # fmt: skip


def patches() -> dict[str, bytes]:
    new = "@@ -0,0 +1 @@\n+evil\n"
    secret = "@@ -1 +1 @@\n-the-secret-of-the-host\n\\ No newline at end of file\n+evil\n"
    texts = {
        "dotdot": f"--- {OUT}/new\n+++ {OUT}/new\n{new}",
        "dotdot-secret": f"--- {OUT}/secret\n+++ {OUT}/secret\n{secret}",
        "absolute": f"--- /etc/passwd\n+++ /etc/passwd\n{new}",
        "index": f"Index: {OUT}/new\n--- /dev/null\n+++ /dev/null\n{new}",
        "git-rename": f"diff --git a/own b/{OUT}/new\nrename from own\nrename to {OUT}/new\n",
        "git-copy": f"diff --git a/own b/own2\ncopy from {OUT}/secret\ncopy to own2\n",
        "git-quoted": f'diff --git "a/\\056\\056/{OUT}/new" "b/\\056\\056/{OUT}/new"\n'
        f'--- /dev/null\n+++ "b/\\056\\056/{OUT}/new"\n{new}',
        "git-link": "diff --git a/w b/w\nnew file mode 120000\n--- /dev/null\n+++ b/w\n"
        f"@@ -0,0 +1 @@\n+{OUT}\n\\ No newline at end of file\n"
        f"diff --git a/w/new b/w/new\nnew file mode 100644\n--- /dev/null\n+++ b/w/new\n{new}",
        "git-delete": f"diff --git a/{OUT}/secret b/{OUT}/secret\ndeleted file mode 100644\n"
        f"--- a/{OUT}/secret\n+++ /dev/null\n"
        "@@ -1 +0,0 @@\n-the-secret-of-the-host\n\\ No newline at end of file\n",
        "ed": "0a\nevil\n.\n!touch /evil-new\nw ../../outside/new\n",
        "context": f"*** {OUT}/new\n--- {OUT}/new\n{{'*' * 15}}\n*** 0 ****\n--- 1 ----\n+ evil\n",
        "lies": "--- f\n+++ f\n@@ -1,99999999999999999999 +1,2 @@\n a\n",
        "offset": f"--- f\n+++ f\n@@ -{'9' * 5000} +1 @@\n-a\n+b\n",
        "fuzz": "--- f\n+++ f\n" + "".join(f"@@ -{n} +{n} @@\n-a{n}\n+b\n" for n in range(3000)),
        "noise": "--- f\n+++ f\n@@ -1 +1 @@\n" + "\0" * 10_000,
    }
    return {name: text.encode() for name, text in texts.items()}


def databases() -> dict[str, bytes]:
    with sqlite3.connect(":memory:") as database:
        database.execute("create table t(x)")
        database.executemany("insert into t values (?)", [(n,) for n in range(2000)])
        database.commit()
        image = database.serialize()
    database.close()
    noise = random.Random(6)
    broken = bytearray(image)
    for at in range(4096, len(broken), 37):
        broken[at] = noise.randrange(256)
    schema = image.replace(b"CREATE TABLE t(x)", b"CREATE TABLE t(y,")
    return {
        "broken": bytes(broken),
        "schema": schema,
        "page-size": image[:16] + b"\0\1" + image[18:],
        "pages": image[:28] + b"\x7f\xff\xff\xff" + image[32:],
        "free-list": image[:32] + b"\0\0\0\2\0\0\xff\xff" + image[40:],
        "truncated": image[:5000],
        "noise": b"SQLite format 3\0" + noise.randbytes(9000),
    }


KINDS: dict[str, Callable[[], dict[str, bytes]]] = {
    "/evil/{}.tar": tars,
    "/evil/{}.zip": zips,
    "/evil/{}.diff": patches,
    "/evil/{}.db": databases,
    "/evil/{}": streams,
    "/evil/bomb.tar.{}": packed_tars,
    "/evil/sparse-{}.tar": archive_lies.sparse_tars,
    "/evil/zip64-{}.zip": archive_lies.zip64s,
    "/evil/lies-{}": archive_lies.headers,
}


@cache
def files_of(kind: str) -> dict[str, bytes]:
    """Return the files of a kind, by path."""
    return {kind.format(name): data for name, data in KINDS[kind]().items()}


def files_in(script: str) -> dict[str, bytes]:
    """Return the files that a script names."""
    return {
        path: data
        for kind in KINDS
        if kind.partition("{}")[0] in script and kind.partition("{}")[2] in script
        for path, data in files_of(kind).items()
        if path in script
    }
