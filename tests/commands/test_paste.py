"""paste: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance
from commands.sample_texts import FILES, texts
from keysh.vfs.local.filesystem import LocalFS


class TestPaste(TextCommandConformance):
    name = "paste"

    def test_missing_file_is_reported_and_the_others_are_read(
        self, folder: Path, disk: LocalFS
    ) -> None:
        """Nothing is printed if a column is missing."""
        answer = self.agrees(folder, disk, ["a", "missing", "other", "b"])
        assert answer == (1, b"", "paste: missing: No such file or directory\n")


@pytest.mark.parametrize(
    "words",
    [
        "f g", "-s f g", "-d, f g", "-d,: f g k", "-d \\n\\t f g k", "-d \\0 f g", "-d x\\ f",
        "-s -d, k", "-z z z", "- -", "-s -", "missing f", "d f", "f d", "-d  f g", "",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("paste", words.split(" ") if words else [], tmp_path, FILES, b"1\n2\n3\n4")


CONTENT = texts()
WORDS = st.lists(st.sampled_from(["-s", "-d,", "-d,:", "-z", "x", "y", "-"]), max_size=4)


@settings(max_examples=80)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("paste")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("paste", given_words, folder, {"x": x, "y": y}, stdin)


def test_any_number_of_lines_is_dealt_in_turn(tmp_path: Path) -> None:
    files = {"f": b"".join(b"%d\n" % number for number in range(1_500)), "g": b"x\ny"}
    for words in ("- f - g", "f g", "- - -", "-d ab - g - f"):
        assert_agreement("paste", words.split(), tmp_path, files, b"in\n" * 3_001)
