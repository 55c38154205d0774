"""Diagnostics for constructs with a syntax of their own: arithmetic, `[[ … ]]`, `${…}`, records."""

from __future__ import annotations

from keysh.diagnostics.display import shorten
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


def malformed_head(unexpected: Unexpected) -> Diagnostic | None:
    """Report a malformed head of `for` or `case`."""
    if unexpected.before == "FOR":
        fix = "write `for name in words; do …; done`"
        if unexpected.kind == "VARIABLE":
            fix = f"write `for {unexpected.tokens[unexpected.index][1]} in`"
        elif unexpected.kind == "LEFT_PAREN":
            fix = "write `for ((i = 0; i < 9; i++)); do …; done`"
        return unexpected.diagnostic("E118", "expected a name, found", fix)
    if unexpected.before == "CASE":
        return unexpected.diagnostic(
            "E118", "expected a word, found", "write `case word in pattern) …;; esac`"
        )
    if "IN" in unexpected.expected and unexpected.innermost in ("FOR", "CASE"):
        fix = (
            "write `for name in words`" if unexpected.innermost == "FOR" else "write `case word in`"
        )
        return unexpected.diagnostic("E118", "expected `in`, found", fix)
    if unexpected.innermost == "CASE" and unexpected.before in (
        "PATTERN_OR",
        "PATTERN_OPEN",
        "IN",
        "CLAUSE_END",
    ):
        return unexpected.diagnostic(
            "E118", "expected a pattern, found", "write `pattern) command;;`"
        )
    if unexpected.innermost == "CASE" and "PATTERN_CLOSE" in unexpected.expected:
        fix = "write `pattern) command;;`, and quote a blank in a pattern"
        return unexpected.diagnostic("E118", "expected `)` or `|`, found", fix)
    if unexpected.kind == "ARITHMETIC_CLOSE" and "A_SEMICOLON" in unexpected.expected:
        return unexpected.diagnostic(
            "E118", "expected `;`, found", "write `for ((i = 0; i < 9; i++))`"
        )
    return None


def malformed_function(unexpected: Unexpected) -> Diagnostic | None:
    """Report malformed parameters of a declared function."""
    if unexpected.innermost != "FUNCTION_DECLARED":
        return None
    if unexpected.before == "EQUALS":
        return unexpected.diagnostic("E117", "expected a value, found", "write `name = value`")
    if unexpected.before == "COLON":
        return unexpected.diagnostic("E117", "expected a type, found", "write `name: string`")
    if unexpected.kind == "PARAMETER_NAME" and "COMMA" in unexpected.expected:
        return unexpected.diagnostic(
            "E117", "expected `,` or `)`, found", "write `,` between parameters"
        )
    fix = "write `name: type = default`, and `,` between parameters"
    return unexpected.diagnostic("E117", "cannot appear among parameters", fix)


def malformed_inside(unexpected: Unexpected) -> Diagnostic | None:
    """Report an unexpected token inside brackets."""
    top = unexpected.innermost
    if top in ARITHMETIC_OPENERS or (unexpected.before.startswith("A_") and top == "FOR"):
        return malformed_arithmetic(unexpected)
    if top in CONDITION_OPENERS:
        return malformed_condition(unexpected)
    if top == "EXPANSION_OPEN":
        return malformed_expansion(unexpected)
    if top == "SUBSCRIPT_OPEN":
        return unexpected.diagnostic(
            "E106", "a subscript is empty", "write `[key]`", unexpected.index - 1, "`[]`"
        )
    if top == "LIST_OPEN":
        if unexpected.kind == "COMMA":
            fix = 'take it out, or write `""` for empty text'
            return unexpected.diagnostic("E120", "a value is missing before", fix)
        return unexpected.diagnostic("E120", "cannot appear in a list", "quote it")
    if top == "RECORD_OPEN":
        return malformed_record(unexpected)
    if top == "ARRAY_OPEN":
        fix = "quote it, or write `$(command)` to take in what it prints"
        if unexpected.token_line(unexpected.frames[-1].index) < unexpected.token_line(
            unexpected.index
        ):
            fact = f"not closed before {unexpected.token_place()}"
            return unexpected.diagnostic("E102", fact, "add `)`", unexpected.frames[-1].index)
        if unexpected.kind == "SEPARATOR":
            fix = "write a blank instead"
        return unexpected.diagnostic("E119", "cannot appear in `( … )`", fix)
    return None


def malformed_whole(unexpected: Unexpected) -> Diagnostic:
    """Report a string given at run time that is no expression, path or value."""
    if unexpected.start == "arithmetic":
        return malformed_arithmetic(unexpected)
    if unexpected.start == "path":
        text = unexpected.source.text
        return unexpected.diagnostic(
            "E106", "not a path", "write `name[key]`", datum=quoted_source(text)
        )
    return unexpected.diagnostic("E120", "expected a value, found", 'write `""` for empty text')


