"""Complaints: a token that cannot stand where it stands becomes a diagnostic with a fix."""

from __future__ import annotations

from keysh.diagnostics import Diagnostic, shortened
from keysh.syntax.openers import OPENERS, open_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.source import Source
    from keysh.syntax.cursor import Token

    Complaint = tuple[str, str, str, str]  # code, fact, datum, fix

# Closing words, and the word each belongs to.
BELONGS_TO = {
    "THEN": "if", "ELIF": "if", "ELSE": "if", "FI": "if", "DO": "while", "DONE": "while",
    "ESAC": "case", "CLAUSE_END": "case", "RIGHT_BRACE": "{", "RIGHT_PAREN": "(",
    "SUBSTITUTION_CLOSE": "$(", "PATTERN_CLOSE": "case", "TEST_CLOSE": "[[", "ARRAY_CLOSE": "(",
    "ARITHMETIC_CLOSE": "((", "EXPRESSION_CLOSE": "$((",
}  # fmt: skip
CONTINUES = {
    "THEN": ("IF",), "ELIF": ("IF",), "ELSE": ("IF",), "FI": ("IF",),
    "DO": ("WHILE", "UNTIL", "FOR"), "DONE": ("WHILE", "UNTIL", "FOR"), "ESAC": ("CASE",),
    "CLAUSE_END": ("CASE",), "RIGHT_BRACE": ("LEFT_BRACE", "FOR"), "RIGHT_PAREN": ("LEFT_PAREN",),
    "SUBSTITUTION_CLOSE": ("SUBSTITUTION_OPEN", "PROCESS_OPEN"), "TEST_CLOSE": ("TEST_OPEN",),
    "ARITHMETIC_CLOSE": ("ARITHMETIC_OPEN",), "EXPRESSION_CLOSE": ("EXPRESSION_OPEN",),
    "ARRAY_CLOSE": ("ARRAY_OPEN",), "PATTERN_CLOSE": ("CASE",), "HEREDOC_CLOSE": ("HEREDOC_OPEN",),
}  # fmt: skip
CLOSING_WORDS = {
    "IF": ("then", "fi"), "WHILE": ("do", "done"), "UNTIL": ("do", "done"), "FOR": ("do", "done"),
    "CASE": ("esac",), "LEFT_BRACE": ("}",),
}  # fmt: skip
ARITHMETIC = ("ARITHMETIC_OPEN", "EXPRESSION_OPEN", "A_OPEN", "A_QUESTION")
JOINERS = ("AND_IF", "OR_IF", "PIPE")
OPERANDS = ("NAME", "A_NUMBER", "WORD_OPEN", "VARIABLE", "INTERPOLATED", "DOUBLE", "SINGLE")

# What the grammar calls a token, and what a message does. The first that is expected is named.
NAMES = {
    "WORD": "a command", "THEN": "`then`", "DO": "`do`", "FI": "`fi`", "DONE": "`done`",
    "IN": "`in`", "ESAC": "`esac`", "RIGHT_BRACE": "`}`", "SEPARATOR": "`;` or a new line",
    "PATTERN_CLOSE": "`)`", "LEFT_BRACE": "`{`", "$END": "the end",
}  # fmt: skip


def complaint(
    source: Source, tokens: list[Token], index: int, expected: frozenset[str]
) -> Diagnostic:
    """The diagnostic for the first token that no rule allows."""
    kind, _, start, end = tokens[index]
    stack = [token for token in open_before(tokens, index) if token[0] != "WORD_OPEN"]
    before = tokens[index - 1][0] if index else ""
    mismatched = kind == "$END" or (
        kind in CONTINUES and stack and stack[-1][0] not in CONTINUES[kind]
    )
    if kind == "RIGHT_BRACE" and "DONE" in expected:
        mismatched = True
    if mismatched and stack and before != "REDIRECT":
        return unclosed(source, tokens, index, stack[-1])
    rules = (beheaded, misplaced_closer, inside_construct, missing_command, general)
    for rule in rules:
        if found := rule(source, tokens, index, stack, expected):
            code, fact, datum, fix = found
            return Diagnostic(code, source, *span(tokens, index), fact, datum, fix)
    raise AssertionError(f"no rule for {kind} at {start}..{end}")


def span(tokens: list[Token], index: int) -> tuple[int, int]:
    """Where to put the carets: at the end of a line, behind what stands there."""
    kind, value, start, end = tokens[index]
    if kind == "WORD_OPEN":
        end = next((t[3] for t in tokens[index:] if t[0] == "WORD_CLOSE"), end)
    elif kind in ("SINGLE", "DOUBLE", "VARIABLE", "INTERPOLATED"):
        start -= 1
    return start, max(end, start + 1)


