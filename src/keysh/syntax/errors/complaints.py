"""Complaints: an unexpected token becomes a diagnostic with a fix."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import Diagnostic
from keysh.syntax.errors.malformed import (
    ARITHMETIC_OPENERS,
    CONDITION_OPENERS,
    WORD_LIKE_TOKENS,
    malformed_function,
    malformed_head,
    malformed_inside,
    malformed_whole,
)
from keysh.syntax.errors.openers import (
    BARRIER_OPENERS,
    COMMAND_OPENERS,
    LOOP_OPENERS,
    OPENERS,
    OPENERS_BY_WORD,
    RESERVED_ENDS,
    STATEMENT_ENDS,
    owner_depth,
)
from keysh.syntax.errors.unclosed import COMMAND_BEGINS, unclosed_diagnostics
from keysh.syntax.errors.unexpected import quoted_source, word_start_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.errors.unexpected import Unexpected

JOINING_TOKENS = ("AND_IF", "OR_IF", "PIPE")
# How other languages define functions.
DEFINITION_KEYWORDS = ("def", "func", "fn", "fun", "async", "sub", "proc")

# How openers are written, if not by their name.
OPENER_SPELLINGS = {
    "LEFT_BRACE": "{", "LEFT_PAREN": "(", "TEST_OPEN": "[[", "ARITHMETIC_OPEN": "((",
    "EXPRESSION_OPEN": "$((", "ARRAY_OPEN": "(", "SUBSTITUTION_OPEN": "$(", "T_OPEN": "(",
    "EXPANSION_OPEN": "${", "DOUBLE_OPEN": '"', "HEREDOC_OPEN": "<<",
}  # fmt: skip

# How messages call tokens; a message names the first of these that is expected.
TOKEN_DESCRIPTIONS = {
    "WORD": "a word", "THEN": "`then`", "DO": "`do`", "FI": "`fi`", "DONE": "`done`",
    "IN": "`in`", "ESAC": "`esac`", "RIGHT_BRACE": "`}`", "SEPARATOR": "`;` or a new line",
    "PATTERN_CLOSE": "`)`", "LEFT_BRACE": "`{`", "$END": "the end",
}  # fmt: skip


def diagnostics_at(unexpected: Unexpected) -> list[Diagnostic]:
    """Return the diagnostics for an unexpected token; more than one only at the end of the text."""
    if unexpected.start != "script" and not unexpected.frames:
        return [malformed_whole(unexpected)]
    if diagnostic := incomplete_command(unexpected) or missing_then_or_do(unexpected):
        return [diagnostic]
    if is_mismatched(unexpected):
        return unclosed_diagnostics(unexpected)
    rules = (
        misplaced_end,
        misplaced_parenthesis,
        malformed_head,
        malformed_function,
        malformed_inside,
    )
    for rule in rules:
        if diagnostic := rule(unexpected):
            return [diagnostic]
    return [general_diagnostic(unexpected)]


def is_mismatched(unexpected: Unexpected) -> bool:
    """Whether the text, or an outer construct, ends here while inner constructs are open."""
    if unexpected.kind == "$END":
        return bool(unexpected.frames)
    if (
        unexpected.kind not in OPENERS_BY_WORD
        or unexpected.innermost == "A_QUESTION"
        or unended_clause_start(unexpected)
    ):
        return False
    return -1 < owner_depth(unexpected.kind, unexpected.frames) < len(unexpected.frames) - 1


# ---------------------------------------------------------------- what must follow at once


def incomplete_command(unexpected: Unexpected) -> Diagnostic | None:
    """Report a redirection, `&&`, `!` or function head that lacks what must follow."""
    before, last = unexpected.before, unexpected.index - 1
    if before in ("REDIRECT", "FD"):
        return missing_target(unexpected, last)
    if before in (*JOINING_TOKENS, "BANG"):
        if unexpected.kind in OPENERS_BY_WORD or (
            unexpected.kind == "$END" and unexpected.innermost != "TEST_OPEN"
        ):
            if unexpected.innermost in CONDITION_OPENERS:
                fix = "write a condition after it"
                return unexpected.diagnostic("E108", "a condition must follow", fix, last)
            return unexpected.diagnostic(
                "E104", "a command must follow", "write a command after it", last
            )
        if unexpected.kind in ("BANG", "TIME"):
            fix = f"put `{unexpected.token_text(unexpected.index)}` before the first command"
            return unexpected.diagnostic(
                "E101", f"cannot follow `{unexpected.token_text(last)}`", fix
            )
    if before in ("FUNCTION", "PARAMETERS_CLOSE"):
        return missing_body(unexpected, last)
    return None


def missing_target(unexpected: Unexpected, last: int) -> Diagnostic:
    """Report a redirection without a target."""
    tokens = unexpected.tokens
    first = last - (last > 0 and tokens[last - 1][0] == "FD" and unexpected.before == "REDIRECT")
    start, end = tokens[first][2], tokens[last][3]
    operator = unexpected.source.text[start:end]
    fix = f"write `{operator} file`"
    if operator == "<<<":
        fix = "write `<<< text`"
    elif unexpected.kind == "AMPERSAND" and not operator.endswith("&"):
        fix = f"write `{operator}&1` without a blank, or `{operator} file`"
    elif unexpected.kind == "LEFT_PAREN" and operator in ("<", ">"):
        fix = f"write `{operator} {operator}(command)`, or `{operator} file`"
    fact = "a target must follow"
    return Diagnostic("E116", unexpected.source, start, end, fact, quoted_source(operator), fix)


def missing_body(unexpected: Unexpected, last: int) -> Diagnostic:
    """Report a function head without a body; often it is a call as in other languages."""
    while unexpected.tokens[last][0] not in ("FUNCTION", "FUNCTION_DECLARED"):
        last -= 1
    name, start = unexpected.tokens[last][1], unexpected.tokens[last][2]
    written = unexpected.source.text[start : unexpected.tokens[unexpected.index - 1][3]]
    is_behind = unexpected.token_line(unexpected.index) == unexpected.token_line(last)
    if is_behind and unexpected.kind in (*WORD_LIKE_TOKENS, "KEY", "ASSIGN"):
        return unexpected.diagnostic("E117", "expected `{`, found", f"write `{written} {{ …; }}`")
    fix = f"write `{name}` to call it, `{name}() {{ …; }}` to define it"
    if not written.endswith(")"):
        fix = f"write `{name}() {{ …; }}`"
    fact, end = "a function's body must follow", start + len(written)
    return Diagnostic("E117", unexpected.source, start, end, fact, quoted_source(written), fix)


# ---------------------------------------------------------------- words that go on or end


def missing_then_or_do(unexpected: Unexpected) -> Diagnostic | None:
    """Report a missing `then` or `do`, which may have become an argument without `;` before it."""
    frame = unexpected.frames[-1] if unexpected.frames else None
    if (
        frame is None
        or frame.kind not in ("IF", *LOOP_OPENERS)
        or frame.part in ("THEN", "ELSE", "DO")
    ):
        return None
    word, end = ("then", "fi") if frame.kind == "IF" else ("do", "done")
    if unexpected.kind in OPENERS_BY_WORD and unexpected.kind not in ("THEN", "DO", *RESERVED_ENDS):
        return None
    wants = word.upper() in unexpected.expected
    if "IN" in unexpected.expected:
        return None
    is_over = unexpected.kind in RESERVED_ENDS
    if not (wants or is_over or unexpected.kind == "LEFT_BRACE"):
        return None
    for index in frame.arguments:
        value = unexpected.tokens[index][1]
        if value == word or (value == "{" and frame.kind == "FOR"):
            return unexpected.diagnostic(
                "E101", "expected `;` or a new line before", f"write `; {value}`", index
            )
        if value == "{":
            fix = f"write `; {word}` for it, and `{end}` at the end"
            return unexpected.diagnostic("E101", f"expected `{word}`, found", fix, index)
    if unexpected.kind == "LEFT_BRACE":
        fix = f"write `; {word}` for it, and `{end}` at the end"
        return unexpected.diagnostic("E101", f"expected `{word}`, found", fix)
    if unexpected.kind == "$END" or not (
        wants or owner_depth(unexpected.kind, unexpected.frames) >= 0
    ):
        return None
    if unexpected.kind in ("THEN", "DO"):
        return unexpected.diagnostic("E101", f"expected `{word}`, found", f"write `{word}`")
    if is_over and owner_depth(unexpected.kind, unexpected.frames) != len(unexpected.frames) - 1:
        return None
    index = (
        frame.second_statement
        if 0 <= frame.second_statement < unexpected.index
        else unexpected.index
    )
    fix = f"write `{word}` before it"
    if index == unexpected.index and is_over:
        fix = f"write `{word}` and a command before it"
    return unexpected.diagnostic("E101", f"expected `{word}`, found", fix, index)


def misplaced_end(unexpected: Unexpected) -> Diagnostic | None:
    """Report a closing word whose construct is empty, over or not open."""
    if unexpected.kind not in OPENERS_BY_WORD or unexpected.innermost in (
        *CONDITION_OPENERS,
        *ARITHMETIC_OPENERS,
    ):
        return None
    if (at := unended_clause_start(unexpected)) > 0:
        pattern = unexpected.source.text[
            unexpected.tokens[at][2] : unexpected.tokens[unexpected.index][3]
        ]
        fix = "write `;;` at the end of the clause before it"
        return unexpected.diagnostic(
            "E118", "expected `;;` before", fix, at, quoted_source(pattern)
        )
    if owner_depth(unexpected.kind, unexpected.frames) < 0:
        return stray_end(unexpected)
    if unexpected.kind in ("ELSE", "ELIF") and unexpected.frames[-1].part == "ELSE":
        fix = "put it before `else`" if unexpected.kind == "ELIF" else "write `elif` for the first"
        return unexpected.diagnostic("E101", "cannot follow `else`", fix)
    if "IF" in unexpected.expected:
        fix = "write `:;` to do nothing"
        if unexpected.kind in ("THEN", "DO"):
            fix = "write a command, or take it out"
        return unexpected.diagnostic("E104", "a command is missing before", fix)
    return None


def unended_clause_start(unexpected: Unexpected) -> int:
    """Return where the pattern of this `)` begins, if the previous clause is not ended; else 0."""
    tokens, index = unexpected.tokens, unexpected.index - 1
    if (
        unexpected.kind not in ("RIGHT_PAREN", "SUBSTITUTION_CLOSE")
        or unexpected.innermost != "CASE"
    ):
        return 0
    while index > 0 and tokens[index][0] not in STATEMENT_ENDS:
        index -= 1
    is_line = tokens[index][0] == "SEPARATOR" and tokens[index][1] == "\n"
    goes_on = any(t[0] in ("CLAUSE_END", "ESAC") for t in tokens[unexpected.index :])
    return index + 1 if is_line and goes_on and index + 1 < unexpected.index else 0


def stray_end(unexpected: Unexpected) -> Diagnostic:
    """Report a closing word without an opener."""
    kind = unexpected.kind
    opener = OPENERS_BY_WORD[kind][0]
    wanted = (
        "loop"
        if kind in ("DO", "DONE")
        else quoted_source(OPENER_SPELLINGS.get(opener, opener.lower()))
    )
    inner = next(
        (f for f in reversed(unexpected.frames) if f.kind in (*COMMAND_OPENERS, *BARRIER_OPENERS)),
        None,
    )
    fact = f"no {wanted} is open"
    fix = f"take it out, or open {'a loop' if wanted == 'loop' else wanted} before it"
    if inner is not None:
        fact += f", but {unexpected.token_place(inner.index)}"
        fix = f"write {quoted_source(OPENERS[inner.kind][1])}, or take it out"
    if kind == "CLAUSE_END":
        fix = "write one `;`"
    elif kind == "RIGHT_PAREN" and (inner is None or inner.kind != "LEFT_BRACE"):
        fix = "take it out, or quote it: `')'`"
    elif kind == "RIGHT_BRACE" and (at := glued_brace(unexpected)) >= 0:
        fix = f"put a blank after the `{{` on line {unexpected.token_line(at)}"
        if unexpected.tokens[at][0] == "WORD":
            fix = f"write `; {{` on line {unexpected.token_line(at)}"
    return unexpected.diagnostic("E105", fact, fix)


def glued_brace(unexpected: Unexpected) -> int:
    """Return the index of a `{` that is an argument or part of a word; -1 without one."""
    for index in range(unexpected.index - 1, -1, -1):
        kind, value, start, _ = unexpected.tokens[index]
        if kind == "RIGHT_BRACE":
            return -1
        if kind == "WORD" and value == "{":
            return index
        if kind == "WORD_OPEN" and unexpected.source.text[start : start + 1] == "{":
            return index
    return -1


def misplaced_parenthesis(unexpected: Unexpected) -> Diagnostic | None:
    """Report a `(` among words."""
    if unexpected.kind != "LEFT_PAREN" or unexpected.before in ("FOR", "CASE", ""):
        return None
    if unexpected.before in ("RIGHT_PAREN", "RIGHT_BRACE", "FI", "DONE", "ESAC", "TEST_CLOSE"):
        return unexpected.diagnostic(
            "E101", "unexpected after a command", "put `;` or a new line before it"
        )
    tokens, last = unexpected.tokens, word_start_index(unexpected)
    fix = "write `'('` for the character, `$(command)` for a command's output"
    touches = tokens[unexpected.index - 1][3] == tokens[unexpected.index][2]
    word = unexpected.token_text(last)
    if word == "=":
        fix = "write `name=(a b)` without blanks around `=`"
    elif unexpected.innermost == "FOR":
        fix = "write `{0..9}` or `$(seq 10)` for numbers, `'('` for the character"
    elif touches and last > 0 and unexpected.token_text(last - 1) in DEFINITION_KEYWORDS:
        fix = f"write `{word}() {{ …; }}` to define a function"
    elif not touches and begins_command(unexpected, last) and begins_body(unexpected):
        fix = f"write `{word}(` without a blank to define a function"
    return unexpected.diagnostic("E115", "a parenthesis cannot appear among words", fix)


def begins_command(unexpected: Unexpected, index: int) -> bool:
    """Whether a word is a command's name."""
    return index == 0 or unexpected.tokens[index - 1][0] in COMMAND_BEGINS


