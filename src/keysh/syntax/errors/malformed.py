"""Malformed: complaints about constructs that have a syntax of their own."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shortened
from keysh.syntax.errors.unexpected import spelled, word_start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.syntax.errors.unexpected import Place

ARITHMETIC = ("ARITHMETIC_OPEN", "EXPRESSION_OPEN", "A_OPEN", "A_QUESTION")
CONDITION = ("TEST_OPEN", "T_OPEN")
OPERAND_ENDS = (
    "NAME", "A_NUMBER", "A_CLOSE", "WORD_CLOSE", "SUBSCRIPT", "SUBSCRIPT_CLOSE", "ALL", "VARIABLE",
    "DOUBLE", "SINGLE", "INTERPOLATED", "ANSI", "A_STEP", "ARITHMETIC_CLOSE",
)  # fmt: skip
EXPANSIONS = ("VARIABLE", "EXPANSION_OPEN")
WORDS = ("WORD", "WORD_OPEN", "SINGLE", "DOUBLE", "ANSI", "VARIABLE", "INTERPOLATED")

# What `test` and other languages write in a condition, and what `[[ … ]]` has for it.
IN_CONDITIONS = {
    "]": "]]", "-a": "&&", "and": "&&", "-o": "||", "or": "||", "===": "==", "!==": "!=",
    "is": "==", "<>": "!=", "matches": "=~", "contains": "=~", ">=": "-ge", "<=": "-le",
}  # fmt: skip
BINARY = ("==", "=", "!=", "=~", "!~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot")


def malformed_head(place: Place) -> Diagnostic | None:
    """The head of `for` or `case`."""
    if place.before == "FOR":
        fix = "write `for name in words; do …; done`"
        if place.kind == "VARIABLE":
            fix = f"write `for {place.tokens[place.index][1]} in`"
        elif place.kind == "LEFT_PAREN":
            fix = "write `for ((i = 0; i < 9; i++)); do …; done`"
        return place.say("E118", "expected a name, found", fix)
    if place.before == "CASE":
        return place.say("E118", "expected a word, found", "write `case word in pattern) …;; esac`")
    if "IN" in place.expected and place.top in ("FOR", "CASE"):
        fix = "write `for name in words`" if place.top == "FOR" else "write `case word in`"
        return place.say("E118", "expected `in`, found", fix)
    if place.top == "CASE" and place.before in ("PATTERN_OR", "PATTERN_OPEN", "IN", "CLAUSE_END"):
        return place.say("E118", "expected a pattern, found", "write `pattern) command;;`")
    if place.top == "CASE" and "PATTERN_CLOSE" in place.expected:
        fix = "write `pattern) command;;`, and quote a blank in a pattern"
        return place.say("E118", "expected `)` or `|`, found", fix)
    if place.kind == "ARITHMETIC_CLOSE" and "A_SEMICOLON" in place.expected:
        return place.say("E118", "expected `;`, found", "write `for ((i = 0; i < 9; i++))`")
    return None


def malformed_function(place: Place) -> Diagnostic | None:
    """A declared function's parameters."""
    if place.top != "FUNCTION_DECLARED":
        return None
    if place.before == "EQUALS":
        return place.say("E117", "expected a value, found", "write `name = value`")
    if place.before == "COLON":
        return place.say("E117", "expected a type, found", "write `name: string`")
    if place.kind == "PARAMETER_NAME" and "COMMA" in place.expected:
        return place.say("E117", "expected `,` or `)`, found", "write `,` between parameters")
    fix = "write `name: type = default`, and `,` between parameters"
    return place.say("E117", "cannot stand among parameters", fix)


def malformed_inside(place: Place) -> Diagnostic | None:
    """Everything between brackets."""
    top = place.top
    if top in ARITHMETIC or (place.before.startswith("A_") and top == "FOR"):
        return arithmetic(place)
    if top in CONDITION:
        return condition(place)
    if top == "EXPANSION_OPEN":
        return expansion(place)
    if top == "SUBSCRIPT_OPEN":
        return place.say("E106", "a subscript is empty", "write `[key]`", place.index - 1, "`[]`")
    if top == "LIST_OPEN":
        if place.kind == "COMMA":
            fix = 'take it out, or write `""` for empty text'
            return place.say("E120", "a value is missing before", fix)
        return place.say("E120", "cannot stand in a list", "quote it")
    if top == "RECORD_OPEN":
        return record(place)
    if top == "ARRAY_OPEN":
        fix = "quote it, or write `$(command)` to take in what it prints"
        if place.line(place.frames[-1].index) < place.line(place.index):
            fact = f"not closed before {place.shown()} on line {place.line(place.index)}"
            return place.say("E102", fact, "add `)`", place.frames[-1].index)
        if place.kind == "SEPARATOR":
            fix = "write a blank for it"
        return place.say("E119", "cannot stand in `( … )`", fix)
    return None


