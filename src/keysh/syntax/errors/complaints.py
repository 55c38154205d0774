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
DEFINITION_KEYWORDS = (
    "def",
    "func",
    "fn",
    "fun",
    "async",
    "sub",
    "proc",
)  # as other languages have it

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


def diagnostics_at(place: Unexpected) -> list[Diagnostic]:
    """Return the diagnostics for an unexpected token; more than one only at the end of the text."""
    if place.start != "script" and not place.frames:
        return [malformed_whole(place)]
    if found := incomplete_command(place) or missing_then_or_do(place):
        return [found]
    if is_mismatched(place):
        return unclosed_diagnostics(place)
    rules = (
        misplaced_end,
        misplaced_parenthesis,
        malformed_head,
        malformed_function,
        malformed_inside,
    )
    for rule in rules:
        if found := rule(place):
            return [found]
    return [general_diagnostic(place)]


def is_mismatched(place: Unexpected) -> bool:
    """Whether the text, or an outer construct, ends here while inner constructs are open."""
    if place.kind == "$END":
        return bool(place.frames)
    if (
        place.kind not in OPENERS_BY_WORD
        or place.innermost == "A_QUESTION"
        or unended_clause_start(place)
    ):
        return False
    return -1 < owner_depth(place.kind, place.frames) < len(place.frames) - 1


# ---------------------------------------------------------------- what must follow at once


def incomplete_command(place: Unexpected) -> Diagnostic | None:
    """Report a redirection, `&&`, `!` or function head that lacks what must follow."""
    before, last = place.before, place.index - 1
    if before in ("REDIRECT", "FD"):
        return missing_target(place, last)
    if before in (*JOINING_TOKENS, "BANG"):
        if place.kind in OPENERS_BY_WORD or (
            place.kind == "$END" and place.innermost != "TEST_OPEN"
        ):
            if place.innermost in CONDITION_OPENERS:
                fix = "write a condition behind it"
                return place.diagnostic("E108", "a condition must follow", fix, last)
            return place.diagnostic(
                "E104", "a command must follow", "write a command behind it", last
            )
        if place.kind in ("BANG", "TIME"):
            fix = f"put `{place.token_text(place.index)}` before the first command"
            return place.diagnostic("E101", f"cannot stand behind `{place.token_text(last)}`", fix)
    if before in ("FUNCTION", "PARAMETERS_CLOSE"):
        return missing_body(place, last)
    return None


def missing_target(place: Unexpected, last: int) -> Diagnostic:
    """Report a redirection without a target."""
    tokens = place.tokens
    first = last - (last > 0 and tokens[last - 1][0] == "FD" and place.before == "REDIRECT")
    start, end = tokens[first][2], tokens[last][3]
    operator = place.source.text[start:end]
    fix = f"write `{operator} file`"
    if operator == "<<<":
        fix = "write `<<< text`"
    elif place.kind == "AMPERSAND" and not operator.endswith("&"):
        fix = f"write `{operator}&1` without a blank, or `{operator} file`"
    elif place.kind == "LEFT_PAREN" and operator in ("<", ">"):
        fix = f"write `{operator} {operator}(command)`, or `{operator} file`"
    fact = "a target must follow"
    return Diagnostic("E116", place.source, start, end, fact, quoted_source(operator), fix)


def missing_body(place: Unexpected, last: int) -> Diagnostic:
    """Report a function head without a body; often it is a call as in other languages."""
    while place.tokens[last][0] not in ("FUNCTION", "FUNCTION_DECLARED"):
        last -= 1
    name, start = place.tokens[last][1], place.tokens[last][2]
    written = place.source.text[start : place.tokens[place.index - 1][3]]
    is_behind = place.token_line(place.index) == place.token_line(last)
    if is_behind and place.kind in (*WORD_LIKE_TOKENS, "KEY", "ASSIGN"):
        return place.diagnostic("E117", "expected `{`, found", f"write `{written} {{ …; }}`")
    fix = f"write `{name}` to call it, `{name}() {{ …; }}` to define it"
    if not written.endswith(")"):
        fix = f"write `{name}() {{ …; }}`"
    fact, end = "a function's body must follow", start + len(written)
    return Diagnostic("E117", place.source, start, end, fact, quoted_source(written), fix)


