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


def unclosed_diagnostics(place: Unexpected) -> list[Diagnostic]:
    """Return a diagnostic for each opener with a known cause, else one for the likeliest."""
    frames = [f for f in place.frames if f.kind != "A_QUESTION"] or place.frames
    if place.kind != "$END":
        frames = frames[owner_depth(place.kind, frames) + 1 :]
    misspelt = misspelt_ends(place, frames[0].index)
    causes = ((frame, cause_fix(place, frame, misspelt)) for frame in frames)
    if told := [open_diagnostic(place, frame, reason) for frame, reason in causes if reason]:
        return told
    if (frame := swallowing_quote(frames)) is not None:
        quote = frames[-1].index
        where = f'not closed before `"` on line {place.token_line(quote)}'
        return [open_diagnostic(place, frame, f"add `{closer_text(place, frame)}`", where)]
    return [
        open_diagnostic(place, frames[-1], f"add {quoted_source(closer_text(place, frames[-1]))}")
    ]


def open_diagnostic(
    place: Unexpected, frame: OpenConstruct, fix: str, fact: str = ""
) -> Diagnostic:
    """Return the diagnostic at an opener."""
    if not fact:
        fact = "not closed"
        if place.kind != "$END":
            fact += f" before {place.token_label()} on line {place.token_line(place.index)}"
    kind, _, start, end = place.tokens[frame.index]
    if kind == "FUNCTION_DECLARED":
        start = end - 1
    elif kind == "HEREDOC_OPEN":
        end = start + 2
    text = place.source.text[start:end]
    return Diagnostic("E102", place.source, start, end, fact, quoted_source(text), fix)


def closer_text(place: Unexpected, frame: OpenConstruct) -> str:
    """Return how an opener's closer is written."""
    return "`" if place.token_text(frame.index) == "`" else OPENERS[frame.kind][1]


def misspelt_ends(place: Unexpected, start: int) -> list[int]:
    """Return the indexes of commands that look like misspelt closing words."""
    tokens = place.tokens
    return [
        at
        for at in range(start + 1, place.index)
        if tokens[at][0] == "WORD"
        and tokens[at][1] in FOREIGN_END_WORDS
        and tokens[at - 1][0] in COMMAND_BEGINS
    ]


def cause_fix(place: Unexpected, frame: OpenConstruct, misspelt: list[int]) -> str:
    """Return the fix if the closing word has become an argument or is misspelt; else ""."""
    wanted = FORGETTABLE_WORDS.get(frame.kind, ())
    for at in frame.arguments:
        if (value := place.tokens[at][1]) in wanted:
            return f"write `; {value}` on line {place.token_line(at)}"
    for at in misspelt if wanted else ():
        value = place.tokens[at][1]
        if at > frame.index and value in MISTAKEN_ENDS[wanted[0]]:
            return f"write `{wanted[0]}` for `{value}` on line {place.token_line(at)}"
    if frame.part == "ELSE" and place.tokens[frame.part_index + 1][0] == "IF":
        number = place.token_line(frame.part_index)
        return f"write `elif` for `else if` on line {number}, or add `fi`"
    return ""


def swallowing_quote(frames: list[OpenConstruct]) -> OpenConstruct | None:
    """Return the opener between the quotes of `"a $(b"`, whose second should close the first."""
    if len(frames) < 3 or frames[-1].kind != "DOUBLE_OPEN":
        return None
    if frames[-2].kind == "DOUBLE_OPEN":
        return None
    return frames[-2] if any(frame.kind == "DOUBLE_OPEN" for frame in frames[:-2]) else None


def likelier_quote(source: Source, tokens: list[Token], found: Diagnostic) -> Diagnostic:
    """Return the error at the quote that is really unclosed, which may be an earlier one: it spans
    lines and a word touches its closing quote, as in `echo "a` newline `echo "b"`.
    """
    text = source.text
    quote = text[found.end - 1 : found.end]
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
        if start >= found.start:
            break
        touches = text[end : end + 1].isalnum() or text[end : end + 1] == "$"
        if touches and text[start] == quote and "\n" in text[start:end]:
            fact, datum, fix = found.fact, found.datum, found.fix
            return Diagnostic(found.code, source, start, start + 1, fact, datum, fix)
    return found