def begins_body(unexpected: Unexpected) -> bool:
    """Whether `{` follows the closing parenthesis, as in a function."""
    depth = 0
    for kind, _, _, _ in unexpected.tokens[unexpected.index :]:
        depth += (kind == "LEFT_PAREN") - (kind == "RIGHT_PAREN")
        if depth == 0 and kind != "RIGHT_PAREN":
            return kind == "LEFT_BRACE"
        if kind in STATEMENT_ENDS:
            return False
    return False


def general_diagnostic(unexpected: Unexpected) -> Diagnostic:
    """Report any other token: what could stand here."""
    if "IF" in unexpected.expected and unexpected.kind in (
        *JOINING_TOKENS,
        *STATEMENT_ENDS,
        "CLAUSE_END",
    ):
        fix = "write a command, or take it out"
        return unexpected.diagnostic("E104", "a command is missing before", fix)
    if "SEPARATOR" in unexpected.expected:
        return unexpected.diagnostic(
            "E101", "unexpected after a command", "put `;` or a new line before it"
        )
    wanted = next(
        (name for kind, name in TOKEN_DESCRIPTIONS.items() if kind in unexpected.expected), ""
    )
    if wanted and unexpected.expected:
        return unexpected.diagnostic(
            "E101", f"expected {wanted}, found", f"write {wanted} before it"
        )
    return unexpected.diagnostic("E101", "unexpected", "take it out, or quote it")
