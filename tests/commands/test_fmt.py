"""fmt: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement

TEXT = (
    "The quick brown fox jumps over the lazy dog.  It was (so they say) not amused! "
    "What came of it, nobody knows; but the fox is fine.\nA second line follows here.\n\n"
    "  An indented paragraph, whose\nsecond line is not, and\n    another one.\n"
    "> quoted words that go on and on for a while and then\n> end\n>\n\ttabbed\ttext\n"
)
FILES = {"x": TEXT.encode(), "long": b"word and more. " * 900, "u": "é ü\n".encode() * 40}


@pytest.mark.parametrize(
    "words",
    [
        "x", "-c x", "-t x", "-s x", "-u x", "-w30 x", "-30 x", "-w 40 -g 30 x", "-g 20 x",
        "-p > x", "-p> -w20 x", "-su -w25 x", "-w9999 x", "-wx x", "-w 20 -g 30 x", "long",
        "-w1 x", "-w0 x", "u", "no x", "", "-ct x", "-w 2500 long", "-g 9x x",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("fmt", words.split(), tmp_path, FILES, b"in   put\n")


WORD = st.sampled_from(
    ["a", "the", "word", "sentence.", "longerword", "(x)", "end?", "foo,", "x ", "é", "\t"]
)
LINE = st.tuples(
    st.sampled_from(["", "", " ", "    ", "\t", "> ", "# "]), st.lists(WORD, max_size=10)
).map(lambda line: f"{line[0]}{' '.join(line[1])}\n")
CONTENT = st.lists(LINE, max_size=8).map(lambda lines: "".join(lines).encode())
WORDS = st.lists(st.sampled_from(["-c", "-t", "-s", "-u", "-p>", "-w20", "-g15"]), max_size=2)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("fmt")
    assert_agreement("fmt", [*words, "x", "y"], folder, {"x": x, "y": y})


PROSE = st.lists(
    st.text("ab(.,?)!", min_size=1, max_size=12)
    | st.sampled_from(["word", "is", "of", "(a", "b)"]),
    min_size=20,
    max_size=120,
)


@settings(max_examples=60)
@given(words=PROSE, width=st.integers(5, 90), share=st.integers(0, 10))
def test_long_paragraphs_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], width: int, share: int
) -> None:
    """The cheapest lines, wherever the goal is."""
    folder = tmp_path_factory.mktemp("fmt")
    options = ["-w", str(width), "-g", str(width * share // 10)]
    assert_agreement("fmt", options, folder, {}, " ".join(words).encode())


@pytest.mark.parametrize(
    "text", [b"a", b"> a", b">", b"  ", b"> a\nb", b"  > ", b"> a\n\t", b"# x\n#"]
)
@pytest.mark.parametrize("words", [[], ["-p>"], ["-p", " >"]])
def test_unterminated_last_line_matches_gnu(tmp_path: Path, text: bytes, words: list[str]) -> None:
    assert_agreement("fmt", words, tmp_path, {}, text)


@pytest.mark.parametrize(
    "text",
    [
        b"one two\r\nthree four\r\n", b"a\vb c.\fd\r\re  f\n", b"end. \r\nof. a\x00\n\x00 b\n",
        b"a\rb\tc d\n", b"w." * 3000 + b" x\r\n", b"a\r" * 2100,
    ],
)  # fmt: skip
@pytest.mark.parametrize("words", [[], ["-w3"], ["-u"], ["-s", "-w9"]])
def test_other_blanks_match_gnu(tmp_path: Path, text: bytes, words: list[str]) -> None:
    assert_agreement("fmt", words, tmp_path, {}, text)


@settings(max_examples=20)
@given(
    rows=st.lists(
        st.lists(st.sampled_from(["a", "b.  ", "c.", "(d", "e,\t"]), min_size=30, max_size=40),
        min_size=20,
        max_size=60,
    )
)
def test_paragraphs_of_many_words_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("fmt")
    assert_agreement("fmt", [], folder, {}, "\n".join(" ".join(row) for row in rows).encode())
