"""One run of tree: print the tree of each operand, then the counts."""

from __future__ import annotations

from keysh.gnu.file_facts import kind_name, mode_digits
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import is_c_printable
from keysh.tools.ls.entry import LsEntry
from keysh.tools.ls.names import type_indicator
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from keysh.interp.state.call import Call
    from keysh.tools.ls.colors import FileColors
    from keysh.tools.tree.facts import NodeFacts
    from keysh.tools.tree.node import TreeNode
    from keysh.tools.tree.selection import TreeSelection


# XML

XML_HEADER = '<?xml version="1.0" encoding="UTF-8"?>'
XML_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def start_tag(row: Mapping[str, object]) -> str:
    """Return the start tag of a file, which is named after its type."""
    attributes = "".join(
        f' {name}="{escape_xml(str(value))}"' for name, value in row.items() if name != "type"
    )
    return f"<{row['type']}{attributes}>"


def escape_xml(text: str) -> str:
    """Escape a string for XML."""
    return "".join(XML_ESCAPES.get(char, char) for char in text)


UTF8_LINES = ("├── ", "└── ", "│\xa0\xa0 ", "    ")
ASCII_LINES = ("|-- ", "`-- ", "|   ", "    ")
# Bytes of code page 437, and letters that a terminal draws as lines.
PC_LINES = ("\udcc3\udcc4\udcc4 ", "\udcc0\udcc4\udcc4 ", "\udcb3   ", "    ")
TERMINAL_LINES = ("tqq ", "mqq ", "x   ", "    ")
LINE_DRAWING_ON, LINE_DRAWING_OFF = "\x1b(0", "\x1b(B"


