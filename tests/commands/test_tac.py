"""tac: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance
from commands.sample_texts import FILES, texts
from keysh.tools.tac import command as tac
from keysh.vfs.local.filesystem import LocalFS


class TestTac(TextCommandConformance):
    name = "tac"

    def test_directory_is_reported_and_the_others_are_read(
        self, folder: Path, disk: LocalFS
    ) -> None:
        """GNU's tac reports that it cannot seek there, without a reason."""
        answer = run_keysh("tac", "dir", "a", fs=disk)
        assert answer.err == "tac: dir: read error: Is a directory\n"
        assert (answer.status, answer.out) == (1, b"three\n\ntwo\none\n")


@pytest.mark.parametrize(
    "words",
    [
        "f",
        "-b f",
        "-s : g",
        "-bs : g",
        "-s ab f",
        "f g",
        "missing f",
        "e",
        "",
        "-r f",
        "-brs [ot] f",
        "-rs [0-9]+ n",
        "-rs o\\|t f g",
        "-rs ^ f",
        "-rs $ f",
        "-rs e* f",
        "-rs . n",
        "-rs ( f",
        "-rs [ f",
        "-rs \\( f",
        "-rs e\\?\n f",
        "-rs [^a] f",
        "-rs \\(o\\)\\1 f",
        "-brs thre f",
        "-rs \\bt f",
    ],
)
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("tac", words.split(" ") if words else [], tmp_path, FILES, b"a\nb")


CONTENT = texts()
WORDS = st.lists(
    st.sampled_from(["-b", "-s a", "-s foo", "x", "y", "-r", "-rs fo*", "-rs [a1]+"]), max_size=4
)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("tac")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("tac", given_words, folder, {"x": x, "y": y}, stdin)


@settings(max_examples=60)
@given(
    text=st.lists(st.sampled_from([b"a", b"aa", b"b", b"\xc3\xa9"]), max_size=12).map(b"".join),
    mark=st.sampled_from(["a", "aa", "aba", "\u00e9"]),
    option=st.sampled_from(["-s", "-bs"]),
)
def test_separators_are_found_in_blocks_of_any_size(
    tmp_path_factory: pytest.TempPathFactory, text: bytes, mark: str, option: str
) -> None:
    folder = tmp_path_factory.mktemp("tac")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tac, "PART_CHARACTERS", 2)
        assert_agreement("tac", [option, mark], folder, {}, text)
