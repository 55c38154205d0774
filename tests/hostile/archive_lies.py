"""Archives whose headers lie about holes, sizes and the memory that unpacking takes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib

HUGE = 99_999_999_999_999
XZ_BLOCK, XZ_DICTIONARY = 12, 16  # offsets: of the first block, and of its dictionary's size
SPARSE_MAP, SPARSE_IS_EXTENDED, SPARSE_SIZE = 386, 482, 483  # offsets in GNU's old header


def tar_member(name: str, data: bytes, kind: bytes = tarfile.REGTYPE) -> bytes:
    header = tarfile.TarInfo(name)
    header.size, header.type = len(data), kind
    return header.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % 512)


def pax_member(records: dict[str, str], data: bytes) -> bytes:
    lines = b""
    for key, value in records.items():
        text = f" {key}={value}\n".encode()
        size = len(text) + len(str(len(text) + 5))
        lines += str(size).encode() + text
    return tar_member("pax", lines, tarfile.XHDTYPE) + tar_member("f", data) + bytes(1024)


def sparse_member(pieces: list[tuple[int, int]], size: int, *, is_extended: bool = False) -> bytes:
    """Return an archive of a file with holes, in GNU's old form, with four pieces at most."""
    header = bytearray(tar_member("f", b"x" * 512, b"S")[:512])
    for number, piece in enumerate(pieces):
        at = SPARSE_MAP + 24 * number
        header[at : at + 24] = b"".join(b"%011o\0" % part for part in piece)
    header[SPARSE_IS_EXTENDED] = is_extended
    header[SPARSE_SIZE : SPARSE_SIZE + 12] = b"%011o\0" % size
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + b"x" * 512 + bytes(1024)


def sparse_tars() -> dict[str, bytes]:
    form = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "f"}
    many = 50_000

    def mapped(text: str, size: int | str = HUGE) -> bytes:
        data = text.encode()
        data += bytes(-len(data) % 512)
        return pax_member({**form, "GNU.sparse.realsize": str(size)}, data + b"x" * 512)

    return {
        "old-size": sparse_member([(0, 1)], 0o77777777777),
        "old-offset": sparse_member([(0o77777777777, 512)], 0o77777777777),
        "old-back": sparse_member([(4096, 256), (0, 256)], 8192),
        "old-overlap": sparse_member([(0, 512), (0, 512), (0, 512), (0, 512)], 512),
        "old-length": sparse_member([(0, 0o77777777777)], 512),
        "old-extended": sparse_member([(0, 1)] * 4, 512, is_extended=True),
        "map-count": mapped(f"{'9' * 30}\n0\n1\n"),
        "map-digits": mapped(f"1\n{'9' * 5000}\n1\n"),
        "map-many": mapped(f"{many}\n" + "0\n1\n" * many),
        "map-far": mapped(f"1\n{HUGE - 1}\n1\n"),
        "map-back": mapped("2\n500\n1\n0\n1\n", 501),
        "map-negative": mapped("1\n-500\n1\n", 501),
        "map-text": mapped("one\ntwo\n"),
        "map-endless": mapped("9" * 100_000),
        "map-size": mapped("1\n0\n1\n", "9" * 5000),
        "list-many": pax_member(
            {
                "GNU.sparse.size": str(HUGE),
                "GNU.sparse.numblocks": str(many),
                "GNU.sparse.map": ",".join(["0,1"] * many),
            },
            b"x",
        ),
        "list-odd": pax_member({"GNU.sparse.size": "9", "GNU.sparse.map": "1,2,3"}, b"x"),
        "list-text": pax_member({"GNU.sparse.size": "9", "GNU.sparse.map": "a,b"}, b"x"),
    }


def zip64_of(sizes: tuple[int, int, int], *, count: int = 1, extra: bytes | None = None) -> bytes:
    """Return an archive of one entry whose sizes and place stand in a field of zip64."""
    name, data, high = b"f", b"evil", 0xFFFFFFFF
    fields = struct.pack("<HHQQQ", 1, 24, *sizes) if extra is None else extra
    local = struct.pack("<4sHHHHHLLLHH", b"PK\3\4", 45, 0, 0, 0, 0, zlib.crc32(data), 4, 4, 1, 0)
    central = struct.pack(
        "<4sHHHHHHLLLHHHHHLL", b"PK\1\2", 45, 45, 0, 0, 0, 0, zlib.crc32(data), high, high,
        1, len(fields), 0, 0, 0, 0, high,
    )  # fmt: skip
    body = local + name + data
    directory = central + name + fields
    end64 = struct.pack(
        "<4sQHHLLQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(directory), len(body)
    )
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(body) + len(directory), 1)
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, high, high, 0)
    return body + directory + end64 + locator + end


