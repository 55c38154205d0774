"""Drawing: one run of tree, from the operands to the lines and the count at the end."""

from __future__ import annotations

from keysh.gnu.file_facts import kind_name, mode_digits
from keysh.text.chunks import encoded
from keysh.text.gnu_quoting import is_printed
from keysh.tools.ls.entry import Entry
from keysh.tools.ls.names import sign_of
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from keysh.interp.state.call import Call
    from keysh.tools.ls.colors import Colors
    from keysh.tools.tree.facts import Facts
    from keysh.tools.tree.node import Node
    from keysh.tools.tree.selection import Selection


# XML: the tree as elements, one in the other.

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def opening(row: Mapping[str, object]) -> str:
    """The start of a file's element; its type is the element's name."""
    attributes = "".join(
        f' {name}="{escaped(str(value))}"' for name, value in row.items() if name != "type"
    )
    return f"<{row['type']}{attributes}>"


def escaped(text: str) -> str:
    """A text without what XML itself means something by."""
    return "".join(ESCAPES.get(char, char) for char in text)


LINES = ("├── ", "└── ", "│\xa0\xa0 ", "    ")
ASCII_LINES = ("|-- ", "`-- ", "|   ", "    ")
# As the IBM PC has them, each a byte; and for a terminal that draws lines in place of letters.
PC_LINES = ("\udcc3\udcc4\udcc4 ", "\udcc0\udcc4\udcc4 ", "\udcb3   ", "    ")
TERMINAL_LINES = ("tqq ", "mqq ", "x   ", "    ")
BEGIN_LINES, END_LINES = "\x1b(0", "\x1b(B"


