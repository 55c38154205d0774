"""file: its options and descriptions, against the real tool."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import shutil
import zlib
from ctypes.util import find_library
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import on_disk, run_gnu, run_keysh
from commands.file_effects import fill
from keysh.tools.file.magic import magic_rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = fill(tmp_path_factory.mktemp("file") / "t")
    (root / "d").chmod(0o1777)
    (root / "e").chmod(0o2755)
    (root / "all").write_bytes(b"")
    (root / "all").chmod(0o7755)
    (root / "text").write_text("some words\n" * 9)
    (root / "odd\n").symlink_to("no\nwhere")
    for name, content in {"c": "int f;\n#include <x.h>\n", "one": "x", "plain": "a\n"}.items():
        (root / f"bits_{name}").write_text(content)
        (root / f"bits_{name}").chmod(0o6755)
    (root / "names").write_text("text\nempty\n\nnowhere\nd/sub")
    return root


@pytest.mark.parametrize(
    "words",
    [
        "text d e empty all", "-b text d e all", "-N text d e", "-F = text d", "-F :: -N text d",
        "-F  text d", "-0 text d", "-00 text d", "-b -0 text", "-0b text", "-i all d text",
        "-f names", "-N -f names", "-b -f names", "-f names d text", "-f nope d", "-f - d",
        "-i -N text d nope", "--mime-type -f names", "nope nowhere to_d to_a", "-L to_d nowhere",
        "bits_c bits_one bits_plain", "odd\n odd\n/", "-r odd\n", "-Lr odd\n",
    ],
)  # fmt: skip
def test_calls_match_the_real_tool(folder: Path, words: str) -> None:
    with on_disk(folder) as fs:
        answer = run_keysh("file", *words.split(" "), fs=fs, stdin=b"text\nd\n")
    assert answer == run_gnu("file", *words.split(" "), cwd=folder, stdin=b"text\nd\n")


def test_rows_include_names_from_a_list(folder: Path) -> None:
    with on_disk(folder) as fs:
        rows = run_keysh("file", "--json", "-f", "names", "text", fs=fs).out.splitlines()
    names = [json.loads(row)["name"] for row in rows]
    assert names == ["text", "empty", "", "nowhere", "d/sub", "text"]


def test_missing_operand_is_refused() -> None:
    answer = run_keysh("file")
    assert (answer.status, answer.out) == (1, b"")
    assert answer.err.startswith("file: missing operand\n")


# ---------------------------------------------------------------- contents

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x64\0\0\0\x32\x08\x06\0\0\0\0\0\0\0"
JFIF = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
FRAME = b"\xff\xc0\0\x11\x08\0\x32\0\x64\3\1\x22\0\2\x11\1\3\x11\1"
WAVE = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\2\0\x44\xac\0\0\x10\xb1\2\0\4\0\x10\0data\0\0\0\0"
PORTABLE = b"MZ" + bytes(58) + b"\x80\0\0\0" + bytes(64) + b"PE\0\0\x64\x86\3\0" + bytes(12)
ZIPPED = b"PK\x03\x04\x14\0\0\0\x08\0" + bytes(16) + b"\x08\0\0\0mimetype"
HEADERS = {
    "PNG image data, 100 x 50, 8-bit/color RGBA, non-interlaced": PNG,
    "GIF image data, version 89a, 10 x 20": b"GIF89a\x0a\0\x14\0\0\0\0",
    "JPEG image data, JFIF standard 1.01, aspect ratio, density 1x1, segment length 16, "
    "baseline, precision 8, 100x50, components 3": JFIF + FRAME,
    "PDF document, version 1.7, 3 pages": b"%PDF-1.7\n1 0 obj <</Type /Pages /Count 3>>\n",
    "RIFF (little-endian) data, WAVE audio, Microsoft PCM, 16 bit, stereo 44100 Hz": WAVE,
    "Audio file with ID3 version 2.3.0, contains: MPEG ADTS, layer III, v1, 128 kbps, 44.1 kHz, "
    "JntStereo": b"ID3\3\0\0\0\0\0\0\xff\xfb\x90\x64" + bytes(400),
    "ISO Media, MP4 v2 [ISO 14496-14]": b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom",
    "FLAC audio bitstream data, 16 bit, stereo, 44.1 kHz, 100000 samples":
        b"fLaC\0\0\0\x22" + bytes(10) + b"\x0a\xc4\x42\xf0\0\1\x86\xa0" + bytes(16),
    "bzip2 compressed data, block size = 900k": b"BZh91AY&SY",
    "XZ compressed data, checksum CRC64": b"\xfd7zXZ\0\0\4",
    "Zip archive data, at least v2.0 to extract, compression method=deflate":
        ZIPPED[:30] + b"a.txt.gz" + bytes(60),
    "EPUB document": ZIPPED + b"application/epub+zip",
    "OpenDocument Spreadsheet": ZIPPED + b"application/vnd.oasis.opendocument.spreadsheet",
    "PE32+ executable (DLL) (GUI) x86-64, for MS Windows, 3 sections":
        PORTABLE + b"\xf0\0\x22\x20\x0b\2" + bytes(66) + b"\2\0" + bytes(200),
    "compiled Java class data, version 52.0 (Java 1.8)": b"\xca\xfe\xba\xbe\0\0\0\x34\0\x10",
    "WebAssembly (wasm) binary module version 0x1 (MVP)": b"\0asm\1\0\0\0",
    "ELF 64-bit LSB relocatable, x86-64, version 1 (SYSV)":
        b"\x7fELF\2\1\1" + bytes(9) + b"\1\0\x3e\0\1\0\0\0" + bytes(6),
    "Git index, version 2, 5 entries": b"DIRC\0\0\0\2\0\0\0\5",
    "zlib compressed data": b"x\x9cK\xca\1\0\0\0\0",
    "data": b"\0\1\2",
}  # fmt: skip
TEXTS = {
    "ASCII text": b"text\n",
    "very short file (no magic)": b"3",
    "Unicode text, UTF-8 (with BOM) text, with CRLF line terminators": b"\xef\xbb\xbfa\r\n",
    "Unicode text, UTF-16, little-endian text, with no line terminators": b"\xff\xfea\0b\0",
    "Unicode text, UTF-32, big-endian": b"\0\0\xfe\xff\0\0\0a",
    "ISO-8859 text": b"gr\xf6\xdfe\n",
    "Non-ISO extended-ASCII text": b"\x93a\x94\n",
    "ASCII text, with very long lines (400), with CRLF, LF line terminators, with escape sequences,"
    " with overstriking": b"\x1b a\x08\r\n" + b"x" * 400 + b"\n",
    "ASCII text, with LF, NEL line terminators": b"a\x85b\n",
    "POSIX shell script, ASCII text executable": b"#! /bin/sh -e\n",
    "Bourne-Again shell script, ASCII text executable": b"#!/usr/bin/env bash\n",
    "Python script, ASCII text executable": b"#!/usr/bin/python3.11\n",
    "Perl script text executable": b"#!/usr/bin/perl -w\n",
    "Node.js script executable, ASCII text": b"#!/usr/bin/env node\n",
    "a /opt/x/tool -a b script, ASCII text executable": b"#!/opt/x/tool -a b\n",
    "JSON text data": b'{"a": [1, {"b": null}]}\n',
    "New Line Delimited JSON text data": b'{"a": 1}\n{"b": 2}\n',
    "CSV text": b'a,b\n"x, ""y""",2\n3,4\n',
    "C source, ASCII text": b"#include <stdio.h>\nint main(void) { return 0; }\n",
    "C++ source, ASCII text": b"class A {\npublic:\n int x;\n};\n",
    "Java source, ASCII text": b"package a.b;\n\nimport java.util.List;\n\npublic class A {}\n",
    "JavaScript source, ASCII text": b'import x from "y";\n',
    "Ruby script, ASCII text": b"module A\n  def b\n  end\nend\n",
    "PHP script, ASCII text": b"<?php\necho 1;\n",
    "XML 1.0 document, ASCII text": b'<?xml version="1.0"?>\n<a/>\n',
    "SVG Scalable Vector Graphics image": b'<?xml version="1.0"?>\n<svg/>\n',
    "HTML document, Unicode text, UTF-8 text": "é <html>\n".encode(),
    "LaTeX 2e document, ASCII text": b"% x\n\\documentclass{a}\n",
    "makefile script, ASCII text": b"all:\n\techo hi\n",
    "unified diff output, ASCII text": b"--- a\n+++ b\n@@ -1 +1 @@\n",
    "PEM RSA private key": b"-----BEGIN RSA PRIVATE KEY-----\n",
    "OpenSSH ED25519 public key": b"ssh-ed25519 AAAA x\n",
    "Netpbm image data, size = 2 x 2, bitmap, ASCII text": b"P1\n2 2\n0 1\n1 0\n",
    "PostScript document text conforming DSC level 3.0": b"%!PS-Adobe-3.0\n%%Title: x\n",
    "news or mail, ASCII text": b"From: a@b\nTo: c\n\nhi\n",
}
MORE = [
    b"", b"\n", b"a\0b", b"   \n", b"x" * 300 + b"\n", b"x" * 301,
    b"def f() -> int:\n", b"import os\n",
    b'{"a": 1} x\n', b"[1]\n[2]\n", b"a,b\n1,2\n", b"a,b\n\n1,2\n", b'{"a": 1\n', b"\xc3\x28 x\n",
    b"const x = 1;\n", b"# T\n\ntext\n", b"key: value\n", b"BM", b"GIF8", b"\x1f\x8b\x08\0",
    b"PK\x05\x06",
    gzip.compress(b"x" * 100, mtime=0), gzip.compress(b"x", mtime=1_700_000_000),
    WAVE[:12] + bytes(9),
    b"OggS\0\2" + bytes(30), b"\x1aE\xdf\xa3\x93B\x82\x88matroska", b"II*\0\x08\0\0\0\0\0",
]  # fmt: skip


