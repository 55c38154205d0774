"""PrintContext: the surroundings of a text, which decide how it must be escaped."""

from __future__ import annotations

import re


class PrintContext:
    r"""What the lexer's mode treats specially in some surroundings.

    special       matches what needs a `\`; `escape` matches an escape; bare text has neither
    joined_where  matches where bare text must be split by a joined line, so that it does not
                  become an expansion
    """

    __slots__ = (
        "escape",
        "has_spreads",
        "is_assigned",
        "is_json",
        "is_quoted",
        "joined_where",
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
        self.joined_where = re.compile(risk, re.ASCII)
        self.special = re.compile(special, re.ASCII)
        self.escape = re.compile(escape, re.DOTALL)
        self.is_quoted = bool(special)  # `w` in `${x:-w}` is quoted text too
        self.has_spreads = spreads  # `...$xs` is a spread
        self.is_json = json  # `"…"` has JSON's escapes
        self.is_assigned = assigned  # after `=`, where `[a]` would be no list


# What makes a `$` or `@` begin an expansion; `$` at the end of a text has its own test.
EXPANSION_STARTERS = r"[\w@*#?$!({\['\"-]"
EXPANSION_RISK = rf"\$(?={EXPANSION_STARTERS})|[@+!](?=\()"
BRACE_RANGE_RISK = r"\{(?=(?:-?\d+\.\.-?\d+|[A-Za-z]\.\.[A-Za-z])(?:\.\.-?\d+)?\})"
BRACE_RISK = rf"{EXPANSION_RISK}|{BRACE_RANGE_RISK}"

WORD_CONTEXT = PrintContext(BRACE_RISK, spreads=True)
BRANCH_CONTEXT = PrintContext(BRACE_RISK)  # a branch of `{a,b}`, without spreads
NAMED_CONTEXT = PrintContext(BRACE_RISK, assigned=True)
ASSIGNED_CONTEXT = PrintContext(EXPANSION_RISK, assigned=True)
PLAIN_CONTEXT = PrintContext(EXPANSION_RISK)  # braces are text: a pattern of `case`, `> file`
OPERAND_CONTEXT = PrintContext(EXPANSION_RISK)  # in brackets: a subscript, `${x:-w}`, `@(a|b)`
TEST_CONTEXT = PrintContext(EXPANSION_RISK)
ELEMENT_CONTEXT = PrintContext(EXPANSION_RISK, spreads=True, json=True)
REGEX_CONTEXT = PrintContext(r"\$(?=[\w@*#?$!({'\"-])")
LITERAL_CONTEXT = PrintContext()

# `$` is escaped only if it would begin an expansion, `\` only if it would escape.
EXPANDING_DOLLAR = r"\$(?=[\w@*#?$!({\[-])"
DOUBLE_CONTEXT = PrintContext("", rf'["`]|{EXPANDING_DOLLAR}|\\(?=[$`"\\\n])', r'\\([$`"\\])')
JSON_CONTEXT = PrintContext(
    "", rf'["`\\\x00-\x1f\x7f]|{EXPANDING_DOLLAR}', r'\\([$`"\\])', json=True
)
HEREDOC_CONTEXT = PrintContext("", rf"`|{EXPANDING_DOLLAR}|\\(?=[$`\\\n])", r"\\([$`\\])")
# `$` ends it too: `<<E$`.
HEREDOC_DOLLAR_CONTEXT = PrintContext("", r"[`$]|\\(?=[$`\\\n])", r"\\([$`\\])")
DEFAULT_CONTEXT = PrintContext(
    "", rf'["`}}]|{EXPANDING_DOLLAR}|\$(?=\')|\\(?=[$`"\\}}\n])', r'\\([$`"\\}])'
)
