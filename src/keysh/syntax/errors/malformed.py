"""Diagnostics for constructs with a syntax of their own: arithmetic, `[[ … ]]`, `${…}`, records."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shorten
from keysh.syntax.errors.unexpected import quoted_source, word_start_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.syntax.errors.unexpected import Unexpected

ARITHMETIC_OPENERS = ("ARITHMETIC_OPEN", "EXPRESSION_OPEN", "A_OPEN", "A_QUESTION")
CONDITION_OPENERS = ("TEST_OPEN", "T_OPEN")
OPERAND_ENDS = (
    "NAME", "A_NUMBER", "A_CLOSE", "WORD_CLOSE", "SUBSCRIPT", "SUBSCRIPT_CLOSE", "ALL", "VARIABLE",
    "DOUBLE", "SINGLE", "INTERPOLATED", "ANSI", "A_STEP", "ARITHMETIC_CLOSE",
)  # fmt: skip
EXPANSION_TOKENS = ("VARIABLE", "EXPANSION_OPEN")
WORD_LIKE_TOKENS = ("WORD", "WORD_OPEN", "SINGLE", "DOUBLE", "ANSI", "VARIABLE", "INTERPOLATED")

# Operators of `test` and of other languages, and those of `[[ … ]]`.
FOREIGN_TEST_OPERATORS = {
    "]": "]]", "-a": "&&", "and": "&&", "-o": "||", "or": "||", "===": "==", "!==": "!=",
    "is": "==", "<>": "!=", "matches": "=~", "contains": "=~", ">=": "-ge", "<=": "-le",
}  # fmt: skip
BINARY_TESTS = ("==", "=", "!=", "=~", "!~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot")


def malformed_head(place: Unexpected) -> Diagnostic | None:
    """Report a malformed head of `for` or `case`."""
    if place.before == "FOR":
        fix = "write `for name in words; do …; done`"
        if place.kind == "VARIABLE":
            fix = f"write `for {place.tokens[place.index][1]} in`"
        elif place.kind == "LEFT_PAREN":
            fix = "write `for ((i = 0; i < 9; i++)); do …; done`"
        return place.diagnostic("E118", "expected a name, found", fix)
    if place.before == "CASE":
        return place.diagnostic(
            "E118", "expected a word, found", "write `case word in pattern) …;; esac`"
        )
    if "IN" in place.expected and place.innermost in ("FOR", "CASE"):
        fix = "write `for name in words`" if place.innermost == "FOR" else "write `case word in`"
        return place.diagnostic("E118", "expected `in`, found", fix)
    if place.innermost == "CASE" and place.before in (
        "PATTERN_OR",
        "PATTERN_OPEN",
        "IN",
        "CLAUSE_END",
    ):
        return place.diagnostic("E118", "expected a pattern, found", "write `pattern) command;;`")
    if place.innermost == "CASE" and "PATTERN_CLOSE" in place.expected:
        fix = "write `pattern) command;;`, and quote a blank in a pattern"
        return place.diagnostic("E118", "expected `)` or `|`, found", fix)
    if place.kind == "ARITHMETIC_CLOSE" and "A_SEMICOLON" in place.expected:
        return place.diagnostic("E118", "expected `;`, found", "write `for ((i = 0; i < 9; i++))`")
    return None


def malformed_function(place: Unexpected) -> Diagnostic | None:
    """Report malformed parameters of a declared function."""
    if place.innermost != "FUNCTION_DECLARED":
        return None
    if place.before == "EQUALS":
        return place.diagnostic("E117", "expected a value, found", "write `name = value`")
    if place.before == "COLON":
        return place.diagnostic("E117", "expected a type, found", "write `name: string`")
    if place.kind == "PARAMETER_NAME" and "COMMA" in place.expected:
        return place.diagnostic(
            "E117", "expected `,` or `)`, found", "write `,` between parameters"
        )
    fix = "write `name: type = default`, and `,` between parameters"
    return place.diagnostic("E117", "cannot stand among parameters", fix)


def malformed_inside(place: Unexpected) -> Diagnostic | None:
    """Report an unexpected token inside brackets."""
    top = place.innermost
    if top in ARITHMETIC_OPENERS or (place.before.startswith("A_") and top == "FOR"):
        return malformed_arithmetic(place)
    if top in CONDITION_OPENERS:
        return malformed_condition(place)
    if top == "EXPANSION_OPEN":
        return malformed_expansion(place)
    if top == "SUBSCRIPT_OPEN":
        return place.diagnostic(
            "E106", "a subscript is empty", "write `[key]`", place.index - 1, "`[]`"
        )
    if top == "LIST_OPEN":
        if place.kind == "COMMA":
            fix = 'take it out, or write `""` for empty text'
            return place.diagnostic("E120", "a value is missing before", fix)
        return place.diagnostic("E120", "cannot stand in a list", "quote it")
    if top == "RECORD_OPEN":
        return malformed_record(place)
    if top == "ARRAY_OPEN":
        fix = "quote it, or write `$(command)` to take in what it prints"
        if place.token_line(place.frames[-1].index) < place.token_line(place.index):
            fact = (
                f"not closed before {place.token_label()} on line {place.token_line(place.index)}"
            )
            return place.diagnostic("E102", fact, "add `)`", place.frames[-1].index)
        if place.kind == "SEPARATOR":
            fix = "write a blank for it"
        return place.diagnostic("E119", "cannot stand in `( … )`", fix)
    return None


def malformed_whole(place: Unexpected) -> Diagnostic:
    """Report a string given at run time that is no expression, path or value."""
    if place.start == "arithmetic":
        return malformed_arithmetic(place)
    if place.start == "path":
        text = place.source.text
        return place.diagnostic(
            "E106", "not a path", "write `name[key]`", datum=quoted_source(text)
        )
    return place.diagnostic("E120", "expected a value, found", 'write `""` for empty text')


def malformed_arithmetic(place: Unexpected) -> Diagnostic:
    """Report a missing operand or operator."""
    fix = "write a number or a name before it"
    if place.before in OPERAND_ENDS:
        if place.kind == "A_ASSIGN":
            fix = "write `name = value`, or `==` to compare"
            return place.diagnostic("E107", "only a variable can be assigned to", fix)
        if place.innermost == "A_QUESTION":
            return place.diagnostic("E107", "expected `:`, found", "write `a ? b : c`")
        fix = "write an operator before it, as in `a + b`"
        if place.kind == "A_SEMICOLON":
            fix = "write `,` between expressions"
        elif opener := split_opener(place):
            fix = f"write `{opener}` with a blank for a subshell, or an operator before it"
        elif place.kind in EXPANSION_TOKENS:
            operator = place.token_text(place.index)
            fix = f'write an operator, or `let "r = a {operator} b"` where that holds one'
        return place.diagnostic("E107", "expected an operator, found", fix)
    if place.before in ("", "ARITHMETIC_OPEN", "EXPRESSION_OPEN", "A_OPEN", "A_SEMICOLON"):
        return place.diagnostic("E107", "expected a number or a name, found", fix)
    fix = f"write `{place.token_text(place.index - 1)} 1`, or take it out"
    return place.diagnostic("E107", "a number or a name must follow", fix, place.index - 1)


def split_opener(place: Unexpected) -> str:
    """Return `( (` or `$( (` if the parentheses of `((` or `$((` are closed separately, as in
    `((a; b) | c)`; else "".
    """
    text = place.source.text
    for frame in place.frames:
        if frame.kind not in ("ARITHMETIC_OPEN", "EXPRESSION_OPEN"):
            continue
        depth, at = 2, place.tokens[frame.index][3]
        while depth > 1 and at < len(text):
            depth += (text[at] == "(") - (text[at] == ")")
            at += 1
        if depth == 1 and text[at : at + 1] != ")":
            return place.token_text(frame.index)[:-1] + " ("
    return ""


def malformed_condition(place: Unexpected) -> Diagnostic:
    """Report a missing operand or operator in `[[ … ]]`."""
    last, tokens = place.index - 1, place.tokens
    found = place.token_text(place.index)
    if place.before in ("TEST_BINARY", "TEST_IN", "TEST_UNARY"):
        operator = place.token_text(last)
        return place.diagnostic("E108", "a word must follow", f"write `{operator} word`", last)
    if place.before in ("AND_IF", "OR_IF", "BANG", "TEST_OPEN", "T_OPEN"):
        return place.diagnostic("E108", "a condition is missing before", "write `[[ -n $x ]]`")
    if place.kind == "T_CLOSE":
        fix = "take it out, or quote it: `')'`"
        return place.diagnostic("E108", "no `(` is open in `[[ … ]]`", fix)
    previous = tokens[last][1] if place.before == "WORD" else ""
    if found in FOREIGN_TEST_OPERATORS:
        return place.diagnostic(
            "E108", "`[[ … ]]` has no", f"write `{FOREIGN_TEST_OPERATORS[found]}`"
        )
    glued = place.source.text[tokens[last - 1][2] : tokens[last][3]]
    if glued in FOREIGN_TEST_OPERATORS and tokens[last - 1][0] == "TEST_BINARY":
        fix = f"write `{FOREIGN_TEST_OPERATORS[glued]}`"
        return place.diagnostic("E108", "`[[ … ]]` has no", fix, last - 1, quoted_source(glued))
    if previous in BINARY_TESTS:
        return place.diagnostic(
            "E108", "a word must stand before", f"write `word {previous}`", last
        )
    if isinstance(previous, str) and previous.startswith("-") and len(previous) == 2:
        return place.diagnostic("E108", "`[[ … ]]` has no test", "`help test` lists them", last)
    fix = "write `a == b`, and `&&` between conditions"
    if last and tokens[last - 1][0] == "TEST_BINARY" and tokens[last - 1][1] in ("=~", "!~"):
        fix = "quote the blank before it"
    if place.kind in WORD_LIKE_TOKENS:
        return place.diagnostic("E108", "expected an operator or `]]`, found", fix)
    return place.diagnostic("E108", "cannot stand in `[[ … ]]`", fix)


def malformed_expansion(place: Unexpected) -> Diagnostic:
    """Report a token that `${…}` does not take."""
    kinds = [token[0] for token in place.tokens[place.frames[-1].index : place.index]]
    if "SLICE" in kinds:
        if place.kind in ("SLICE_LENGTH", "A_COLON"):
            return place.diagnostic(
                "E106", "cannot stand in `${…}`", "write `${name:offset:length}`"
            )
        return malformed_arithmetic(place)
    if "LENGTH" in kinds:
        return place.diagnostic("E106", "`${#…}` takes no operator", "write `${#name}`")
    return place.diagnostic("E106", "cannot stand in `${…}`", "write `${name:-text}`")


def malformed_record(place: Unexpected) -> Diagnostic:
    """Report a record without a colon, a key or a value."""
    if "COLON" in place.expected:
        key = shorten(place.token_text(word_start_index(place)))
        return place.diagnostic("E120", "expected `:`, found", f"write `{key}: value`")
    if place.kind in ("COMMA", "RECORD_CLOSE") and place.before == "COLON":
        return place.diagnostic("E120", "a value is missing before", 'write `""` for empty text')
    return place.diagnostic("E120", "cannot stand in a record", "write `{key: value}`")