# ---------------------------------------------------------------- words that go on or end


def missing_then_or_do(place: Unexpected) -> Diagnostic | None:
    """Report a missing `then` or `do`, which may have become an argument without `;` before it."""
    frame = place.frames[-1] if place.frames else None
    if (
        frame is None
        or frame.kind not in ("IF", *LOOP_OPENERS)
        or frame.part in ("THEN", "ELSE", "DO")
    ):
        return None
    word, end = ("then", "fi") if frame.kind == "IF" else ("do", "done")
    if place.kind in OPENERS_BY_WORD and place.kind not in ("THEN", "DO", *RESERVED_ENDS):
        return None
    wants = word.upper() in place.expected
    if "IN" in place.expected:
        return None
    is_over = place.kind in RESERVED_ENDS
    if not (wants or is_over or place.kind == "LEFT_BRACE"):
        return None
    for at in frame.arguments:
        value = place.tokens[at][1]
        if value == word or (value == "{" and frame.kind == "FOR"):
            return place.diagnostic(
                "E101", "expected `;` or a new line before", f"write `; {value}`", at
            )
        if value == "{":
            fix = f"write `; {word}` for it, and `{end}` at the end"
            return place.diagnostic("E101", f"expected `{word}`, found", fix, at)
    if place.kind == "LEFT_BRACE":
        fix = f"write `; {word}` for it, and `{end}` at the end"
        return place.diagnostic("E101", f"expected `{word}`, found", fix)
    if place.kind == "$END" or not (wants or owner_depth(place.kind, place.frames) >= 0):
        return None
    if place.kind in ("THEN", "DO"):
        return place.diagnostic("E101", f"expected `{word}`, found", f"write `{word}`")
    if is_over and owner_depth(place.kind, place.frames) != len(place.frames) - 1:
        return None
    at = frame.second_statement if 0 <= frame.second_statement < place.index else place.index
    fix = f"write `{word}` before it"
    if at == place.index and is_over:
        fix = f"write `{word}` and a command before it"
    return place.diagnostic("E101", f"expected `{word}`, found", fix, at)


def misplaced_end(place: Unexpected) -> Diagnostic | None:
    """Report a closing word whose construct is empty, over or not open."""
    if place.kind not in OPENERS_BY_WORD or place.innermost in (
        *CONDITION_OPENERS,
        *ARITHMETIC_OPENERS,
    ):
        return None
    if (at := unended_clause_start(place)) > 0:
        pattern = place.source.text[place.tokens[at][2] : place.tokens[place.index][3]]
        fix = "write `;;` at the end of the clause before it"
        return place.diagnostic("E118", "expected `;;` before", fix, at, quoted_source(pattern))
    if owner_depth(place.kind, place.frames) < 0:
        return stray_end(place)
    if place.kind in ("ELSE", "ELIF") and place.frames[-1].part == "ELSE":
        fix = "put it before `else`" if place.kind == "ELIF" else "write `elif` for the first"
        return place.diagnostic("E101", "cannot follow `else`", fix)
    if "IF" in place.expected:
        fix = "write `:;` to do nothing"
        if place.kind in ("THEN", "DO"):
            fix = "write a command, or take it out"
        return place.diagnostic("E104", "a command is missing before", fix)
    return None


def unended_clause_start(place: Unexpected) -> int:
    """Return where the pattern of this `)` begins, if the previous clause is not ended; else 0."""
    tokens, at = place.tokens, place.index - 1
    if place.kind not in ("RIGHT_PAREN", "SUBSTITUTION_CLOSE") or place.innermost != "CASE":
        return 0
    while at > 0 and tokens[at][0] not in STATEMENT_ENDS:
        at -= 1
    is_line = tokens[at][0] == "SEPARATOR" and tokens[at][1] == "\n"
    goes_on = any(t[0] in ("CLAUSE_END", "ESAC") for t in tokens[place.index :])
    return at + 1 if is_line and goes_on and at + 1 < place.index else 0


