"""Redirections as bash prints them, `3<&4-` and `0>&-`."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.printer.quotes import LINE_JOIN
from keysh.text.shell_quoting import quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.printer.bash_words import WordPrinter

# The descriptors that bash does not print, by operator.
IMPLIED_DESCRIPTORS = {
    "<": 0, ">": 1, ">>": 1, ">|": 1, "<>": 1, "<<<": 0, "<<": 0, "&>": 1, "&>>": 1,
}  # fmt: skip


def redirect_text(words: WordPrinter, node: ast.Redirection) -> str:
    """Return a redirection without its heredoc's body."""
    if isinstance(node, ast.Heredoc):
        written = quoted_text(node.delimiter) if node.quoted else node.delimiter
        return f"{descriptor(node, '<<')}<<{'-' if node.strips else ''}{written}"
    target = words.word(node.target)
    if node.operator in (">&", "<&"):
        return duplication(node, target)
    return f"{descriptor(node, node.operator)}{node.operator} {target}"


def heredoc_body(text: str, node: ast.Heredoc) -> str:
    """Return the lines of a heredoc, joined and without tabs where the script says so."""
    body = text[node.body.start : node.body.end] if node.body.parts else ""
    if not node.quoted:
        body = body.replace(LINE_JOIN, "")
    if node.strips:
        body = "".join(line.lstrip("\t") for line in body.splitlines(keepends=True))
    return body


def descriptor(node: ast.Redirection, operator: str) -> str:
    """Return the number or variable before an operator, unless it is implied."""
    if isinstance(node.fd, str):
        return f"{{{node.fd}}}"
    default = 0 if operator.startswith("<") else 1
    number = default if node.fd is None else node.fd
    return "" if number == IMPLIED_DESCRIPTORS.get(operator) else str(number)


def duplication(node: ast.Redirect, target: str) -> str:
    """Return `1>&2`, `3<&4-` or `0>&-`; only the number before a word may be implied."""
    default = 0 if node.operator == "<&" else 1
    if target == "-":
        return f"{descriptor_or(node, default)}>&-"
    if target.removesuffix("-").isdecimal():
        return f"{descriptor_or(node, default)}{node.operator}{target}"
    number = "" if node.fd in (None, default) else descriptor_or(node, default)
    return f"{number}{node.operator}{target}"


def descriptor_or(node: ast.Redirect, default: int) -> str:
    """Return the number or variable before an operator, or the default."""
    return (
        f"{{{node.fd}}}"
        if isinstance(node.fd, str)
        else str(default if node.fd is None else node.fd)
    )