def malformed_arithmetic(unexpected: Unexpected) -> Diagnostic:
    """Report a missing operand or operator."""
    fix = "write a number or a name before it"
    if unexpected.before in OPERAND_ENDS:
        if unexpected.kind == "A_ASSIGN":
            fix = "write `name = value`, or `==` to compare"
            return unexpected.diagnostic("E107", "only a variable can be assigned to", fix)
        if unexpected.innermost == "A_QUESTION":
            return unexpected.diagnostic("E107", "expected `:`, found", "write `a ? b : c`")
        fix = "write an operator before it, as in `a + b`"
        if unexpected.kind == "A_SEMICOLON":
            fix = "write `,` between expressions"
        elif opener := split_opener(unexpected):
            fix = f"write `{opener}` with a blank for a subshell, or an operator before it"
        elif unexpected.kind in EXPANSION_TOKENS:
            operator = unexpected.token_text(unexpected.index)
            fix = f'write an operator, or `let "r = a {operator} b"` where that holds one'
        return unexpected.diagnostic("E107", "expected an operator, found", fix)
    if unexpected.before in ("", "ARITHMETIC_OPEN", "EXPRESSION_OPEN", "A_OPEN", "A_SEMICOLON"):
        return unexpected.diagnostic("E107", "expected a number or a name, found", fix)
    fix = f"write `{unexpected.token_text(unexpected.index - 1)} 1`, or take it out"
    return unexpected.diagnostic(
        "E107", "a number or a name must follow", fix, unexpected.index - 1
    )


def split_opener(unexpected: Unexpected) -> str:
    """Return `( (` or `$( (` if the parentheses of `((` or `$((` are closed separately, as in
    `((a; b) | c)`; else "".
    """
    text = unexpected.source.text
    for frame in unexpected.frames:
        opener = unexpected.token_text(frame.index)
        if not opener.endswith("(("):
            continue
        depth, index = 2, unexpected.tokens[frame.index][3]
        while depth > 1 and index < len(text):
            depth += (text[index] == "(") - (text[index] == ")")
            index += 1
        if depth == 1 and text[index : index + 1] != ")":
            return opener[:-1] + " ("
    return ""


def malformed_condition(unexpected: Unexpected) -> Diagnostic:
    """Report a missing operand or operator in `[[ … ]]`."""
    last, tokens = unexpected.index - 1, unexpected.tokens
    text = unexpected.token_text(unexpected.index)
    if unexpected.before in ("TEST_BINARY", "TEST_IN", "TEST_UNARY"):
        operator = unexpected.token_text(last)
        return unexpected.diagnostic("E108", "a word must follow", f"write `{operator} word`", last)
    if unexpected.before in ("AND_IF", "OR_IF", "BANG", "TEST_OPEN", "T_OPEN"):
        return unexpected.diagnostic("E108", "a condition is missing before", "write `[[ -n $x ]]`")
    if unexpected.kind == "T_CLOSE":
        fix = "take it out, or quote it: `')'`"
        return unexpected.diagnostic("E108", "no `(` is open in `[[ … ]]`", fix)
    previous = tokens[last][1] if unexpected.before == "WORD" else ""
    if text in FOREIGN_TEST_OPERATORS:
        return unexpected.diagnostic(
            "E108", "`[[ … ]]` has no", f"write `{FOREIGN_TEST_OPERATORS[text]}`"
        )
    glued = unexpected.source.text[tokens[last - 1][2] : tokens[last][3]]
    if glued in FOREIGN_TEST_OPERATORS and tokens[last - 1][0] == "TEST_BINARY":
        fix = f"write `{FOREIGN_TEST_OPERATORS[glued]}`"
        return unexpected.diagnostic(
            "E108", "`[[ … ]]` has no", fix, last - 1, quoted_source(glued)
        )
    if previous in BINARY_TESTS:
        return unexpected.diagnostic(
            "E108", "a word is missing before", f"write `word {previous}`", last
        )
    if isinstance(previous, str) and previous.startswith("-") and len(previous) == 2:
        return unexpected.diagnostic(
            "E108", "`[[ … ]]` has no test", "`help test` lists them", last
        )
    fix = "write `a == b`, and `&&` between conditions"
    if last and tokens[last - 1][0] == "TEST_BINARY" and tokens[last - 1][1] in ("=~", "!~"):
        fix = "quote the blank before it"
    if unexpected.kind in WORD_LIKE_TOKENS:
        return unexpected.diagnostic("E108", "expected an operator or `]]`, found", fix)
    return unexpected.diagnostic("E108", "cannot appear in `[[ … ]]`", fix)


def malformed_expansion(unexpected: Unexpected) -> Diagnostic:
    """Report a token that `${…}` does not take."""
    kinds = [
        token[0] for token in unexpected.tokens[unexpected.frames[-1].index : unexpected.index]
    ]
    if "SLICE" in kinds:
        if unexpected.kind in ("SLICE_LENGTH", "A_COLON"):
            return unexpected.diagnostic(
                "E106", "cannot appear in `${…}`", "write `${name:offset:length}`"
            )
        return malformed_arithmetic(unexpected)
    if "LENGTH" in kinds:
        return unexpected.diagnostic("E106", "`${#…}` takes no operator", "write `${#name}`")
    return unexpected.diagnostic("E106", "cannot appear in `${…}`", "write `${name:-text}`")


def malformed_record(unexpected: Unexpected) -> Diagnostic:
    """Report a record without a colon, a key or a value."""
    if "COLON" in unexpected.expected:
        key = shorten(unexpected.token_text(word_start_index(unexpected)))
        return unexpected.diagnostic("E120", "expected `:`, found", f"write `{key}: value`")
    if unexpected.kind in ("COMMA", "RECORD_CLOSE") and unexpected.before == "COLON":
        return unexpected.diagnostic(
            "E120", "a value is missing before", 'write `""` for empty text'
        )
    return unexpected.diagnostic("E120", "cannot appear in a record", "write `{key: value}`")