# The real tool says more about these formats; the descriptions are keysh's.
OTHERS = [
    (
        "PC bitmap, Windows 3.x format, 10 x 20 x 24, cbSize 90, bits offset 54",
        "image/bmp",
        b"BM"
        + (90).to_bytes(4, "little")
        + bytes(4)
        + b"\x36\0\0\0\x28\0\0\0\x0a\0\0\0\x14\0\0\0\1\0\x18\0"
        + bytes(24),
    ),
    ("TIFF image data, big-endian, direntries=3", "image/tiff", b"MM\0*\0\0\0\x08\0\x03"),
    (
        "JPEG image data, Exif standard: [TIFF image data, little-endian, direntries=5]",
        "image/jpeg",
        b"\xff\xd8\xff\xe1\0\x20Exif\0\0II*\0\x08\0\0\0\x05\0",
    ),
    (
        'JPEG image data, comment: "note", progressive, precision 8, 100x50, components 3',
        "image/jpeg",
        b"\xff\xd8\xff\xfe\0\x06note\xff\xc2\0\x11\x08\0\x32\0\x64\3" + bytes(9),
    ),
    (
        "Adobe Photoshop Image, 10 x 20, RGB, 3x 8-bit channels",
        "image/vnd.adobe.photoshop",
        b"8BPS\0\1" + bytes(6) + b"\0\3\0\0\0\x14\0\0\0\x0a\0\x08\0\3",
    ),
    (
        "Ogg data, Vorbis audio, stereo, 44100 Hz",
        "audio/ogg",
        b"OggS\0\2" + bytes(20) + b"\1\x1e\1vorbis\0\0\0\0\2\x44\xac\0\0",
    ),
    (
        "Standard MIDI data (format 1) using 2 tracks at 1/96",
        "audio/midi",
        b"MThd\0\0\0\6\0\1\0\2\0\x60",
    ),
    ("MPEG ADTS, layer III, v2,  80 kbps, 22.05 kHz, Monaural", "audio/mpeg", b"\xff\xf3\x90\xc4"),
    (
        "Mach-O 64-bit arm64 executable, flags:<NOUNDEFS|DYLDLINK|TWOLEVEL|PIE>",
        "application/x-mach-binary",
        b"\xcf\xfa\xed\xfe\x0c\0\0\1\0\0\0\0\2\0\0\0" + bytes(8) + b"\x85\0\x20\0",
    ),
    (
        "Mach-O universal binary with 2 architectures: [x86_64] [arm64]",
        "application/x-mach-binary",
        b"\xca\xfe\xba\xbe\0\0\0\2\1\0\0\7" + bytes(16) + b"\1\0\0\x0c" + bytes(16),
    ),
    (
        (
            "Byte-compiled Python module for CPython 3.12 or newer, timestamp-based, "
            ".py timestamp: Tue Nov 14 22:13:20 2023 UTC, .py size: 16 bytes"
        ),
        "application/x-bytecode.python",
        b"\xcb\x0d\r\n\0\0\0\0\0\xf1\x53\x65\x10\0\0\0",
    ),
    ("7-zip archive data, version 0.4", "application/x-7z-compressed", b"7z\xbc\xaf\x27\x1c\0\4"),
    (
        "SQLite 3.x database, file counter 7, database pages 2, cookie 0x0, UTF-8",
        "application/vnd.sqlite3",
        b"SQLite format 3\0\x10\0\1\1\0"
        + bytes(3)
        + b"\0\0\0\7\0\0\0\2"
        + bytes(24)
        + b"\0\0\0\1"
        + bytes(40),
    ),
    (
        'TrueType Font data, 10 tables, 1st "cmap"',
        "font/sfnt",
        b"\0\1\0\0\0\x0a\0\x80\0\3\0\x20cmap",
    ),
    (
        "Web Open Font Format (Version 2), TrueType, length 256, version 1.2",
        "font/woff2",
        b"wOF2\0\1\0\0\0\0\1\0" + bytes(12) + b"\0\1\0\2",
    ),
    (
        (
            "pcap capture file, microsecond ts (little-endian) - version 2.4 "
            "(Ethernet, capture length 65535)"
        ),
        "application/vnd.tcpdump.pcap",
        b"\xd4\xc3\xb2\xa1\2\0\4\0" + bytes(8) + b"\xff\xff\0\0\1\0\0\0",
    ),
    ("MS-DOS executable", "application/octet-stream", b"MZ" + bytes(62)),
    (
        "Debian binary package (format )",
        "application/vnd.debian.binary-package",
        b"!<arch>\ndebian-binary   " + bytes(36),
    ),
    (
        'gzip compressed data, was "name", max compression, from Unix',
        "application/gzip",
        b"\x1f\x8b\x08\x08\0\0\0\0\2\3name\0x",
    ),
]


