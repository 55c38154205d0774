"""csplit against the real tool: output, messages and pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.comparison import assert_agreement

FILES = {
    "s": b"".join(b"%d\n" % number for number in range(1, 21)),
    "mail": b"intro\nFrom a\nx\n\nFrom b\ny\nFrom c", "empty": b"", "one": b"a",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    ["s 5 12", "s 5 {2}", "-k s 5 50", "s 5 50", "s 5 {*}", "-s s 5", "-q s 20", "s 21", "s 22",
     "mail /From/", "mail /From/ {*}", "-z mail /From/ {*}", "mail %From% /From/", "s /3/ {2}",
     "mail %From%+1 /From/-1", "s %5% /7/+1", "s /zz/", "s %zz%", "s %zz% {*}", "s /7/ {*}",
     "-z s /1/", "s /1/", "s 1", "-z s 1", "s 5 5", "s 5 4", "s 0", "s x", "s /a", "s 5 {x}",
     "s {1}", "s 5 {2", "s /5/x", "-f out- s 3", "-b %d.txt s 5", "-b %s s 5", "-b x s 3",
     "-b %d%d s 3", "-b %03x s 3 {3}", "-n 0 s 5", "-n 3 s 5", "-n x s 3", "missing 3", "s", "",
     "-f d/none/x s 3", "- 2", "empty /a/",
     "one /a/", "one 1", "--suppress-matched mail /From/ {*}",
     "--suppress-matched s 5 10", "-ksz s 5 /1./ {2}", "s 3 /5/ 9", "s /[/", "-k s /3/ {2}",
     "s /2/ /2/", "s 5 /5/", "s /15/+10", "s /5/-10", "-k s /5/+2 /6/"],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("csplit", words.split(), tmp_path, FILES, b"x\ny\nz\n")