class Drawing:
    """A run, and what it has counted."""

    __slots__ = ("_bytes", "_facts", "_files", "_flags", "_folders", "_selection", "_sh",
                 "charset", "colors")  # fmt: skip

    def __init__(self, sh: Call, selection: Selection, facts: Facts) -> None:
        self._sh, self._selection, self._facts = sh, selection, facts
        self._flags = frozenset(name for name, value in sh.given if value is True)
        self._files = self._folders = self._bytes = 0
        self.charset = "utf-8"
        self.colors: Colors | None = None

    def run(self, tops: tuple[str, ...]) -> Iterator[str | dict[str, object]]:
        """Draw what the operands name, then the count."""
        given = reversed(self._sh.given)
        form = next((name for name, value in given if name in ("document", "xml") and value), "")
        if form:
            yield from (self._document if form == "document" else self._elements)(tops)
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
        branch, last, through, blank = self._lines
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

    @property
    def _lines(self) -> tuple[str, str, str, str]:
        """What stands before a file that others follow, before the last one, and below both."""
        if "ansi" in self._flags:
            return TERMINAL_LINES
        if "cp437" in self._flags:
            return PC_LINES
        return LINES if self.charset.lower() in ("utf-8", "utf8") else ASCII_LINES

    def _counted(self, top: str) -> Node | None:
        """An operand, counted; None where nothing is."""
        node = self._selection.top(top)
        if node is None:
            self._sh.status = 2
            return None
        self._bytes += node.size
        if node.leads_to_folder:
            self._folders += bool(node.inside or node.says or node.listed)
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
        elif lines and "ansi" in flags:
            lines = BEGIN_LINES + lines + END_LINES
        text = self._quoted(self._called(node))
        is_target = node.stat.is_link and node.depth
        entry = self._entry(node)
        if self.colors is not None:
            text = self.colors.colored(text, entry)
        if is_target:
            target = self._quoted(entry.target)
            if self.colors is not None:
                target = self.colors.colored(target, entry, is_target=True)
            text += f" -> {target}"
        if "classify" in flags:
            is_link = node.stat.is_link and not is_target
            text += sign_of(node.stat.mode, "classify") if is_link else self._sign(node)
        if node.says:
            text += f"  [{node.says}]"
        bracket = self._facts.bracket(node)
        front = bracket + lines if "metafirst" in flags else lines + bracket
        return f"{front}{text}\n"

    def _called(self, node: Node) -> str:
        """A name, or with -f the whole path, which ends in no slash."""
        if "full" not in self._flags:
            return node.name
        return node.path.rstrip("/") or node.path[:1]

    def _quoted(self, name: str) -> str:
        """A name as it is drawn: characters that are not printed as their bytes."""
        if "literal" not in self._flags:
            hides = "hide_control_chars" in self._flags
            name = "".join(
                char if is_printed(char) else "?" if hides else octal(char) for char in name
            )
        return f'"{name}"' if "quote" in self._flags else name

    def _target(self, node: Node) -> str:
        if node.listed is not None:
            return node.listed.target or ""
        return self._sh.fs.read_link(self._sh.path(node.path))

    def _entry(self, node: Node) -> Entry:
        """A file as its color is chosen by, with where it leads to."""
        entry = Entry(node.name, node.path, node.stat)
        if node.stat.is_link and (node.depth or self.colors is not None):
            entry.target = self._target(node)
            if node.listed is not None:
                return entry
            try:
                found = self._sh.fs.stat(self._sh.path(node.path), follow=True)
            except OSError:
                return entry  # it leads nowhere
            entry.target_mode = found.mode
        return entry

    def _sign(self, node: Node) -> str:
        """The sign of what a path leads to; where all are directories, there is none."""
        if "directories" in self._flags:
            return ""
        if node.listed is not None:
            return "/" if node.depth and node.listed.is_folder else ""
        try:
            mode = self._sh.fs.stat(self._sh.path(node.path), follow=True).mode
        except OSError:
            return ""
        return sign_of(mode, "classify")

    # ------------------------------------------------------------ XML

    def _elements(self, tops: tuple[str, ...]) -> Iterator[str]:
        """What the operands name as one XML document; with -i without indentation and lines."""
        line, step = ("", "") if "no_indent" in self._flags else ("\n", "  ")
        head = HEAD.replace("UTF-8", "IBM437") if "cp437" in self._flags else HEAD
        yield f"{head}{line}<tree>{line}"
        for top in tops:
            node = self._counted(top)
            if node is None:
                head = opening({"type": "directory", "name": top})
                yield f"{step}{head}<error>error opening dir</error></directory>{line}"
                continue
            yield from self._branches(node, line, step)
        if "no_report" not in self._flags:
            counts = {"size": self._bytes, "directories": self._folders, "files": self._files}
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

    def _branches(self, top: Node, line: str, step: str) -> Iterator[str]:
        """A node and all in it; a stack holds what is left, and the ends of elements."""
        stack: list[tuple[Node | str, int]] = [(top, 1)]
        while stack:
            self._sh.tick()
            node, depth = stack.pop()
            if isinstance(node, str):
                yield f"{step * depth}{node}{line}"
                continue
            if node is not top:
                self._count(node)
            row = self._member(node)
            says = row.pop("error", "")
            if "size" in row:
                row["size"] = node.size  # in no unit but bytes
            end = f"</{row['type']}>"
            if not (node.inside or (node is top and not says)):
                gap = f"\n{step * depth}" if node is top else ""
                error = f"<error>{says}</error>{gap}" if says else ""
                yield f"{step * depth}{opening(row)}{error}{end}{line}"
                continue
            yield f"{step * depth}{opening(row)}\n"
            stack.append((end, depth))
            stack += [(one, depth + 1) for one in reversed(node.inside or ())]

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
        """What the operands name as one JSON document, on lines as tree has it; with -i on one."""
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
        name = self._called(node)
        row: dict[str, object] = {"type": kind_name(node.stat.mode), "name": name}
        if node.stat.is_link and node.depth:
            row["target"] = self._target(node)
        row |= self._facts.fields(node)
        return {**row, "error": node.says} if node.says else row


def octal(char: str) -> str:
    """The bytes of a character as escapes."""
    return "".join(f"\\{byte:03o}" for byte in encoded(char))