@pytest.mark.parametrize(("description", "media", "data"), OTHERS)
def test_other_formats(description: str, media: str, data: bytes) -> None:
    row = json.loads(run_keysh("file", "--json", "-", stdin=data).out)
    assert (row["kind"], row["media"]) == (description, media)


def test_picture_with_many_segments_is_described() -> None:
    data = JFIF + b"\xff\xe1\0\2" * 5000 + FRAME
    assert run_keysh("file", "-b", "-", stdin=data).out.startswith(
        b"JPEG image data, JFIF standard 1.01"
    )


def test_magic_rows_are_well_formed() -> None:
    rows, names = magic_rows()
    stack = [*rows]
    while stack:
        row = stack.pop()
        stack += row.children
        assert row.type != "use" or row.value in names


@pytest.mark.parametrize(("says", "data"), [*HEADERS.items(), *TEXTS.items()])
def test_contents_are_recognised_by_their_start(tmp_path: Path, says: str, data: bytes) -> None:
    assert run_keysh("file", "-b", "-", stdin=data).out.decode() == f"{says}\n"
    agree(tmp_path, data)


@pytest.mark.parametrize("data", MORE)
def test_descriptions_match_the_real_tool(tmp_path: Path, data: bytes) -> None:
    agree(tmp_path, data)


