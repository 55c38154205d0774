"""The digest commands: printing and checking, against the real tools."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance

NAMES = ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum")
ABC, EMPTY = (hashlib.md5(data).hexdigest() for data in (b"abc", b""))
FILES = {
    "x": b"abc",
    "e": b"",
    "good": f"{ABC}  x\n{EMPTY} *e\n".encode(),
    "tags": f"MD5 (x) = {ABC}\nSHA1 (x) = {ABC}\n".encode(),
    "bad": f"{ABC}  e\n# note\njunk\n{ABC}  missing\n{ABC}  d\n".encode(),
    "gone": f"{ABC}  missing\n".encode(),
    "junk": b"junk\n",
    "back\\slash": b"",
    "input": f"{ABC}  -\n".encode(),
}


class TestMd5sum(TextCommandConformance):
    name = "md5sum"


class TestB2sum(TextCommandConformance):
    name = "b2sum"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "words", ["x e", "-b x", "--tag x", "-z x", "", "back\\slash", "--tag -b", "-bt x", "-tb x"]
)
def test_digests_are_printed(tmp_path: Path, name: str, words: str) -> None:
    assert_agreement(name, words.split(" ") if words else [], tmp_path, FILES, b"in")


@pytest.mark.parametrize(
    "words",
    [
        "-c good", "-c tags", "-c bad", "-c bad good", "-c gone", "-c junk", "-c missing", "-c d",
        "-c --quiet bad", "-c --status bad", "-c --strict bad", "-c -w bad", "-c input",
        "-c --ignore-missing bad", "-c --ignore-missing gone", "-c", "-c --strict good",
        "--quiet x", "--strict x", "-w x", "--ignore-missing x", "-c -z good", "-c --tag good",
        "-c -b good", "missing x", "d x",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("md5sum", words.split(" "), tmp_path, FILES, b"abc")


def test_checksum_lists_may_have_empty_lines_and_any_names(tmp_path: Path) -> None:
    names = ("back\\slash", "line\nend", "re\rturn")
    listed = run_keysh("md5sum", *names, files={f"/{name}": "abc" for name in names})
    files = {**FILES, **dict.fromkeys(names, b"abc"), "list": b"\n\r\n" + listed.out + b" \n\n"}
    assert_agreement("md5sum", ["-cw", "list"], tmp_path, files)


@pytest.mark.parametrize(
    "words",
    [
        "-l 128 x", "-l 8 --tag x e", "-l 0 x", "-l 512 --tag x", "-l 100 x", "-l 520 x", "-l x x",
        "-c bits", "-l 64 -c bits", "-cw bits",
    ],
)  # fmt: skip
def test_digests_of_a_length(tmp_path: Path, words: str) -> None:
    digest = hashlib.blake2b(b"abc", digest_size=8).hexdigest()
    lines = f"{digest}  x\nBLAKE2b-64 (x) = {digest}\nBLAKE2b (x) = {digest}\n{digest}0  x\n"
    assert_agreement("b2sum", words.split(" "), tmp_path, {**FILES, "bits": lines.encode()}, b"abc")


def test_rows_are_typed() -> None:
    answer = run_keysh("md5sum", "--json", "/x", files={"/x": "abc"})
    assert answer.out.decode() == f'{{"name":"/x","digest":"{ABC}"}}\n'
