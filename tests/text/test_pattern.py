"""Shell patterns against bash's own matching, in `[[ x == p ]]`, `${x#p}` and the rest."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from keysh import Shell
from keysh.text import pattern as pattern_module
from keysh.text import pattern_parser
from keysh.text.pattern import Pattern, pattern_text
from keysh.text.pattern_parser import MAX_GROUP_DEPTH
from keysh.text.regex.regex_errors import RegexLimit
from vfs.timeout import hang_guard  # noqa: F401 - a fixture

SCRIPT = r"""
shopt -s extglob
while IFS= read -r -d '' s && IFS= read -r -d '' p; do
  [[ $s == $p ]]; a=$?
  case $s in $p) b=0 ;; *) b=1 ;; esac
  printf '%s\0' "$a$b" "${s#$p}" "${s##$p}" "${s%$p}" "${s%%$p}" "${s//$p/<>}"
done
"""


def bash(pairs: list[tuple[str, str]]) -> list[list[str]]:
    """Status, the four trimmings and the replacement of each (subject, pattern)."""
    reported = "".join(f"{subject}\0{pattern}\0" for subject, pattern in pairs)
    done = subprocess.run(
        ["bash", "--norc", "-c", SCRIPT],
        input=reported.encode(),
        capture_output=True,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        timeout=120,
        check=True,
    )
    texts = done.stdout.decode().split("\0")
    return [texts[at : at + 6] for at in range(0, len(pairs) * 6, 6)]


def ours(subject: str, text: str) -> list[str]:
    pattern = Pattern(text)
    status = "00" if pattern.matches(subject) else "11"
    heads = [pattern.prefix(subject, longest) or 0 for longest in (False, True)]
    tails = [pattern.suffix(subject, longest) or 0 for longest in (False, True)]
    cut = [subject[head:] for head in heads]
    cut += [subject[: len(subject) - tail] for tail in tails]
    made, done = "", 0
    for start, end in pattern.find_all(subject):
        if start == end and (subject or not text):
            continue  # bash replaces an empty match only in empty text
        made += subject[done:start] + "<>"
        done = end
    return [status, *cut, made + subject[done:]]


# At the end of the subject, bash tries no `@()` directly after a star (`*@(|x)` does not match
# `ab`), and a star before an unclosed `?(` or `*(` takes everything. keysh does neither.
STAR_AND_GROUP = re.compile(r"\*[?*]*[?*@+!]\(")


def agree(pairs: list[tuple[str, str]], columns: int = 6) -> None:
    pairs = [pair for pair in pairs if not STAR_AND_GROUP.search(pair[1])]
    for (subject, pattern), expected in zip(pairs, bash(pairs), strict=True):
        # `${s//p/r}` replaces nothing in bash where p ends in a quoted star.
        seen = min(columns, 5) if pattern.endswith("\\*") else columns
        assert ours(subject, pattern)[:seen] == expected[:seen], (subject, pattern)


SUBJECTS = ["", "a", "b", "ab", "abc", "aab", "a.b", "[", "]", "-", "a-c", "\\", "a\nb", "é", "ß中",
            "[a", "a]", "(a)", "aXb", "1a", "*", "?", "!(a)", "a|b", " ", "^", "!"]  # fmt: skip
PATTERNS = ["", "*", "?", "a*", "*b", "a*b", "*a*b*", "??", "[a-c]", "[!a-c]", "[^a]", "[]a]", "[a",
            "[]", "[!]", "[!]a]", "[a-]", "[-a]", "[c-a]", "[[:alpha:]]", "[[:digit:]a]*", "[\\]]",
            "[![:space:]]", "[[:foo:]]", "[[:foo:]a]", "[[.a.]]", "[[.-.]]", "[[=a=]]", "[a-c-]",
            "\\*", "\\a", "a\\", "\\", "\\\\", "[\\\\]", "[[]", "[[:alpha:]-]", "[--a]", "*[",
            "@(a|b)", "?(a)b", "*(a|b)", "+(a|b)c", "!(a)", "!(a|b)", "@()", "*()", "!()", "+()",
            "a@(|b)", "@(a", "*(a", "@(a|(b))", "+([a-c])", "*(?)", "!(*)", "!(!(a))", "@(a*|*b)",
            "*(a|ab)b", "+(*(a)b)", "!(a*)b", "a!(b)", "@([)]|a)", "@(\\)|a)", "(a)", "!(a", "**b",
            "*?*", "+(?)", "é", "[é-ß]", "?[中]"]  # fmt: skip


def test_table() -> None:
    agree([(subject, pattern) for subject in SUBJECTS for pattern in PATTERNS], 5)


PIECE = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "*",
        "?",
        "[ab]",
        "[!a]",
        "[a-b]",
        "[^bc]",
        "[[:alpha:]]",
        "\\a",
        "\\*",
        ".",
        "é",
    ]
)
PLAIN = st.lists(PIECE, max_size=6).map("".join)
GROUPED = st.recursive(
    PLAIN,
    lambda inner: st.lists(
        st.one_of(
            PIECE,
            st.builds(
                lambda operator, parts: f"{operator}({'|'.join(parts)})",
                st.sampled_from("?*+@!"),
                st.lists(inner, min_size=1, max_size=3),
            ),
        ),
        max_size=4,
    ).map("".join),
    max_leaves=6,
)
SUBJECT = st.text(st.sampled_from("aaabbbcc.é*[]"), max_size=9)
HOSTILE = st.text(st.sampled_from("ab[]!^-:.=()|*?+@\\"), max_size=9)


@given(pairs=st.lists(st.tuples(SUBJECT, PLAIN), min_size=300, max_size=400))
@settings(derandomize=True, max_examples=10, phases=[Phase.generate])
def test_plain_patterns_agree_with_bash(pairs: list[tuple[str, str]]) -> None:
    agree(pairs)


@given(pairs=st.lists(st.tuples(SUBJECT, GROUPED), min_size=100, max_size=150))
@settings(derandomize=True, max_examples=15, phases=[Phase.generate])
def test_extended_patterns_agree_with_bash(pairs: list[tuple[str, str]]) -> None:
    agree(pairs, 1)


@given(pairs=st.lists(st.tuples(SUBJECT, HOSTILE), min_size=300, max_size=400))
@settings(derandomize=True, max_examples=10, phases=[Phase.generate])
def test_any_text_agrees_with_bash(pairs: list[tuple[str, str]]) -> None:
    agree(pairs, 1)


@given(pieces=st.lists(st.tuples(HOSTILE, st.booleans()), max_size=3))
def test_inactive_pieces_match_themselves(pieces: list[tuple[str, bool]]) -> None:
    pattern = Pattern(pattern_text((text, False) for text, _ in pieces))
    assert pattern.matches("".join(text for text, _ in pieces))


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [("*@(|x)", True), ("*!(q)", True), ("*+(b)", True), ("*@(c)", False), ("*?(b", False)],
)
def test_group_after_a_star(pattern: str, matches: bool) -> None:
    assert Pattern(pattern).matches("ab") is matches


def test_pieces() -> None:
    assert Pattern(pattern_text([("*", True), (".*", False)])).matches("x.*")
    assert not Pattern(pattern_text([("*", True), (".*", False)])).matches("x.y")
    assert Pattern(pattern_text([("[", True), ("]", False), ("a]", True)])).matches("]")
    assert pattern_text([("a\\", True), ("*", False)]) == "a\\\\\\*"


def test_case_is_ignored() -> None:
    pattern = Pattern("A[b-d]*[[:upper:]]", ignore_case=True)
    assert pattern.matches("aCxX")
    assert pattern.matches("ABx")
    assert not pattern.matches("aEx")


def test_fnmatch_has_no_groups() -> None:
    assert Pattern("@(a)", extended=False).matches("@(a)")


@pytest.mark.usefixtures("hang_guard")
@pytest.mark.parametrize(
    ("pattern", "subject"),
    [
        ("*a" * 40 + "b", "a" * 5000),
        ("*(*(*(*(a)b)c)d)e", "abcd" * 60),
        ("+(+(+(a|aa)|aaa)|a)b", "a" * 300),
        ("!(!(!(!(a*)b*)c*)d*)x", "abcd" * 50),
        ("*(a|aa)*(a|aa)*(a|aa)b", "a" * 1000),
        ("*([0-9])x", "1" * 1_000_000),
        ("?" * 1000 + "*" * 1000, "a" * 999),
        ("*(?|??|a*)" * 5 + "b", "a" * 300),
    ],
)
def test_no_pattern_hangs(pattern: str, subject: str) -> None:
    assert not Pattern(pattern).matches(subject)


# Blocks that no new version of Unicode changes: Latin to Cyrillic, punctuation, CJK punctuation.
STABLE_BLOCKS = (range(0x250), range(0x400, 0x483), range(0x2000, 0x2060), range(0x3000, 0x3020))


@pytest.mark.parametrize(
    "name",
    [
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "xdigit",
    ],
)  # fmt: skip
def test_classes_are_those_of_the_locale(name: str) -> None:
    chars = [chr(code) for block in STABLE_BLOCKS for code in block if code]
    text = "".join(f"{char}\0" for char in chars)
    done = subprocess.run(
        [
            "bash", "--norc", "-c",
            f"while IFS= read -r -d '' c; do [[ $c == [[:{name}:]] ]]; printf $?; done",
        ],
        input=text.encode(), capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    members = {
        char for char, status in zip(chars, done.stdout.decode(), strict=True) if status < "1"
    }
    pattern = Pattern(f"[[:{name}:]]")
    assert {char for char in chars if pattern.matches(char)} == members


class Counter:
    """A tick that counts its calls."""

    calls = 0

    def __call__(self) -> None:
        self.calls += 1


def test_unclosed_brackets_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A `[` that nothing closes is literal, and so is each of many; none is read twice."""
    read: list[int] = []
    read_members = pattern_parser.BracketReader._read_members

    def counted(reader: object, expression: object, position: int) -> int:
        read.append(position)
        return read_members(reader, expression, position)  # type: ignore[arg-type]

    monkeypatch.setattr(pattern_parser.BracketReader, "_read_members", counted)
    for piece in ("[", "[a[:x:", "[[.", "[\\]", "[]"):
        text = piece * 500
        read.clear()
        Pattern(text)
        assert len(read) <= 2 * len(text), piece
    assert Pattern("[" * 500).literal == "[" * 500