def agree(folder: Path, data: bytes) -> None:
    """Compare descriptions with the real tool, if it has the version that keysh follows."""
    if not run_gnu("file", "--version", cwd=folder).out.startswith(b"file-5.44"):
        pytest.skip("this version of file has other words")
    (folder / "f").write_bytes(data)
    for option in ("-b", "-bi"):
        with on_disk(folder) as fs:
            assert run_keysh("file", option, "f", fs=fs) == run_gnu(
                "file", option, "f", cwd=folder, TZ="UTC"
            )


PACKED = {
    "gz": gzip.compress(b"text\n" * 9, mtime=0), "bz2": bz2.compress(b"#!/bin/sh\n"),
    "xz": lzma.compress(b"<html>\n"), "zz": zlib.compress(b"a,b\n1,2\n3,4\n"),
    "twice": gzip.compress(gzip.compress(b"1", mtime=0), mtime=0),
    "none": gzip.compress(b"", mtime=0),
}  # fmt: skip


@pytest.mark.parametrize("option", ["-z", "-zi", "-bz", "-z --mime-type", "-z --mime-encoding"])
def test_compressed_files_are_examined(tmp_path: Path, option: str) -> None:
    if not run_gnu("file", "--version", cwd=tmp_path).out.startswith(b"file-5.44"):
        pytest.skip("this version of file has other words")
    for name, data in PACKED.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "plain").write_bytes(b"text\n")
    words = [*option.split(" "), *PACKED, "plain"]
    with on_disk(tmp_path) as fs:
        answer = run_keysh("file", *words, fs=fs)
    expected = run_gnu("file", *words, cwd=tmp_path, TZ="UTC")
    assert answer.out.replace(b"inode/x-empty", b"application/x-empty") == expected.out


