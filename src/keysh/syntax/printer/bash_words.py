r"""Words as bash prints them: as written, but for `$(…)`, `$'…'`, arrays and joined lines.

Bash keeps the text of a word. It prints the commands of a `$(…)` anew when it has parsed them.
"""

from __future__ import annotations

import re

from keysh.diagnostics.dialect import BASH
from keysh.syntax import ast
from keysh.syntax.printer.quotes import LINE_JOIN
from keysh.text.shell_quoting import single_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.diagnostics.source import Source
    from keysh.syntax.node import Node

    BlockText = Callable[[ast.Block], str]

# An odd number of backslashes before a newline.
JOINED_LINE = re.compile(r"(?<!\\)((?:\\\\)*)\\\n")


class WordPrinter:
    """Prints the words of a text; `block_text` prints the commands of a `$(…)`."""

    __slots__ = ("block_text", "source", "text")

    def __init__(self, source: Source, block_text: BlockText) -> None:
        self.source, self.text, self.block_text = source, source.text, block_text

    def word(self, node: Node) -> str:
        """Return a word, an assignment or an array."""
        return self.text_between(node, node.start, node.end)

    def function_heading(self, node: ast.Function, *, is_marked: bool) -> str:
        """Return the name with `()`, marked with `function` or not; parameters mark it, too."""
        if node.parameters:
            written = [self.text[one.start : one.end] for one in node.parameters]
            return f"{node.name}({', '.join(written)})"
        return f"{'function ' if is_marked else ''}{node.name} ()"

    def text_between(self, node: Node, start: int, end: int) -> str:
        """Return the text between two offsets, which the node includes."""
        pieces: list[str] = []
        for part in self.changed_parts(node):
            if start <= part.start and part.end <= end:
                pieces += (joined_lines(self.text[start : part.start]), self.with_changes(part))
                start = part.end
        return "".join(pieces) + joined_lines(self.text[start:end])

    def changed_parts(self, node: Node) -> Iterator[Node]:
        """Yield the outermost parts that are not printed as written, in order."""
        waiting = sorted(node.children(), key=node_start, reverse=True)
        while waiting:
            part = waiting.pop()
            if self.is_changed(part):
                yield part
            else:
                waiting += sorted(part.children(), key=node_start, reverse=True)

    def is_changed(self, part: Node) -> bool:
        """Whether a part needs more than its lines joined."""
        if isinstance(part, ast.Quoted):
            return part.style in ("'", "$'") or self.text.startswith('$"', part.start)
        if isinstance(part, ast.DoubleQuoted):
            return self.text.startswith("$", part.start)
        return isinstance(part, ast.Substitution | ast.ProcessSubstitution | ast.Array)

    def with_changes(self, part: Node) -> str:
        """Return the text of a part that is not printed as written."""
        written = self.text[part.start : part.end]
        if isinstance(part, ast.Quoted):
            if part.style == "$'":
                before, nul, _ = part.value.partition("\0")
                keeps_nul = nul and self.source.dialect is not BASH
                return written if keeps_nul else single_quoted_text(before)
            # Bash translates the text of `$"…"` when it reads it.
            return written if part.style == "'" else joined_lines(written[1:])
        if isinstance(part, ast.DoubleQuoted):
            return self.text_between(part, part.start + 1, part.end)
        if isinstance(part, ast.Array):
            return f"({' '.join(self.word(entry) for entry in part.entries)})"
        if isinstance(part, ast.ProcessSubstitution):
            return self.commands(f"{part.direction}(", part.body)
        if isinstance(part, ast.Substitution) and written[:1] == "$":
            return self.commands("$(", part.body)
        return joined_lines(written)

    def commands(self, opener: str, block: ast.Block | None) -> str:
        """Return the commands of a substitution; `((` would be arithmetic."""
        inside = "" if block is None else self.block_text(block)
        return f"{opener}{' ' if inside[:1] == '(' else ''}{inside})"


def node_start(node: Node) -> int:
    """Return where a node begins in the source."""
    return node.start


def joined_lines(text: str) -> str:
    r"""Return text without `\` newline."""
    return JOINED_LINE.sub(r"\1", text) if LINE_JOIN in text else text
