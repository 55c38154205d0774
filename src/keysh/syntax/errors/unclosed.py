"""Unclosed constructs: which opener to report, and with which fix."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import Diagnostic
from keysh.syntax.errors.openers import OPENERS, owner_depth
from keysh.syntax.errors.unexpected import quoted_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.source import Source
    from keysh.syntax.errors.openers import OpenConstruct
    from keysh.syntax.errors.unexpected import Unexpected
    from keysh.syntax.lexer.cursor import Token

# Words whose `;` is often forgotten, and what people write instead of them.
FORGETTABLE_WORDS = {
    "IF": ("fi", "then"), "WHILE": ("done", "do"), "UNTIL": ("done", "do"), "FOR": ("done", "do"),
    "CASE": ("esac",), "LEFT_BRACE": ("}",),
}  # fmt: skip
MISTAKEN_ENDS = {
    "fi": ("end", "endif", "end-if"),
    "done": ("end", "endfor", "endwhile", "don", "doen", "dnoe", "doe", "od"),
    "esac": ("end", "endcase", "endsw", "esca", "eas", "easc"),
    "}": ("end", "}}", "})"),
}
FOREIGN_END_WORDS = frozenset(word for words in MISTAKEN_ENDS.values() for word in words)
COMMAND_BEGINS = (
    "SEPARATOR",
    "AMPERSAND",
    "CLAUSE_END",
    "THEN",
    "DO",
    "ELSE",
    "LEFT_BRACE",
    "RIGHT_BRACE",
)


def unclosed_diagnostics(unexpected: Unexpected) -> list[Diagnostic]:
    """Return a diagnostic for each opener with a known cause, else one for the likeliest."""
    frames = [f for f in unexpected.frames if f.kind != "A_QUESTION"] or unexpected.frames
    if unexpected.kind != "$END":
        frames = frames[owner_depth(unexpected.kind, frames) + 1 :]
    misspelt = misspelt_ends(unexpected, frames[0].index)
    causes = ((frame, cause_fix(unexpected, frame, misspelt)) for frame in frames)
    if known := [open_diagnostic(unexpected, frame, reason) for frame, reason in causes if reason]:
        return known
    if (frame := swallowing_quote(frames)) is not None:
        quote = frames[-1].index
        where = f'not closed before `"` on line {unexpected.token_line(quote)}'
        return [
            open_diagnostic(unexpected, frame, f"add `{closer_text(unexpected, frame)}`", where)
        ]
    return [
        open_diagnostic(
            unexpected, frames[-1], f"add {quoted_source(closer_text(unexpected, frames[-1]))}"
        )
    ]


def open_diagnostic(
    unexpected: Unexpected, frame: OpenConstruct, fix: str, fact: str = ""
) -> Diagnostic:
    """Return the diagnostic at an opener."""
    if not fact:
        fact = "not closed"
        if unexpected.kind != "$END":
            fact += f" before {unexpected.token_place()}"
    kind, _, start, end = unexpected.tokens[frame.index]
    if kind == "FUNCTION_DECLARED":
        start = end - 1
    elif kind == "HEREDOC_OPEN":
        end = start + 2
    text = unexpected.source.text[start:end]
    return Diagnostic("E102", unexpected.source, start, end, fact, quoted_source(text), fix)


def closer_text(unexpected: Unexpected, frame: OpenConstruct) -> str:
    """Return how an opener's closer is written."""
    closers = {"`": "`", "$[": "]"}
    return closers.get(unexpected.token_text(frame.index)) or OPENERS[frame.kind][1]


def misspelt_ends(unexpected: Unexpected, start: int) -> list[int]:
    """Return the indexes of commands that look like misspelt closing words."""
    tokens = unexpected.tokens
    return [
        index
        for index in range(start + 1, unexpected.index)
        if tokens[index][0] == "WORD"
        and tokens[index][1] in FOREIGN_END_WORDS
        and tokens[index - 1][0] in COMMAND_BEGINS
    ]


def cause_fix(unexpected: Unexpected, frame: OpenConstruct, misspelt: list[int]) -> str:
    """Return the fix if the closing word has become an argument or is misspelt; else ""."""
    wanted = FORGETTABLE_WORDS.get(frame.kind, ())
    for index in frame.arguments:
        if (value := unexpected.tokens[index][1]) in wanted:
            return f"write `; {value}` on line {unexpected.token_line(index)}"
    for index in misspelt if wanted else ():
        value = unexpected.tokens[index][1]
        if index > frame.index and value in MISTAKEN_ENDS[wanted[0]]:
            return f"write `{wanted[0]}` for `{value}` on line {unexpected.token_line(index)}"
    if frame.part == "ELSE" and unexpected.tokens[frame.part_index + 1][0] == "IF":
        number = unexpected.token_line(frame.part_index)
        return f"write `elif` for `else if` on line {number}, or add `fi`"
    return ""


def swallowing_quote(frames: list[OpenConstruct]) -> OpenConstruct | None:
    """Return the opener between the quotes of `"a $(b"`, whose second should close the first."""
    if len(frames) < 3 or frames[-1].kind != "DOUBLE_OPEN":
        return None
    if frames[-2].kind == "DOUBLE_OPEN":
        return None
    return frames[-2] if any(frame.kind == "DOUBLE_OPEN" for frame in frames[:-2]) else None


def likelier_quote(source: Source, tokens: list[Token], error: Diagnostic) -> Diagnostic:
    """Return the error at the quote that is really unclosed, which may be an earlier one: it spans
    lines and a word touches its closing quote, as in `echo "a` newline `echo "b"`.
    """
    text = source.text
    quote = text[error.end - 1 : error.end]
    opened: list[int] = []
    for kind, _, start, end in tokens:
        if kind == "DOUBLE_OPEN":
            opened.append(start)
            continue
        if kind == "DOUBLE_CLOSE" and opened:
            start = opened.pop()
        elif kind in ("DOUBLE", "INTERPOLATED", "SINGLE"):
            start -= 1
        else:
            continue
        if start >= error.start:
            break
        touches = text[end : end + 1].isalnum() or text[end : end + 1] == "$"
        if touches and text[start] == quote and "\n" in text[start:end]:
            fact, datum, fix = error.fact, error.datum, error.fix
            return Diagnostic(error.code, source, start, start + 1, fact, datum, fix)
    return error