def test_damaged_files_are_described() -> None:
    hurt = PACKED["gz"][:10] + b"\xff" * 30
    assert run_keysh("file", "-bz", "-", stdin=hurt) == run_keysh("file", "-b", "-", stdin=hurt)
    row = json.loads(run_keysh("file", "-z", "--json", "-", stdin=PACKED["gz"]).out)
    assert (row["media"], row["packed"]) == ("text/plain", "application/gzip")


@pytest.mark.parametrize("name", ["true", "ld", "libc"])
def test_program_descriptions_match_the_real_tool(name: str) -> None:
    result = {"true": shutil.which("true"), "ld": shutil.which("ld"), "libc": find_library("c")}[
        name
    ]
    path = os.path.realpath(result or "/")
    if name == "libc":
        path = next((str(one) for one in Path("/").glob(f"*lib/*/{result}")), "/")
    if path == "/" or not run_gnu("file", "--version", cwd=Path("/")).out.startswith(b"file-5.44"):
        pytest.skip("nothing to compare")
    with on_disk(Path("/")) as fs:
        assert run_keysh("file", path, fs=fs) == run_gnu("file", path, cwd=Path("/"))


@settings(max_examples=200, derandomize=True)
@given(
    start=st.sampled_from([*HEADERS.values(), *TEXTS.values()]),
    cut=st.integers(0, 300), more=st.binary(max_size=200),
)  # fmt: skip
def test_truncated_and_damaged_files_never_fail(start: bytes, cut: int, more: bytes) -> None:
    answer = run_keysh("file", "-b", "-", stdin=start[:cut] + more)
    assert (answer.status, answer.err) == (0, "")
