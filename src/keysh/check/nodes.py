"""Checks of single nodes, which need no context."""

from __future__ import annotations

from keysh.diagnostics.display import shorten
from keysh.syntax import ast
from keysh.syntax.bash_differences import BASH_ONLY_VARIABLES
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.check.report import CheckReport

REGEX_SPECIALS = "\\.[](){}*+?|^$"  # which a quote makes literal
# Commands that are written for their redirections.
REDIRECTION_ONLY_COMMANDS = (":", "true", "exec")


def check_record(record: ast.Record, report: CheckReport) -> None:
    """Report a duplicate key in a record, of which only the last counts."""
    seen: set[str] = set()
    for pair in record.pairs:
        key = constant_text(pair.key) if isinstance(pair, ast.Pair) else None
        if key is None:
            continue
        if key in seen:
            report.add("W303", pair.start, pair.end, "a record has a duplicate key", f"`{key}`",
                       "remove one of them")  # fmt: skip
        seen.add(key)


def check_bash_variable(target: ast.Reference, report: CheckReport) -> None:
    """Report an assignment to a variable that controls bash, and does nothing here."""
    if target.name in BASH_ONLY_VARIABLES:
        report.add("W311", target.start, target.end, "only bash uses this variable",
                   f"`{target.name}`", BASH_ONLY_VARIABLES[target.name])  # fmt: skip


def check_redirections(node: ast.Simple, report: CheckReport) -> None:
    """Report `> a > b`: the first file is emptied and nothing is written to it."""
    name = constant_text(node.arguments[0])
    if name in REDIRECTION_ONLY_COMMANDS:
        return
    waiting: dict[object, ast.Redirect] = {}
    for redirect in node.redirects:
        if isinstance(redirect, ast.Heredoc) or redirect.operator not in ("<", ">", ">>", ">|"):
            waiting.clear()  # `2>&1` uses what stands before it
            continue
        fd = redirect.fd if redirect.fd is not None else int(redirect.operator != "<")
        first = waiting.get(fd)
        if first is not None:
            fact = "another redirection takes its place"
            fix = "remove one of them, or use `tee` to write to both"
            report.add("W302", first.start, first.end, fact,
                       fix="remove one of them" if first.operator == "<" else fix)  # fmt: skip
        waiting[fd] = redirect


def report_unclosed_heredoc(node: ast.Heredoc, report: CheckReport) -> None:
    """Report a heredoc that the end of the text ends, as the bash dialect allows."""
    report.add("E103", node.start, node.end, "not closed", f"`{shorten(report.source_of(node))}`",
               f"add a line that is `{shorten(node.delimiter)}` and nothing else",
               is_soft=True)  # fmt: skip


def check_operand(node: ast.Word, report: CheckReport) -> None:
    """Report `[[ !(x) ]]` after `shopt -s extglob`: a text that is not empty."""
    first = node.parts[0] if node.parts else None
    if isinstance(first, ast.ExtendedGlob) and first.operator == "!":
        report.add("W309", node.start, node.end, "this pattern is no test, and always true",
                   f"`{shorten(report.source_of(node))}`",
                   "write `! (` for a test; a pattern follows `==`")  # fmt: skip


def check_regex(word: ast.Word, report: CheckReport) -> None:
    """Report an invalid literal expression in `[[ x =~ regex ]]`."""
    text = regex_text(word)
    if text is None or not any(char in text for char in "([{*+?"):
        return
    from keysh.text.regex.regex import RegexError, regex_of  # noqa: PLC0415 - few scripts need it
    from keysh.text.regex.regex_errors import BAD_REFERENCE  # noqa: PLC0415 - few scripts need it

    try:
        regex_of(text, "extended")
    except RegexError as error:
        if error.message == BAD_REFERENCE:  # bash reads it as a digit
            return
        fact = f"no regular expression: {error.message}"
        fix = "escape the character, or quote it"
        report.add("E309", word.start, word.end, fact, f"`{shorten(text)}`", fix)


def regex_text(word: ast.Word) -> str | None:
    """Return the expression in a constant word, with quoted characters escaped; else None."""
    texts: list[str] = []
    for part in word.parts:
        if isinstance(part, ast.Text | ast.Glob):
            texts.append(part.value)
        elif not isinstance(part, ast.Quoted):
            return None
        elif part.style == "\\":
            texts.append(f"\\{part.value}")
        else:
            texts.extend(f"\\{char}" if char in REGEX_SPECIALS else char for char in part.value)
    return "".join(texts)
