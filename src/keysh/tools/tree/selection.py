"""Selection: which files of a directory are drawn, in which order, and how deep it goes."""

from __future__ import annotations

from keysh.gnu.version_order import digit_key
from keysh.interp.streams.streams import reader_of
from keysh.text.chunks import encoded
from keysh.text.dates.calendar import SECOND
from keysh.text.pattern import Pattern
from keysh.tools.tree.listed import Listed, listed
from keysh.tools.tree.node import Node
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.tree.git_ignore import Ignoring

ORDERS: dict[str, Callable[[Node], Any]] = {
    "name": lambda node: encoded(node.name),
    "version": lambda node: digit_key(encoded(node.name)),
    "size": lambda node: (-node.size, encoded(node.name)),
    "mtime": lambda node: (node.stat.modified // SECOND, encoded(node.name)),
    "ctime": lambda node: (node.stat.changed // SECOND, encoded(node.name)),
}


class Selection:
    """What the options choose."""

    __slots__ = (
        "_first", "_flags", "_ignored", "_order", "_sh", "_wanted", "deepest", "ignoring", "most",
    )  # fmt: skip

    def __init__(self, sh: Call, flags: frozenset[str]) -> None:
        self._sh, self._flags = sh, flags
        self._order = ""
        self._first: bool | None = None  # whether directories come before files, or behind them
        self._ignored: list[Pattern] = []
        self._wanted: list[Pattern] = []
        self.deepest: int | None = None
        self.most: int | None = None  # entries of a directory that is opened
        self.ignoring: Ignoring | None = None

    def order_by(self, named: str | None) -> None:
        """The last of the options that name an order counts."""
        letters = {"by_time": "mtime", "by_change": "ctime", "by_version": "version",
                   "unsorted": "none"}  # fmt: skip
        self._order = "name"
        for name, value in self._sh.given:
            if name in ("dirsfirst", "filesfirst") and value:
                self._first = name == "dirsfirst"
            if name in letters and value:
                self._order = letters[name]
            elif name == "sort":
                self._order = named or "name"

    def match(self, wanted: list[str] | None, ignored: list[str] | None) -> None:
        """Take patterns, of which those that `|` separates stand each by itself."""
        ignore_case = "ignore_case" in self._flags

        def alternatives(patterns: list[str] | None) -> list[Pattern]:
            texts = [text for given in patterns or () for text in given.split("|")]
            return [Pattern(text, extended=False, ignore_case=ignore_case) for text in texts]

        self._wanted, self._ignored = alternatives(wanted), alternatives(ignored)

    @property
    def looks_ahead(self) -> bool:
        """Whether a directory is drawn only after all in it has been seen."""
        return "prune" in self._flags or "du" in self._flags

    def top(self, path: str) -> Node | None:
        """An operand; None where nothing is. What is no directory cannot be opened."""
        fs, place = self._sh.fs, self._sh.path
        try:
            node = Node(path, path, fs.stat(place(path)), None)
        except OSError:
            return None
        if "fromfile" in self._flags:
            try:
                node.listed = self._list_in(path)
            except OSError:
                return None
        node.leads_to_folder = (
            node.stat.is_directory or node.listed is not None or self._links_to_folder(node)
        )
        if node.leads_to_folder:
            self.open(node)
        if node.inside is None and not node.says:
            node.says = "error opening dir"
        if self.looks_ahead and node.inside is not None:
            self._look_ahead(node)
        return node

    def _list_in(self, path: str) -> Listed:
        """The paths that a file names, or standard input; of a directory, none."""
        has_links = "fflinks" in self._flags
        if path == ".":
            return listed(self._sh.stdin.lines(), self._sh.tick, has_links=has_links)
        try:
            reader = reader_of(self._sh.open(path))
        except IsADirectoryError:
            return listed((), self._sh.tick, has_links=False)
        try:
            return listed(reader.lines(), self._sh.tick, has_links=has_links)
        finally:
            reader.close()

    def open(self, node: Node) -> None:
        """Read the directory, unless it is too deep, too full or leads back to itself."""
        if node.inside is not None or node.says or not self._leads_on(node):
            return
        try:
            inside = self._inside(node)
        except OSError:
            self._sh.status = 2
            node.says = "error opening dir"
            return
        if self.most is not None and len(inside) > self.most > 0 and node.listed is None:
            node.says = f"{len(inside)} entries exceeds filelimit, not opening dir"
            return
        node.inside = inside

    def _leads_on(self, node: Node) -> bool:
        if not node.depth:
            return True
        if self.deepest is not None and node.depth >= self.deepest:
            return False
        if node.listed is not None:
            return node.leads_to_folder
        if not node.stat.is_directory and not (node.leads_to_folder and "follow" in self._flags):
            return False
        top = node
        while top.above is not None:
            top = top.above
        found = self._sh.fs.stat(self._sh.path(node.path), follow=True)
        if "one_file_system" in self._flags and found.device != top.stat.device:
            return False
        if node.stat.is_link and self._leads_back(node):
            node.says = "recursive, not followed"
        return not node.says

    def _leads_back(self, node: Node) -> bool:
        """Whether a link leads to a directory that is drawn around it, or elsewhere in the tree."""
        fs, place = self._sh.fs, self._sh.path
        real = fs.resolve(place(node.path))
        top = node
        while top.above is not None:
            top = top.above
            if fs.resolve(place(top.path)) == real:
                return True
        return real.startswith(f"{fs.resolve(place(top.path)).rstrip('/')}/")

    def _inside(self, node: Node) -> list[Node]:
        """What is drawn of a directory, in order."""
        entries = self._on_disk(node) if node.listed is None else self._in_list(node)
        return self._in_order([inner for inner in entries if self._is_wanted(inner)])

    def _on_disk(self, node: Node) -> Iterator[Node]:
        """What is in a directory, but for hidden names, and those that git ignores."""
        ignoring = self.ignoring
        if ignoring is not None:
            node.rules = ignoring.rules_in(node)
        for entry in self._sh.fs.list(self._sh.path(node.path)):
            self._sh.tick()
            name, path = entry.name, join(node.path, entry.name)
            if name.startswith(".") and "all" not in self._flags:
                continue
            try:
                inner = Node(name, path, self._sh.fs.stat(self._sh.path(path)), node)
            except OSError:
                continue
            inner.leads_to_folder = inner.stat.is_directory or self._links_to_folder(inner)
            is_folder = inner.stat.is_directory
            if ignoring is None or not ignoring.leaves_out(node, name, path, is_folder):
                yield inner

    def _in_list(self, node: Node) -> Iterator[Node]:
        """What a list of paths has in a directory; only `..` counts as hidden there."""
        for name, one in node.listed.entries() if node.listed is not None else ():
            self._sh.tick()
            if name != ".." or "all" in self._flags:
                inner = Node(name, join(node.path, name), one.stat, node)
                inner.listed = one
                yield inner

    def _links_to_folder(self, node: Node) -> bool:
        if not node.stat.is_link or node.listed is not None:
            return False
        try:
            return self._sh.fs.stat(self._sh.path(node.path), follow=True).is_directory
        except OSError:
            return False

    def _is_wanted(self, node: Node) -> bool:
        name = node.name
        if any(pattern.matches(name) for pattern in self._ignored):
            return False
        is_named = any(pattern.matches(name) for pattern in self._wanted)
        if node.stat.is_directory or (node.leads_to_folder and "follow" in self._flags):
            node.is_kept |= is_named and "matchdirs" in self._flags
            return True
        if "directories" in self._flags and not node.leads_to_folder:
            return False
        return not self._wanted or is_named or (node.above is not None and node.above.is_kept)

    def _in_order(self, nodes: list[Node]) -> list[Node]:
        if self._order != "none":
            nodes.sort(key=ORDERS[self._order], reverse="reverse" in self._flags)
        if self._first is not None:
            nodes.sort(key=lambda node: node.leads_to_folder is not self._first)
        return nodes

    def _look_ahead(self, top: Node) -> None:
        """Open all directories, sum them from below, and take away those without files."""
        order, pending = [], [top]
        while pending:
            node = pending.pop()
            self._sh.tick()
            self.open(node)
            order.append(node)
            pending += node.inside or ()
        for node in reversed(order):
            if node.inside is None:
                continue
            if "du" in self._flags:
                node.size += sum(inner.size for inner in node.inside)
            if "prune" in self._flags and "directories" not in self._flags:
                node.inside = [inner for inner in node.inside if not self._is_bare(inner)]
            node.inside = self._in_order(node.inside)

    def _is_bare(self, node: Node) -> bool:
        """Whether a directory holds nothing that is drawn."""
        return node.leads_to_folder and not node.inside and not node.is_kept