def malformed_whole(place: Place) -> Diagnostic:
    """A text that arrives at run time and should be an expression, a path or a value."""
    if place.start == "arithmetic":
        return arithmetic(place)
    if place.start == "path":
        text = place.source.text
        return place.say("E106", "not a path", "write `name[key]`", datum=spelled(text))
    return place.say("E120", "expected a value, found", 'write `""` for empty text')


def arithmetic(place: Place) -> Diagnostic:
    """An operand or an operator is missing."""
    fix = "write a number or a name before it"
    if place.before in OPERAND_ENDS:
        if place.kind == "A_ASSIGN":
            fix = "write `name = value`, or `==` to compare"
            return place.say("E107", "only a variable can be assigned to", fix)
        if place.top == "A_QUESTION":
            return place.say("E107", "expected `:`, found", "write `a ? b : c`")
        fix = "write an operator before it, as in `a + b`"
        if place.kind == "A_SEMICOLON":
            fix = "write `,` between expressions"
        elif opener := split_opener(place):
            fix = f"write `{opener}` with a blank for a subshell, or an operator before it"
        elif place.kind in EXPANSIONS:
            operator = place.text(place.index)
            fix = f'write an operator, or `let "r = a {operator} b"` where that holds one'
        return place.say("E107", "expected an operator, found", fix)
    if place.before in ("", "ARITHMETIC_OPEN", "EXPRESSION_OPEN", "A_OPEN", "A_SEMICOLON"):
        return place.say("E107", "expected a number or a name, found", fix)
    fix = f"write `{place.text(place.index - 1)} 1`, or take it out"
    return place.say("E107", "a number or a name must follow", fix, place.index - 1)


def split_opener(place: Place) -> str:
    """`( (` or `$( (` where the two parentheses of `((` or `$((` are closed apart, as they are in
    `((a; b) | c)`; empty where they are not.
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
            return place.text(frame.index)[:-1] + " ("
    return ""


def condition(place: Place) -> Diagnostic:
    """`[[ … ]]` lacks an operand or an operator."""
    last, tokens = place.index - 1, place.tokens
    found = place.text(place.index)
    if place.before in ("TEST_BINARY", "TEST_IN", "TEST_UNARY"):
        operator = place.text(last)
        return place.say("E108", "a word must follow", f"write `{operator} word`", last)
    if place.before in ("AND_IF", "OR_IF", "BANG", "TEST_OPEN", "T_OPEN"):
        return place.say("E108", "a condition is missing before", "write `[[ -n $x ]]`")
    if place.kind == "T_CLOSE":
        fix = "take it out, or quote it: `')'`"
        return place.say("E108", "no `(` is open in `[[ … ]]`", fix)
    previous = tokens[last][1] if place.before == "WORD" else ""
    if found in IN_CONDITIONS:
        return place.say("E108", "`[[ … ]]` has no", f"write `{IN_CONDITIONS[found]}`")
    glued = place.source.text[tokens[last - 1][2] : tokens[last][3]]
    if glued in IN_CONDITIONS and tokens[last - 1][0] == "TEST_BINARY":
        fix = f"write `{IN_CONDITIONS[glued]}`"
        return place.say("E108", "`[[ … ]]` has no", fix, last - 1, spelled(glued))
    if previous in BINARY:
        return place.say("E108", "a word must stand before", f"write `word {previous}`", last)
    if isinstance(previous, str) and previous.startswith("-") and len(previous) == 2:
        return place.say("E108", "`[[ … ]]` has no test", "`help test` lists them", last)
    fix = "write `a == b`, and `&&` between conditions"
    if last and tokens[last - 1][0] == "TEST_BINARY" and tokens[last - 1][1] in ("=~", "!~"):
        fix = "quote the blank before it"
    if place.kind in WORDS:
        return place.say("E108", "expected an operator or `]]`, found", fix)
    return place.say("E108", "cannot stand in `[[ … ]]`", fix)


def expansion(place: Place) -> Diagnostic:
    """`${…}` takes no such thing."""
    kinds = [token[0] for token in place.tokens[place.frames[-1].index : place.index]]
    if "SLICE" in kinds:
        if place.kind in ("SLICE_LENGTH", "A_COLON"):
            return place.say("E106", "cannot stand in `${…}`", "write `${name:offset:length}`")
        return arithmetic(place)
    if "LENGTH" in kinds:
        return place.say("E106", "`${#…}` takes no operator", "write `${#name}`")
    return place.say("E106", "cannot stand in `${…}`", "write `${name:-text}`")


def record(place: Place) -> Diagnostic:
    """A record lacks a colon, a key or a value."""
    if "COLON" in place.expected:
        key = shortened(place.text(word_start(place)))
        return place.say("E120", "expected `:`, found", f"write `{key}: value`")
    if place.kind in ("COMMA", "RECORD_CLOSE") and place.before == "COLON":
        return place.say("E120", "a value is missing before", 'write `""` for empty text')
    return place.say("E120", "cannot stand in a record", "write `{key: value}`")
