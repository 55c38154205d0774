"""Scripts, regular expressions, shell patterns and messages to the MCP server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import islice
from random import Random

from fuzz import seeds
from fuzz.fields import Unfit, fields
from fuzz.mutation import Mutator, random_text
from fuzz.runs import run
from keysh.diagnostics.dialect import BASH, KEYSH
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax.parser import parse
from keysh.text.chunks import bytes_of_text
from keysh.text.pattern import Pattern
from keysh.text.regex.analysis.cost import EXPONENTIAL_POWER, MatchCost
from keysh.text.regex.regex import Regex, RegexError, RegexLimit
from properties.test_round_trip import assert_round_trip

MOST_MATCHES = 50


# ------------------------------------------------------------ scripts


def script_maker(random: Random) -> Callable[[], str]:
    return Mutator(seeds.scripts(), random).text


def script_holds(text: str) -> None:
    """A text is refused by ScriptError, or printing and parsing it again gives the same tree."""
    for dialect in (KEYSH, BASH):
        try:
            script = parse(Source(text, dialect=dialect))
        except ScriptError:
            continue
        assert_round_trip(script)


def run_holds(text: str) -> None:
    """Running a script ends with a status, by itself or by its limits."""
    for dialect in ("keysh", "bash"):
        run(text, {"/file.txt": "one\ntwo\n"}, dialect=dialect)


# ------------------------------------------------------------ regular expressions

SYNTAXES = ("basic", "extended", "awk", "sed", "grep", "egrep", "perl", "oniguruma")
SUBJECTS = "aabbc1_- .Aßé\n"
REGEX_PIECES = [
    "a", "b", "c", "ab", ".", "a*", "b+", "c?", "(a|b)", "(", ")", "|", "[ab]", "[^a]", "[a-c]*",
    "^", "$", "\\b", "\\B", "\\w", "\\<", "\\>", "\\1", "{1,3}", "{2}", "*", "+", "?", "\\(", "\\)",
    "\\|", "[[:alpha:]]", "[]a]", "(?:", "(?=a)", "(?!b)", "(?<=a)", "(?>a*)", "*?", "+?", "é", "ß",
    "\\{1,2\\}", "(a*)*", "(a|ab)(c|bcd)", "\\n", "\\.", "A", "1", "_", "\\K", "(?i)", "\\`", "\\'",
]  # fmt: skip
# What both Python and POSIX take for the same set of texts.
SHARED_REGEX = re.compile(
    r"\^?(?:[abc.|]|\((?!\?)|\)|\[\^?[abc]+\]|(?<=[abc.)\]])[*+?](?![*+?]))*\$?"
)


def regex_maker(random: Random) -> Callable[[], str]:
    mutator = Mutator(seeds.quoted("grep") + seeds.quoted("sed") + REGEX_PIECES, random)

    def text() -> str:
        if random.random() < 0.2:
            pattern = mutator.text()[:80]
        else:
            pattern = "".join(random.choices(REGEX_PIECES, k=random.randint(1, 8)))
        syntax = random.choice(SYNTAXES)
        return f"{syntax}\0{random_text(random, SUBJECTS, 24)}\0{pattern}"

    return text


def slow_regex(pattern: str, syntax: str) -> Regex:
    """Return a regular expression that leaves nothing to Python's `re`."""
    made = Regex(pattern, syntax)
    made._native.cost = made.tester.native.cost = MatchCost(EXPONENTIAL_POWER)
    return made


def spans(regex: Regex, text: str) -> list[tuple[tuple[int, int] | None, ...]] | None:
    """Return the bounds of all groups of the first matches; None where a limit ends the search."""
    try:
        return [
            tuple(match.span(number) for number in range(regex.groups + 1))
            for match in islice(regex.find_all(text), MOST_MATCHES)
        ]
    except RegexLimit:
        return None


def is_in(regex: Regex, text: str) -> bool | None:
    try:
        return regex.is_in(text)
    except RegexLimit:
        return None


def regex_holds(data: str) -> None:
    """All engines find the same matches and groups, and where it means the same, `re` does too."""
    syntax, subject, pattern = fields(data, 3)
    if syntax not in SYNTAXES:
        raise Unfit
    try:
        quick = Regex(pattern, syntax)
        slow = slow_regex(pattern, syntax)
    except (RegexError, RegexLimit):
        return
    found, again = spans(quick, subject), spans(slow, subject)
    if found is None or again is None:
        return
    assert found == again, f"re: {found}, own engines: {again}"
    for regex in (quick, slow):
        assert is_in(regex, subject) in (None, bool(found)), f"is_in is not {bool(found)}"
    if syntax == "extended" and "\n" not in subject and SHARED_REGEX.fullmatch(pattern):
        try:
            python = re.compile(pattern)
        except re.error:
            return
        assert bool(python.search(subject)) == bool(found), "Python's re differs"


# ------------------------------------------------------------ shell patterns

PATTERN_PIECES = [
    "a", "b", "ab", "*", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[[:alpha:]]", "@(", "*(", "+(",
    "?(", "!(", "|", ")", "\\", "\\*", "[", "]", "-", "é", ".", "**", "[]a]", "[!]a]", "A",
]  # fmt: skip


def pattern_maker(random: Random) -> Callable[[], str]:
    def text() -> str:
        pattern = "".join(random.choices(PATTERN_PIECES, k=random.randint(0, 9)))
        return f"{random_text(random, 'aabbcA.-]é*', 12)}\0{pattern}"

    return text


def pattern_holds(data: str) -> None:
    """Each way to ask gives the answer that `matches` gives for the part in question."""
    subject, text = fields(data, 2)
    try:
        pattern = Pattern(text)
        size = len(subject)
        ends = [end for end in range(size + 1) if pattern.matches(subject[:end])]
        starts = [at for at in range(size + 1) if pattern.matches(subject[at:])]
        assert pattern.prefix(subject, True) == (ends[-1] if ends else None)
        assert pattern.prefix(subject, False) == (ends[0] if ends else None)
        assert pattern.suffix(subject, True) == (size - starts[0] if starts else None)
        assert pattern.suffix(subject, False) == (size - starts[-1] if starts else None)
        for start, end in pattern.find_all(subject):
            longest = [to for to in range(start, size + 1) if pattern.matches(subject[start:to])]
            assert longest[-1:] == [end], f"{start}: {end}, not {longest}"
        if pattern.literal is not None:
            assert pattern.matches(pattern.literal)
    except RegexLimit:
        return


# ------------------------------------------------------------ messages

MESSAGES = [
    json.dumps(message)
    for message in (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "keysh"}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 3, "result": {"roots": [None, True, 1.5, "é"]}},
        {"jsonrpc": "2.0", "id": 4, "error": {"code": -32700, "message": "no"}},
    )
]


def message_maker(random: Random) -> Callable[[], bytes]:
    mutator = Mutator(MESSAGES, random)
    return lambda: bytes_of_text(mutator.text())


def message_holds(data: bytes) -> None:
    """A line is a message, or Fault holds an answer that is JSON."""
    from keysh.adapters.mcp.wire import Fault, message_of

    try:
        text = message_of(data)
    except Fault as fault:
        json.dumps(fault.record)
        return
    assert isinstance(json.loads(text), dict)


TARGETS = {
    "script": (script_maker, script_holds),
    "run": (script_maker, run_holds),
    "regex": (regex_maker, regex_holds),
    "pattern": (pattern_maker, pattern_holds),
    "mcp": (message_maker, message_holds),
}