def stray_end(place: Unexpected) -> Diagnostic:
    """Report a closing word without an opener."""
    kind = place.kind
    opener = OPENERS_BY_WORD[kind][0]
    wanted = (
        "loop"
        if kind in ("DO", "DONE")
        else quoted_source(OPENER_SPELLINGS.get(opener, opener.lower()))
    )
    inner = next(
        (f for f in reversed(place.frames) if f.kind in (*COMMAND_OPENERS, *BARRIER_OPENERS)), None
    )
    fact = f"no {wanted} is open"
    fix = f"take it out, or open {'a loop' if wanted == 'loop' else wanted} before it"
    if inner is not None:
        fact += f", but {place.token_label(inner.index)} on line {place.token_line(inner.index)}"
        fix = f"write {quoted_source(OPENERS[inner.kind][1])}, or take it out"
    if kind == "CLAUSE_END":
        fix = "write one `;`"
    elif kind == "RIGHT_PAREN" and (inner is None or inner.kind != "LEFT_BRACE"):
        fix = "take it out, or quote it: `')'`"
    elif kind == "RIGHT_BRACE" and (at := glued_brace(place)) >= 0:
        fix = f"put a blank behind the `{{` on line {place.token_line(at)}"
        if place.tokens[at][0] == "WORD":
            fix = f"write `; {{` on line {place.token_line(at)}"
    return place.diagnostic("E105", fact, fix)


def glued_brace(place: Unexpected) -> int:
    """Return the index of a `{` that is an argument or part of a word; -1 without one."""
    for at in range(place.index - 1, -1, -1):
        kind, value, start, _ = place.tokens[at]
        if kind == "RIGHT_BRACE":
            return -1
        if kind == "WORD" and value == "{":
            return at
        if kind == "WORD_OPEN" and place.source.text[start : start + 1] == "{":
            return at
    return -1


def misplaced_parenthesis(place: Unexpected) -> Diagnostic | None:
    """Report a `(` among words."""
    if place.kind != "LEFT_PAREN" or place.before in ("FOR", "CASE", ""):
        return None
    if place.before in ("RIGHT_PAREN", "RIGHT_BRACE", "FI", "DONE", "ESAC", "TEST_CLOSE"):
        return place.diagnostic(
            "E101", "unexpected behind a command", "put `;` or a new line before it"
        )
    tokens, last = place.tokens, word_start_index(place)
    fix = "write `'('` for the character, `$(command)` for a command's output"
    touches = tokens[place.index - 1][3] == tokens[place.index][2]
    word = place.token_text(last)
    if word == "=":
        fix = "write `name=(a b)` without blanks around `=`"
    elif place.innermost == "FOR":
        fix = "write `{0..9}` or `$(seq 10)` for numbers, `'('` for the character"
    elif touches and last > 0 and place.token_text(last - 1) in DEFINITION_KEYWORDS:
        fix = f"write `{word}() {{ …; }}` to define a function"
    elif not touches and begins_command(place, last) and begins_body(place):
        fix = f"write `{word}(` without a blank to define a function"
    return place.diagnostic("E115", "a parenthesis cannot stand among words", fix)


def begins_command(place: Unexpected, at: int) -> bool:
    """Whether a word is a command's name."""
    return at == 0 or place.tokens[at - 1][0] in COMMAND_BEGINS


def begins_body(place: Unexpected) -> bool:
    """Whether `{` follows the closing parenthesis, as in a function."""
    depth = 0
    for kind, _, _, _ in place.tokens[place.index :]:
        depth += (kind == "LEFT_PAREN") - (kind == "RIGHT_PAREN")
        if depth == 0 and kind != "RIGHT_PAREN":
            return kind == "LEFT_BRACE"
        if kind in STATEMENT_ENDS:
            return False
    return False


def general_diagnostic(place: Unexpected) -> Diagnostic:
    """Report any other token: what could stand here."""
    if "IF" in place.expected and place.kind in (*JOINING_TOKENS, *STATEMENT_ENDS, "CLAUSE_END"):
        fix = "write a command, or take it out"
        return place.diagnostic("E104", "a command is missing before", fix)
    if "SEPARATOR" in place.expected:
        return place.diagnostic(
            "E101", "unexpected behind a command", "put `;` or a new line before it"
        )
    wanted = next((name for kind, name in TOKEN_DESCRIPTIONS.items() if kind in place.expected), "")
    if wanted and place.expected:
        return place.diagnostic("E101", f"expected {wanted}, found", f"write {wanted} before it")
    return place.diagnostic("E101", "unexpected", "take it out, or quote it")
