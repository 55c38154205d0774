"""cksum: calls against the real tool, from a table."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement

MD5, SHA1 = hashlib.md5(b"").hexdigest(), hashlib.sha1(b"").hexdigest()
B64 = hashlib.blake2b(b"", digest_size=8).hexdigest()
TAGS = f"MD5 (e) = {MD5}\nSHA1 (e) = {SHA1}\nSHA1 (e) = {MD5}\nBLAKE2b-64 (e) = {B64}\n{MD5}  e\n"
BITS = f"{B64}  e\nBLAKE2b-64 (e) = {B64}\nBLAKE2b-63 (e) = {B64}\n"
FILES = {
    "tags": TAGS.encode(), "bits": BITS.encode(),
    "x": b"some text\n" * 300, "e": b"", "list": b"d41d8cd98f00b204e9800998ecf8427e  e\n",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "x e no", "-", "", "-a bsd x", "-a sysv x e", "-a crc x", "-a md5 x", "-a sha256 x -",
        "-a sha1 --untagged x", "--tag -a md5 x", "-a blake2b x", "-z -a md5 x", "-a md5 -c x",
        "-a md5 -c list", "--untagged x", "-a md5 --untagged", "-a crc -c x",
        "-c tags", "-c x", "-cw tags", "-a md5 -c tags", "-a blake2b -c bits", "-c bits", "-l 8 x",
        "-a blake2b -l 64 x", "-a blake2b -l 0 x", "-a blake2b -l 7 x", "-a blake2b -l 520 x",
        "-a blake2b -l x x", "-a md5 -l 8 x", "-a blake2b --length=256 --untagged x",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("cksum", words.split(), tmp_path, FILES, b"in")


def test_rows_are_typed() -> None:
    rows = run_keysh("cksum", "--json", "/x", files={"/x": "abc"}).out.decode()
    assert rows == '{"name":"/x","algorithm":"crc","sum":1219131554,"size":3}\n'
    rows = run_keysh("cksum", "-a", "md5", "--json", "/x", files={"/x": ""}).out.decode()
    assert rows == f'{{"name":"/x","algorithm":"md5","digest":"{MD5}"}}\n'


@settings(max_examples=60)
@given(
    data=st.binary(max_size=40),
    times=st.sampled_from([1, 1, 7, 800, 5_000]),
    words=st.sampled_from(
        [
            "",
            "-a bsd",
            "-a sysv",
            "-a crc",
            "-a md5",
            "-a sha224 --untagged",
            "-a blake2b -l 72",
            "-z",
        ]
    ),
)
def test_checksums_of_any_bytes_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, times: int, words: str
) -> None:
    folder = tmp_path_factory.mktemp("cksum")
    assert_agreement("cksum", [*words.split(), "x", "-"], folder, {"x": data * times}, data)
