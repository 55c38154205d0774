"""Context: where a piece of text stands, and so how it must be written to be read back."""

from __future__ import annotations

import re


class Context:
    r"""What the scanner's mode for a place treats in a special way.

    `special` matches what needs a `\` there, `escape` what is one; bare text has neither. `risk`
    matches where bare text must be parted by a joined line, lest it become an expansion.
    """

    __slots__ = (
        "escape",
        "has_spreads",
        "is_assigned",
        "is_json",
        "is_quoted",
        "risk",
        "special",
    )

    def __init__(
        self,
        risk: str = "",
        special: str = "",
        escape: str = "",
        *,
        spreads: bool = False,
        json: bool = False,
        assigned: bool = False,
    ) -> None:
        self.risk = re.compile(risk, re.ASCII)
        self.special = re.compile(special, re.ASCII)
        self.escape = re.compile(escape, re.DOTALL)
        self.is_quoted = bool(special)  # here the default of `${x:-w}` is quoted text too
        self.has_spreads = spreads  # `...$xs` is a spread
        self.is_json = json  # `"…"` has JSON's escapes
        self.is_assigned = assigned  # behind `=`: `[a]` would be no list


# A `$` or `@` that would begin something with what follows it; `$` at the end has its own test.
BEGINS = r"[\w@*#?$!({\['\"-]"
RISK = rf"\$(?={BEGINS})|[@+!](?=\()"
RANGE = r"\{(?=(?:-?\d+\.\.-?\d+|[A-Za-z]\.\.[A-Za-z])(?:\.\.-?\d+)?\})"
BRACES = rf"{RISK}|{RANGE}"

WORD = Context(BRACES, spreads=True)
BRANCH = Context(BRACES)  # of `{a,b}`, which spreads nothing
NAMED = Context(BRACES, assigned=True)
ASSIGNED = Context(RISK, assigned=True)
PLAIN = Context(RISK)  # where braces do not count: a pattern of `case`, `> file`
OPERAND = Context(RISK)  # in brackets: a subscript, `${x:-w}`, `@(a|b)`
TEST = Context(RISK)
ELEMENT = Context(RISK, spreads=True, json=True)
REGEX = Context(r"\$(?=[\w@*#?$!({'\"-])")
LITERAL = Context()

# `$` is escaped only where it would begin an expansion, `\` only where it would escape.
DOLLAR = r"\$(?=[\w@*#?$!({\[-])"
DOUBLE = Context("", rf'["`]|{DOLLAR}|\\(?=[$`"\\\n])', r'\\([$`"\\])')
JSON = Context("", rf'["`\\\x00-\x1f\x7f]|{DOLLAR}', r'\\([$`"\\])', json=True)
HEREDOC = Context("", rf"`|{DOLLAR}|\\(?=[$`\\\n])", r"\\([$`\\])")
HEREDOC_DOLLAR = Context("", r"[`$]|\\(?=[$`\\\n])", r"\\([$`\\])")  # `$` ends it too: `<<E$`
DEFAULT = Context("", rf'["`}}]|{DOLLAR}|\$(?=\')|\\(?=[$`"\\}}\n])', r'\\([$`"\\}])')