def shown(tokens: list[Token], index: int, source: Source) -> str:
    """A token as its source spells it."""
    kind, value, _, _ = tokens[index]
    if kind == "$END":
        return "the end of the text"
    if kind == "SEPARATOR" and value == "\n":
        return "the end of the line"
    if kind == "HEREDOC_CLOSE":
        return "the heredoc's end"
    start, end = span(tokens, index)
    return f"`{shortened(source.text[start:end])}`"


def unclosed(source: Source, tokens: list[Token], index: int, opener: Token) -> Diagnostic:
    """A construct that is still open where the text, or what is around it, ends."""
    kind, _, start, end = opener
    if kind == "FUNCTION_DECLARED":
        start, end = end - 1, end
    text = source.text[start:end]
    closer = "`" if text == "`" else OPENERS[kind][1]
    where = ""
    if tokens[index][0] != "$END":
        where = (
            f" before {shown(tokens, index, source)} on line {source.position(tokens[index][2])[0]}"
        )
    fix = f"add `{closer}`"
    for word in CLOSING_WORDS.get(kind, ()):
        if any(t[0] == "WORD" and t[1] == word and t[2] > start for t in tokens[:index]):
            fix = f"write `; {word}`: it counts only where a command could begin"
            break
    return Diagnostic("E102", source, start, end, f"not closed{where}", f"`{shortened(text)}`", fix)


def beheaded(
    source: Source, tokens: list[Token], index: int, stack: list[Token], expected: frozenset[str]
) -> Complaint | None:
    """Something that must follow at once does not: a target, a name, a body."""
    before = tokens[index - 1] if index else ("", "", 0, 0)
    found = shown(tokens, index, source)
    if before[0] in ("REDIRECT", "FD"):
        return ("E116", f"a target must follow `{before[1]}`", found, f"write `{before[1]} file`")
    if tokens[index][0] == "LEFT_PAREN" and not (before[0] == "FOR"):
        return (
            "E115",
            "a parenthesis cannot stand among words",
            found,
            "quote it: `'('`; or begin a command with it: `; (…)`",
        )
    if before[0] == "FOR":
        return ("E118", "`for` needs a name", found, "write `for name in words; do …; done`")
    if before[0] == "CASE":
        return ("E118", "`case` needs a word", found, "write `case word in pattern) …;; esac`")
    if "IN" in expected and stack and stack[-1][0] in ("FOR", "CASE"):
        head = "for name in words" if stack[-1][0] == "FOR" else "case word in"
        return ("E118", "expected `in`", found, f"write `{head}`")
    if before[0] in ("FUNCTION", "PARAMETERS_CLOSE"):
        return ("E117", "a function's body must follow", found, "write `name() { …; }`")
    if stack and stack[-1][0] == "FUNCTION_DECLARED":
        return (
            "E117",
            "cannot stand among parameters",
            found,
            "write `name: type = default`, and commas between parameters",
        )
    return None


def misplaced_closer(
    source: Source, tokens: list[Token], index: int, stack: list[Token], expected: frozenset[str]
) -> Complaint | None:
    """A closing word: what it would close is empty, or not there."""
    kind, value, _, _ = tokens[index]
    if kind not in BELONGS_TO:
        return None
    found = f"`{value}`"
    opener = BELONGS_TO[kind]
    if not stack or stack[-1][0] not in CONTINUES.get(kind, ()):
        if kind == "CLAUSE_END":
            return ("E105", "`;;` ends a clause, and no `case` is open", found, "write one `;`")
        return (
            "E105",
            f"closes nothing, for no `{opener}` is open",
            found,
            f"take it out, quote it, or open with `{opener}`",
        )
    if "IF" in expected:
        return ("E104", "a command is missing before", found, "write `:` to do nothing")
    return None


