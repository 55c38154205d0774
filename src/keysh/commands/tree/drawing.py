"""Drawing: one run of tree, from the operands to the lines and the count at the end."""

from __future__ import annotations

from keysh.commands.ls.names import sign_of
from keysh.runtime.file_row import kind_name, mode_digits
from keysh.runtime.quoting import is_printed
from keysh.text.lines import encoded
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.commands.tree.facts import Facts
    from keysh.commands.tree.selection import Node, Selection
    from keysh.runtime.call import Call

LINES = ("├── ", "└── ", "│\xa0\xa0 ", "    ")
ASCII_LINES = ("|-- ", "`-- ", "|   ", "    ")


class Drawing:
    """A run, and what it has counted."""

    __slots__ = ("_bytes", "_facts", "_files", "_flags", "_folders", "_selection", "_sh",
                 "draws_ascii")  # fmt: skip

    def __init__(self, sh: Call, selection: Selection, facts: Facts) -> None:
        self._sh, self._selection, self._facts = sh, selection, facts
        self._flags = frozenset(name for name, value in sh.given if value is True)
        self._files = self._folders = self._bytes = 0
        self.draws_ascii = False

    def run(self, tops: tuple[str, ...]) -> Iterator[str | dict[str, object]]:
        """Draw what the operands name, then the count."""
        if "document" in self._flags:
            yield from self._document(tops)
            return
        for top in tops:
            yield from self._draw(top)
        if not {"no_report", "json"} & self._flags:
            yield self._report()

    def _draw(self, top: str) -> Iterator[str | dict[str, object]]:
        """One operand and all below it. What is left to draw stands on a stack."""
        node = self._counted(top)
        if node is None:
            yield f"{self._quoted(top)}  [error opening dir]\n"
            return
        branch, last, through, blank = ASCII_LINES if self.draws_ascii else LINES
        yield self._shown(node, "")
        stack = [("", (node.inside or [])[::-1])]
        while stack:
            self._sh.tick()
            indent, left = stack[-1]
            if not left:
                stack.pop()
                continue
            node = left.pop()
            self._count(node)
            yield self._shown(node, indent + (branch if left else last))
            if node.inside:
                stack.append((indent + (through if left else blank), node.inside[::-1]))

    def _counted(self, top: str) -> Node | None:
        """An operand, counted; None where nothing is."""
        node = self._selection.top(top)
        if node is None:
            self._sh.status = 2
            return None
        self._bytes += node.size
        if node.leads_to_folder:
            self._folders += bool(node.inside or node.says)
        else:
            self._files += 1
        return node

    def _count(self, node: Node) -> None:
        """A file below an operand, whose directory is opened."""
        if node.leads_to_folder:
            self._folders += 1
        else:
            self._files += 1
        self._selection.open(node)

    def _report(self) -> str:
        """The counts."""
        folders = f"{self._folders} director{'y' if self._folders == 1 else 'ies'}"
        files = f", {self._files} file{'' if self._files == 1 else 's'}"
        used = ""
        if "du" in self._flags:
            size = self._facts.size(self._bytes)
            unit = " bytes" if self._flags.isdisjoint(("human_readable", "si")) else ""
            used = f" {size}{unit} used in "
        return f"\n{used}{folders}{'' if 'directories' in self._flags else files}\n"

    # ------------------------------------------------------------ lines

    def _shown(self, node: Node, lines: str) -> str | dict[str, object]:
        flags = self._flags
        if "json" in flags:
            return self._row(node)
        if "no_indent" in flags:
            lines = ""
        text = self._quoted(node.path if "full" in flags else node.name)
        is_target = node.stat.is_link and node.depth
        if is_target:
            text += f" -> {self._quoted(self._target(node))}"
        if "classify" in flags and (is_target or not node.stat.is_link):
            text += self._sign(node)
        if node.says:
            text += f"  [{node.says}]"
        bracket = self._facts.bracket(node)
        front = bracket + lines if "metafirst" in flags else lines + bracket
        return f"{front}{text}\n"

    def _quoted(self, name: str) -> str:
        """A name as it is drawn: characters that are not printed as their bytes."""
        if "literal" not in self._flags:
            hides = "hide_control_chars" in self._flags
            name = "".join(
                char if is_printed(char) else "?" if hides else octal(char) for char in name
            )
        return f'"{name}"' if "quote" in self._flags else name

    def _target(self, node: Node) -> str:
        return self._sh.fs.read_link(self._sh.path(node.path))

    def _sign(self, node: Node) -> str:
        """The sign of what a path leads to; where all are directories, there is none."""
        if "directories" in self._flags:
            return ""
        try:
            mode = self._sh.fs.stat(self._sh.path(node.path), follow=True).mode
        except OSError:
            return ""
        return sign_of(mode, "classify")

    # ------------------------------------------------------------ JSON

    def _row(self, node: Node) -> dict[str, object]:
        row: dict[str, object] = {
            "path": node.path,
            "name": node.name,
            "type": kind_name(node.stat.mode),
            "depth": node.depth,
            "size": node.size,
            "mode": mode_digits(node.stat.mode),
        }
        if node.stat.is_link and node.depth:
            row["target"] = self._target(node)
        return row

    def _document(self, tops: tuple[str, ...]) -> Iterator[str]:
        """All of it as one JSON document, on lines as tree has them; with -i on one line."""
        line, step = ("", "") if "no_indent" in self._flags else ("\n", "  ")
        yield "["
        for number, top in enumerate(tops):
            yield f",{line}" if number else line
            node = self._counted(top)
            if node is None:
                missing = {"type": "error", "name": top, "error": "error opening dir"}
                yield step + json_of(missing)
                continue
            yield from self._members(node, line, step)
        if "no_report" not in self._flags:
            report: dict[str, object] = {"type": "report"}
            if "du" in self._flags:
                report["size"] = self._bytes
            report["directories"] = self._folders
            if "directories" not in self._flags:
                report["files"] = self._files
            yield f"{line},{line}{step}{json_of(report)}"
        yield f"{line}]\n" if "no_report" not in self._flags else f"{line}{line}]\n"

    def _members(self, top: Node, line: str, step: str) -> Iterator[str]:
        """A node and all in it; a stack holds what is left, and None where a list ends."""
        stack: list[tuple[Node | None, int, bool]] = [(top, 1, True)]
        while stack:
            self._sh.tick()
            node, depth, is_last = stack.pop()
            end = "" if depth == 1 else line if is_last else f",{line}"
            if node is None:
                yield f"{step * depth}]}}{end}"
                continue
            if node is not top:
                self._count(node)
            head = json_of(self._member(node))
            if not node.inside:
                yield f"{step * depth}{head}{end}"
                continue
            yield f'{step * depth}{head[:-1]},"contents":[{line}'
            stack.append((None, depth, is_last))
            inside = node.inside
            stack += [(one, depth + 1, at == 0) for at, one in enumerate(reversed(inside))]

    def _member(self, node: Node) -> dict[str, object]:
        """A file as the document has it."""
        name = node.path if "full" in self._flags else node.name
        row: dict[str, object] = {"type": kind_name(node.stat.mode), "name": name}
        if node.stat.is_link and node.depth:
            row["target"] = self._target(node)
        row |= self._facts.fields(node)
        return {**row, "error": node.says} if node.says else row


def octal(char: str) -> str:
    """The bytes of a character as escapes."""
    return "".join(f"\\{byte:03o}" for byte in encoded(char))