def zip64s() -> dict[str, bytes]:
    most = (1 << 64) - 1
    plain = zip64_of((4, 4, 0))
    return {
        "plain": plain,
        "size": zip64_of((most, most, 0)),
        "size-packed": zip64_of((4, most >> 1, 0)),
        "size-unpacked": zip64_of((most >> 1, 4, 0)),
        "offset": zip64_of((4, 4, most)),
        "offset-negative": zip64_of((4, 4, 1 << 63)),
        "count": zip64_of((4, 4, 0), count=most),
        "count-many": zip64_of((4, 4, 0), count=99_999_999),
        "extra-short": zip64_of((4, 4, 0), extra=struct.pack("<HHL", 1, 4, 4)),
        "extra-long": zip64_of((4, 4, 0), extra=struct.pack("<HHQ", 1, 65_000, 4)),
        "extra-none": zip64_of((4, 4, 0), extra=b""),
        "locator": plain.replace(b"PK\6\7\0\0\0\0", b"PK\6\7\0\0\0\0" + b"\xff" * 8),
        "end-size": plain.replace(b"PK\6\6\x2c", b"PK\6\6\xff"),
        "entries-same": zip_of_same_names(3000),
        "extras": zip_with_extra(65_000),
    }


def zip_of_same_names(count: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(count):
            archive.writestr(f"{'d/' * 20}{number}", b"")
    return packed.getvalue()


def zip_with_extra(size: int) -> bytes:
    packed = io.BytesIO()
    entry = zipfile.ZipInfo("f")
    entry.extra = b"\1\0\0\0" * (size // 4)
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(entry, b"evil")
    return packed.getvalue()


def xz_with_dictionary(size_code: int) -> bytes:
    """Return a stream whose header asks for a dictionary; 40 is 4 GB."""
    packed = bytearray(lzma.compress(b"evil" * 99))
    packed[XZ_DICTIONARY] = size_code
    end = XZ_BLOCK + 4 * packed[XZ_BLOCK]
    packed[end : end + 4] = struct.pack("<L", zlib.crc32(packed[XZ_BLOCK:end]))
    return bytes(packed)


def nested(depth: int, size: int) -> bytes:
    data = bytes(size)
    for _ in range(depth):
        data = gzip.compress(data, mtime=0)
    return data


def headers() -> dict[str, bytes]:
    alone = lzma.compress(b"evil" * 99, format=lzma.FORMAT_ALONE)
    blocks = bz2.compress(b"evil" * 99)
    stream = lzma.compress(b"evil" * 99)
    return {
        "dictionary-4g.xz": xz_with_dictionary(40),
        "dictionary-1g.xz": xz_with_dictionary(36),
        "dictionary-bad.xz": xz_with_dictionary(63),
        "dictionary-64m.xz": xz_with_dictionary(28),
        "dictionary-4g.lzma": alone[:1] + b"\xff\xff\xff\xff" + alone[5:],
        "dictionary-0.lzma": alone[:1] + b"\0\0\0\0" + alone[5:],
        "properties.lzma": b"\xff" + alone[1:],
        "streams.xz": stream * 3000,
        "index.xz": stream[:-28] + b"\xff" * 8 + stream[-20:],
        "flags.xz": stream[:6] + b"\xff\xff" + stream[8:],
        "level-0.bz2": b"BZh0" + blocks[4:],
        "level-1.bz2": b"BZh1" + blocks[4:],
        "streams.bz2": blocks * 20_000,
        "block.bz2": blocks[:10] + b"\xff" * 8 + blocks[18:],
        "nested.gz": nested(7, 30 << 20),
        "nested-many.gz": nested(300, 10),
        "members.gz": gzip.compress(b"", mtime=0) * 99_999,
        "size.gz": gzip.compress(b"evil")[:-4] + b"\xff\xff\xff\xff",
        "empty-blocks.gz": b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + b"\0\0\0\xff\xff" * 400_000,
    }