def inside_construct(
    source: Source, tokens: list[Token], index: int, stack: list[Token], expected: frozenset[str]
) -> Complaint | None:
    """Constructs with a syntax of their own, each with its own code."""
    if not stack:
        return None
    opener = stack[-1]
    kind, found = opener[0], shown(tokens, index, source)
    before = tokens[index - 1][0]
    if kind in ARITHMETIC or (kind == "FOR" and before.startswith("A_")):
        return arithmetic(tokens[index][0], found, before)
    if kind == "EXPANSION_OPEN":
        sliced = any(
            t[0] in ("SLICE", "SLICE_LENGTH") for t in tokens[tokens.index(opener) : index]
        )
        if sliced:
            return arithmetic(tokens[index][0], found, before)
        if any(t[0] == "LENGTH" for t in tokens[tokens.index(opener) : index]):
            return ("E106", "`${#…}` takes no operator", found, "take the length of a variable")
        return ("E106", "`${…}` is malformed, unexpected", found, "write `${name:-text}`")
    if kind == "SUBSCRIPT_OPEN":
        return ("E106", "a subscript is empty", found, "write `[key]`")
    if kind in ("TEST_OPEN", "T_OPEN"):
        return condition(tokens, index, found, before)
    if kind == "LIST_OPEN":
        return (
            "E120",
            "cannot stand in a list",
            found,
            "write `[a, b]`, and quote other characters",
        )
    if kind == "RECORD_OPEN":
        return record(tokens[index][0], found, expected)
    if kind == "ARRAY_OPEN":
        return ("E119", "cannot stand in `( … )`", found, "quote it, or close the parenthesis")
    if kind == "CASE" and "PATTERN_CLOSE" in expected:
        return ("E118", "expected `)` behind a pattern", found, "write `pattern) command;;`")
    return None


def arithmetic(kind: str, found: str, before: str) -> Complaint:
    """An operand or an operator is missing."""
    if before in ("NAME", "A_NUMBER", "A_CLOSE", "WORD_CLOSE", "SUBSCRIPT", "VARIABLE", "A_STEP"):
        if kind == "A_ASSIGN":
            return ("E107", "only a variable can be assigned to", found, "write `name = …`")
        return ("E107", "expected an operator, found", found, "write `a + b`, or close with `))`")
    return ("E107", "expected a number or a name, found", found, "write `a + b`")


def condition(tokens: list[Token], index: int, found: str, before: str) -> Complaint:
    """`[[ … ]]` lacks an operand or an operator."""
    kind = tokens[index][0]
    if before in ("TEST_BINARY", "TEST_IN", "TEST_UNARY"):
        operator = tokens[index - 1][1]
        return ("E108", f"a word must follow `{operator}`", found, f"write `{operator} word`")
    if before in ("AND_IF", "OR_IF", "BANG", "TEST_OPEN", "T_OPEN"):
        return ("E108", "a condition is missing before", found, "write `[[ -n $x ]]`")
    if kind in OPERANDS or kind in ("WORD", "QUOTED", "TEST_UNARY"):
        return (
            "E108",
            "expected an operator or `]]`, found",
            found,
            "write `[[ a == b && -f c ]]`",
        )
    return ("E108", "expected `]]`, found", found, "close the condition with ` ]]`")


def record(kind: str, found: str, expected: frozenset[str]) -> Complaint:
    """A record lacks a colon, a key or a value."""
    if "COLON" in expected:
        return ("E120", "a `:` must follow the key", found, "write `{key: value}`")
    if kind in ("COMMA", "RECORD_CLOSE"):
        return ("E120", "a value is missing before", found, 'write `{key: value}`; `""` is empty')
    return ("E120", "cannot stand in a record", found, "write `{key: value}`")


def missing_command(
    source: Source, tokens: list[Token], index: int, stack: list[Token], expected: frozenset[str]
) -> Complaint | None:
    """An operator or the end where a command should begin."""
    kind = tokens[index][0]
    found = shown(tokens, index, source)
    before = tokens[index - 1] if index else ("", "", 0, 0)
    if kind == "$END" and (before[0] in JOINERS or before[0] in ("BANG", "TIME")):
        return ("E104", "a command must follow", f"`{before[1]}`", "write the command behind it")
    if "IF" in expected and kind in (*JOINERS, "SEPARATOR", "AMPERSAND", "CLAUSE_END", "$END"):
        return ("E104", "a command is missing before", found, "write a command, or take it out")
    return None


def general(
    source: Source, tokens: list[Token], index: int, stack: list[Token], expected: frozenset[str]
) -> Complaint:
    """Whatever is left: say what could stand here."""
    found = shown(tokens, index, source)
    wanted = next((name for kind, name in NAMES.items() if kind in expected), "")
    if "SEPARATOR" in expected:
        return ("E101", "unexpected behind a command", found, "put `;` or a new line before it")
    if wanted:
        return ("E101", f"expected {wanted}, found", found, f"write {wanted} here")
    return ("E101", "unexpected", found, "take it out, or quote it")