def test_parsing_ticks() -> None:
    for text in ("?" * 20_000, "[" * 20_000, "a?" * 10_000, "[" + "a" * 20_000 + "]"):
        tick = Counter()
        Pattern(text, tick=tick)
        assert tick.calls >= 3, text[:2]


def test_groups_that_nest_too_deeply_are_an_error() -> None:
    def nested(depth: int) -> str:
        return "@(" * depth + "a" + ")" * depth

    assert Pattern(nested(MAX_GROUP_DEPTH)).matches("a")
    with pytest.raises(RegexLimit, match="groups of a pattern nest more than 100 deep"):
        Pattern(nested(MAX_GROUP_DEPTH + 1))
    result = Shell().run(f"p='{nested(5000)}'; [[ a == $p ]]; echo on; echo ${{p#$p}}")
    assert (result.stdout, result.stderr.count("E213")) == ("on\n", 2)


@pytest.mark.parametrize("pattern", ["!(*a*!(*b*))c", "*(*(a)*(b))c", "+(a|aa)c", "*a*[b]*c"])
def test_matching_ticks(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work of a match is counted by the size of the sets of positions."""
    monkeypatch.setattr(pattern_module, "OPERATIONS_PER_TICK", 4)
    tick = Counter()
    assert not Pattern(pattern).matches("a" * 60 + "d", tick)
    assert tick.calls > 0


def test_remembered_positions_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = "ab" * 30 + "c"
    pattern = Pattern("*(*(a)*(ab|b)!(b))c")
    expected = (pattern.matches(subject), [*pattern.find_all(subject)])
    monkeypatch.setattr(pattern_module, "MAX_CACHED_POSITION_BYTES", 10)
    assert (pattern.matches(subject), [*pattern.find_all(subject)]) == expected


@pytest.mark.parametrize("window", [1, 3, 64])
@pytest.mark.parametrize(
    "text", ["+(a)", "a*b", "@(a|ab|abc)", "!(a)b", "[ab]", "?(a)b", "*(ab)", "ab[!c]", "aab*(c)a"]
)
def test_windows_find_the_same_matches(
    text: str, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = "aababcabaaabcccabbaab" * 4
    expected = [*Pattern(text).find_all(subject)]
    monkeypatch.setattr(pattern_module, "MAX_WHOLE_CHARACTERS", 0)
    monkeypatch.setattr(pattern_module, "FIRST_WINDOW_CHARACTERS", window)
    assert [*Pattern(text).find_all(subject)] == expected