class TreeDrawing:
    """One run of tree, with its counts."""

    __slots__ = (
        "_bytes", "_directories", "_facts", "_files", "_flags", "_selection", "_sh", "charset",
        "colors",
    )  # fmt: skip

    def __init__(self, sh: Call, selection: TreeSelection, facts: NodeFacts) -> None:
        self._sh, self._selection, self._facts = sh, selection, facts
        self._flags = frozenset(name for name, value in sh.given if value is True)
        self._files = self._directories = self._bytes = 0
        self.charset = "utf-8"
        self.colors: FileColors | None = None

    def run(self, operands: tuple[str, ...]) -> Iterator[str | dict[str, object]]:
        """Print the operands and the counts."""
        options = reversed(self._sh.given)
        document_type = next(
            (name for name, value in options if name in ("document", "xml") and value), ""
        )
        if document_type:
            yield from (self._json_document if document_type == "document" else self._xml_document)(
                operands
            )
            return
        for operand in operands:
            yield from self._draw(operand)
        if not {"no_report", "json"} & self._flags:
            yield self._report()

    def _draw(self, operand: str) -> Iterator[str | dict[str, object]]:
        """Print one operand with its tree; the stack has what remains."""
        node = self._count_operand(operand)
        if node is None:
            yield f"{self._display_name(operand)}  [error opening dir]\n"
            return
        branch, last, through, blank = self._branch_lines
        yield self._node_line(node, "")
        stack = [("", (node.children or [])[::-1])]
        while stack:
            self._sh.tick()
            indent, remaining = stack[-1]
            if not remaining:
                stack.pop()
                continue
            node = remaining.pop()
            self._count_node(node)
            yield self._node_line(node, indent + (branch if remaining else last))
            if node.children:
                stack.append((indent + (through if remaining else blank), node.children[::-1]))

    @property
    def _branch_lines(self) -> tuple[str, str, str, str]:
        """Return the prefixes: for an entry, for the last entry, and below each of these."""
        if "ansi" in self._flags:
            return TERMINAL_LINES
        if "cp437" in self._flags:
            return PC_LINES
        return UTF8_LINES if self.charset.lower() in ("utf-8", "utf8") else ASCII_LINES

    def _count_operand(self, operand: str) -> TreeNode | None:
        """Look up and count an operand; return None if it does not exist."""
        node = self._selection.open_operand(operand)
        if node is None:
            self._sh.status = 2
            return None
        self._bytes += node.size
        if node.leads_to_directory:
            self._directories += bool(node.children or node.note or node.listed_path)
        else:
            self._files += 1
        return node

    def _count_node(self, node: TreeNode) -> None:
        """Count a file below an operand and open it if it is a directory."""
        if node.leads_to_directory:
            self._directories += 1
        else:
            self._files += 1
        self._selection.open(node)

    def _report(self) -> str:
        """Return the line with the counts."""
        folders = f"{self._directories} director{'y' if self._directories == 1 else 'ies'}"
        files = f", {self._files} file{'' if self._files == 1 else 's'}"
        used = ""
        if "du" in self._flags:
            size = self._facts.size(self._bytes)
            unit = " bytes" if self._flags.isdisjoint(("human_readable", "si")) else ""
            used = f" {size}{unit} used in "
        return f"\n{used}{folders}{'' if 'directories' in self._flags else files}\n"

    # ------------------------------------------------------------ lines

    def _node_line(self, node: TreeNode, lines: str) -> str | dict[str, object]:
        flags = self._flags
        if "json" in flags:
            return self._row(node)
        if "no_indent" in flags:
            lines = ""
        elif lines and "ansi" in flags:
            lines = LINE_DRAWING_ON + lines + LINE_DRAWING_OFF
        text = self._display_name(self._label(node))
        is_target = node.stat.is_link and node.depth
        entry = self._entry(node)
        if self.colors is not None:
            text = self.colors.color_name(text, entry)
        if is_target:
            target = self._display_name(entry.target)
            if self.colors is not None:
                target = self.colors.color_name(target, entry, is_target=True)
            text += f" -> {target}"
        if "classify" in flags:
            is_link = node.stat.is_link and not is_target
            text += type_indicator(node.stat.mode, "classify") if is_link else self._indicator(node)
        if node.note:
            text += f"  [{node.note}]"
        bracket = self._facts.bracket(node)
        front = bracket + lines if "metafirst" in flags else lines + bracket
        return f"{front}{text}\n"

    def _label(self, node: TreeNode) -> str:
        """Return the name of a node, or with -f its path without a final slash."""
        if "full" not in self._flags:
            return node.name
        return node.path.rstrip("/") or node.path[:1]

    def _display_name(self, name: str) -> str:
        """Return a name with unprintable characters escaped or replaced."""
        if "literal" not in self._flags:
            hides = "hide_control_chars" in self._flags
            name = "".join(
                char if is_c_printable(char) else "?" if hides else octal_escapes(char)
                for char in name
            )
        return f'"{name}"' if "quote" in self._flags else name

    def _target(self, node: TreeNode) -> str:
        if node.listed_path is not None:
            return node.listed_path.target or ""
        return self._sh.fs.read_link(self._sh.path(node.path))

    def _entry(self, node: TreeNode) -> LsEntry:
        """Return the entry that determines the color of a node."""
        entry = LsEntry(node.name, node.path, node.stat)
        if node.stat.is_link and (node.depth or self.colors is not None):
            entry.target = self._target(node)
            if node.listed_path is not None:
                return entry
            try:
                stat = self._sh.fs.stat(self._sh.path(node.path), follow=True)
            except OSError:
                return entry  # a dangling link
            entry.target_mode = stat.mode
        return entry

    def _indicator(self, node: TreeNode) -> str:
        """Return the indicator of a node's target, or nothing with -d."""
        if "directories" in self._flags:
            return ""
        if node.listed_path is not None:
            return "/" if node.depth and node.listed_path.is_directory else ""
        try:
            mode = self._sh.fs.stat(self._sh.path(node.path), follow=True).mode
        except OSError:
            return ""
        return type_indicator(mode, "classify")

    # ------------------------------------------------------------ XML

    def _xml_document(self, operands: tuple[str, ...]) -> Iterator[str]:
        """Return one XML document; with -i, without indentation and newlines."""
        line, step = ("", "") if "no_indent" in self._flags else ("\n", "  ")
        head = XML_HEADER.replace("UTF-8", "IBM437") if "cp437" in self._flags else XML_HEADER
        yield f"{head}{line}<tree>{line}"
        for operand in operands:
            node = self._count_operand(operand)
            if node is None:
                head = start_tag({"type": "directory", "name": operand})
                yield f"{step}{head}<error>error opening dir</error></directory>{line}"
                continue
            yield from self._xml_elements(node, line, step)
        if "no_report" not in self._flags:
            counts = {"size": self._bytes, "directories": self._directories, "files": self._files}
            gone = {"size": "du" not in self._flags, "files": "directories" in self._flags}
            yield (
                f"{step}<report>{line}"
                + "".join(
                    f"{step * 2}<{name}>{count}</{name}>{line}"
                    for name, count in counts.items()
                    if not gone.get(name)
                )
                + f"{step}</report>{line}"
            )
        yield f"</tree>{line}" if line else "</tree>\n"

    def _xml_elements(self, operand: TreeNode, line: str, step: str) -> Iterator[str]:
        """Return the elements of a node; the stack has the remaining nodes and end tags."""
        stack: list[tuple[TreeNode | str, int]] = [(operand, 1)]
        while stack:
            self._sh.tick()
            node, depth = stack.pop()
            if isinstance(node, str):
                yield f"{step * depth}{node}{line}"
                continue
            if node is not operand:
                self._count_node(node)
            row = self._json_member(node)
            note = row.pop("error", "")
            if "size" in row:
                row["size"] = node.size  # always in bytes
            end = f"</{row['type']}>"
            if not (node.children or (node is operand and not note)):
                gap = f"\n{step * depth}" if node is operand else ""
                error = f"<error>{note}</error>{gap}" if note else ""
                yield f"{step * depth}{start_tag(row)}{error}{end}{line}"
                continue
            yield f"{step * depth}{start_tag(row)}\n"
            stack.append((end, depth))
            stack += [(child, depth + 1) for child in reversed(node.children or ())]

    # ------------------------------------------------------------ JSON

    def _row(self, node: TreeNode) -> dict[str, object]:
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

    def _json_document(self, operands: tuple[str, ...]) -> Iterator[str]:
        """Return one JSON document in the layout of tree; with -i, on one line."""
        line, step = ("", "") if "no_indent" in self._flags else ("\n", "  ")
        yield "["
        for number, operand in enumerate(operands):
            yield f",{line}" if number else line
            node = self._count_operand(operand)
            if node is None:
                missing = {"type": "error", "name": operand, "error": "error opening dir"}
                yield step + json_of(missing)
                continue
            yield from self._json_members(node, line, step)
        if "no_report" not in self._flags:
            report: dict[str, object] = {"type": "report"}
            if "du" in self._flags:
                report["size"] = self._bytes
            report["directories"] = self._directories
            if "directories" not in self._flags:
                report["files"] = self._files
            yield f"{line},{line}{step}{json_of(report)}"
        yield f"{line}]\n" if "no_report" not in self._flags else f"{line}{line}]\n"

    def _json_members(self, operand: TreeNode, line: str, step: str) -> Iterator[str]:
        """Return the members of a node; the stack has the other nodes, and None to end a list."""
        stack: list[tuple[TreeNode | None, int, bool]] = [(operand, 1, True)]
        while stack:
            self._sh.tick()
            node, depth, is_last = stack.pop()
            end = "" if depth == 1 else line if is_last else f",{line}"
            if node is None:
                yield f"{step * depth}]}}{end}"
                continue
            if node is not operand:
                self._count_node(node)
            head = json_of(self._json_member(node))
            if not node.children:
                yield f"{step * depth}{head}{end}"
                continue
            yield f'{step * depth}{head[:-1]},"contents":[{line}'
            stack.append((None, depth, is_last))
            children = node.children
            stack += [
                (child, depth + 1, index == 0) for index, child in enumerate(reversed(children))
            ]

    def _json_member(self, node: TreeNode) -> dict[str, object]:
        """Return a node as an object of the JSON document."""
        name = self._label(node)
        row: dict[str, object] = {"type": kind_name(node.stat.mode), "name": name}
        if node.stat.is_link and node.depth:
            row["target"] = self._target(node)
        row |= self._facts.fields(node)
        return {**row, "error": node.note} if node.note else row


def octal_escapes(char: str) -> str:
    """Return the bytes of a character as octal escapes."""
    return "".join(f"\\{byte:03o}" for byte in bytes_of_text(char))
