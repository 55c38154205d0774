"""Refusals of text commands and compressors, against the real tools: options, operands, files."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.command_runner import Answer, run_in_copies

# Arguments before the operands that make a call complete without its files.
BEFORE = {
    "awk": ["1"], "base64": [], "cat": [], "cksum": [], "column": [], "comm": ["f"], "cut": ["-c1"],
    "diff": ["f"], "expand": [], "fmt": [], "fold": [],
    "grep": ["a"], "gzip": ["-c"], "head": [], "join": ["f"], "jq": ["."], "md5sum": [], "nl": [],
    "od": [], "paste": [], "rev": [], "sed": ["p"], "sha1sum": [], "sha224sum": [],
    "sha256sum": [], "sha384sum": [], "sha512sum": [], "b2sum": [], "shuf": [], "sort": [],
    "split": [], "strings": [], "sum": [], "tac": [], "tail": [], "tee": [], "tr": ["a", "b"],
    "tsort": [], "unexpand": [], "uniq": [], "wc": [], "xz": ["-c"], "cmp": ["f"],
}  # fmt: skip
OTHERS = ["date", "factor", "numfmt", "seq", "xargs", "yes"]  # which read no files
# Tools with no words of their own for it, or with a usage text that is as long as a page.
OWN_OPTIONS = {"awk", "jq", "sed", "strings"}
OPTIONS = [["--nosuch"], ["--nosuch=x"], ["-@"], ["-\udcff"], ["--help=x"]]
OPERANDS = {
    "nothing": [], "a directory": ["d"], "a missing file": ["missing"], "below a file": ["f/x"],
    "an empty name": [""], "some of each": ["d", "missing", "f"], "many": ["f", "f", "f", "f"],
}  # fmt: skip
# Intended differences, listed in docs/deviations.md.
DIFFERS = {
    ("jq", "a directory"),
    ("jq", "some of each"), ("jq", "nothing"),
    ("tac", "a directory"), ("tac", "some of each"), ("tsort", "a directory"),
    ("column", "an empty name"),
    ("rev", "an empty name"), ("cksum", "a directory"), ("cksum", "some of each"),
    ("fmt", "a directory"), ("fmt", "some of each"), ("column", "some of each"),
    ("gzip", "an empty name"),
}  # fmt: skip


def both(folder: Path, name: str, words: list[str]) -> tuple[Answer, Answer]:
    """Return the answers of both in directories with the same files."""

    def fill(place: Path) -> None:
        (place / "d").mkdir()
        (place / "f").write_bytes(b"1\n2\n")

    return run_in_copies(folder, name, words, fill, stdin=b"a\n")


@pytest.mark.parametrize("words", OPTIONS, ids=repr)
@pytest.mark.parametrize("name", sorted(set(BEFORE) - OWN_OPTIONS) + OTHERS)
def test_refused_options_match_gnu(tmp_path: Path, name: str, words: list[str]) -> None:
    answer, real = both(tmp_path, name, words)
    assert answer.status
    assert (answer.status, answer.out) == (real.status, real.out)
    # Some print a line of usage between the message and the hint.
    assert answer.err.splitlines()[0] == real.err.splitlines()[0]
    assert answer.err.splitlines()[-1] == real.err.splitlines()[-1]


@pytest.mark.parametrize("what", OPERANDS)
@pytest.mark.parametrize("name", BEFORE)
def test_operand_errors_match_gnu(tmp_path: Path, name: str, what: str) -> None:
    answer, real = both(tmp_path, name, [*BEFORE[name], *OPERANDS[what]])
    if (name, what) in DIFFERS:
        assert answer != real
        return
    if name == "gzip":  # compressed files contain the times of the originals
        answer, real = answer._replace(out=answer.out[10:]), real._replace(out=real.out[10:])
    if name == "xz":
        answer, real = answer._replace(out=b""), real._replace(out=b"")
    assert answer == real
