"""Select, sort and limit the files of the tree."""

from __future__ import annotations

from keysh.gnu.version_order import digit_key
from keysh.text.chunks import bytes_of_text
from keysh.text.dates.calendar import SECOND_NANOSECONDS
from keysh.text.pattern import name_matcher
from keysh.tools.tree.listed_paths import ListedPath, parse_path_list
from keysh.tools.tree.node import TreeNode
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.text.pattern import NameMatcher
    from keysh.tools.tree.git_ignore import GitIgnore

SORT_KEYS: dict[str, Callable[[TreeNode], Any]] = {
    "name": lambda node: bytes_of_text(node.name),
    "version": lambda node: digit_key(bytes_of_text(node.name)),
    "size": lambda node: (-node.size, bytes_of_text(node.name)),
    "mtime": lambda node: (node.stat.modified // SECOND_NANOSECONDS, bytes_of_text(node.name)),
    "ctime": lambda node: (node.stat.changed // SECOND_NANOSECONDS, bytes_of_text(node.name)),
}


class TreeSelection:
    """The choices of the options."""

    __slots__ = (
        "_directories_first", "_flags", "_ignored_names", "_order", "_sh", "_wanted_names",
        "git_ignore", "max_depth", "max_entries",
    )  # fmt: skip

    def __init__(self, sh: Call, flags: frozenset[str]) -> None:
        self._sh, self._flags = sh, flags
        self._order = ""
        self._directories_first: bool | None = None  # directories before files, or after them
        self._ignored_names: list[NameMatcher] = []
        self._wanted_names: list[NameMatcher] = []
        self.max_depth: int | None = None
        self.max_entries: int | None = None  # of a directory to open
        self.git_ignore: GitIgnore | None = None

    def set_order(self, named: str | None) -> None:
        """Set the order: the last option counts."""
        letters = {"by_time": "mtime", "by_change": "ctime", "by_version": "version",
                   "unsorted": "none"}  # fmt: skip
        self._order = "name"
        for name, value in self._sh.given:
            if name in ("dirsfirst", "filesfirst") and value:
                self._directories_first = name == "dirsfirst"
            if name in letters and value:
                self._order = letters[name]
            elif name == "sort":
                self._order = named or "name"

    def set_patterns(self, names: list[str] | None, ignored: list[str] | None) -> None:
        """Set the patterns; `|` separates alternatives."""
        ignore_case = "ignore_case" in self._flags

        def alternatives(patterns: list[str] | None) -> list[NameMatcher]:
            texts = [text for pattern_text in patterns or () for text in pattern_text.split("|")]
            return [name_matcher(text, self._sh.tick, ignore_case=ignore_case) for text in texts]

        self._wanted_names, self._ignored_names = alternatives(names), alternatives(ignored)

    @property
    def needs_lookahead(self) -> bool:
        """Whether a directory is printed only after all its contents are known."""
        return "prune" in self._flags or "du" in self._flags

    def open_operand(self, path: str) -> TreeNode | None:
        """Return the node of an operand; None if it does not exist."""
        fs, path_of = self._sh.fs, self._sh.path
        try:
            node = TreeNode(path, path, fs.stat(path_of(path)), None)
        except OSError:
            return None
        if "fromfile" in self._flags:
            try:
                node.listed_path = self._list_in(path)
            except OSError:
                return None
        node.leads_to_directory = (
            node.stat.is_directory or node.listed_path is not None or self._links_to_directory(node)
        )
        if node.leads_to_directory:
            self.open(node)
        if node.children is None and not node.note:
            node.note = "error opening dir"
        if self.needs_lookahead and node.children is not None:
            self._look_ahead(node)
        return node

    def _list_in(self, path: str) -> ListedPath:
        """Read paths from a file or from standard input; a directory yields none."""
        has_links = "fflinks" in self._flags
        if path == ".":
            return parse_path_list(self._sh.stdin.lines(), self._sh.tick, has_links=has_links)
        try:
            reader = self._sh.open_reader(path)
        except IsADirectoryError:
            return parse_path_list((), self._sh.tick, has_links=False)
        try:
            return parse_path_list(reader.lines(), self._sh.tick, has_links=has_links)
        finally:
            reader.close()

    def open(self, node: TreeNode) -> None:
        """Read a directory, unless it is too deep, too large or a loop."""
        if node.children is not None or node.note or not self._may_open(node):
            return
        try:
            children = self._selected_children(node)
        except OSError:
            self._sh.status = 2
            node.note = "error opening dir"
            return
        if (
            self.max_entries is not None
            and len(children) > self.max_entries > 0
            and node.listed_path is None
        ):
            node.note = f"{len(children)} entries exceeds filelimit, not opening dir"
            return
        node.children = children

    def _may_open(self, node: TreeNode) -> bool:
        if not node.depth:
            return True
        if self.max_depth is not None and node.depth >= self.max_depth:
            return False
        if node.listed_path is not None:
            return node.leads_to_directory
        if not node.stat.is_directory and not (node.leads_to_directory and "follow" in self._flags):
            return False
        root = node
        while root.parent is not None:
            root = root.parent
        stat = self._sh.fs.stat(self._sh.path(node.path), follow=True)
        if "one_file_system" in self._flags and stat.device != root.stat.device:
            return False
        if node.stat.is_link and self._is_recursive(node):
            node.note = "recursive, not followed"
        return not node.note

    def _is_recursive(self, node: TreeNode) -> bool:
        """Whether a link leads to a directory around it, or elsewhere into the tree."""
        fs, path_of = self._sh.fs, self._sh.path
        real_path = fs.resolve(path_of(node.path))
        root = node
        while root.parent is not None:
            root = root.parent
            if fs.resolve(path_of(root.path)) == real_path:
                return True
        return real_path.startswith(f"{fs.resolve(path_of(root.path)).rstrip('/')}/")

    def _selected_children(self, node: TreeNode) -> list[TreeNode]:
        """Return the selected children of a directory, sorted."""
        entries = (
            self._disk_children(node) if node.listed_path is None else self._listed_children(node)
        )
        return self._sort([child for child in entries if self._is_wanted(child)])

    def _disk_children(self, node: TreeNode) -> Iterator[TreeNode]:
        """Yield the entries of a directory that are neither hidden nor ignored by git."""
        ignoring = self.git_ignore
        if ignoring is not None:
            node.rules = ignoring.load_rules(node)
        for entry in self._sh.fs.list(self._sh.path(node.path)):
            self._sh.tick()
            name, path = entry.name, join(node.path, entry.name)
            if name.startswith(".") and "all" not in self._flags:
                continue
            try:
                child = TreeNode(name, path, self._sh.fs.stat(self._sh.path(path)), node)
            except OSError:
                continue
            child.leads_to_directory = child.stat.is_directory or self._links_to_directory(child)
            is_folder = child.stat.is_directory
            if ignoring is None or not ignoring.is_ignored(node, name, path, is_folder):
                yield child

    def _listed_children(self, node: TreeNode) -> Iterator[TreeNode]:
        """Yield the children of a listed path; only `..` counts as hidden."""
        for name, listed_path in node.listed_path.entries() if node.listed_path is not None else ():
            self._sh.tick()
            if name != ".." or "all" in self._flags:
                child = TreeNode(name, join(node.path, name), listed_path.stat, node)
                child.listed_path = listed_path
                yield child

    def _links_to_directory(self, node: TreeNode) -> bool:
        if not node.stat.is_link or node.listed_path is not None:
            return False
        try:
            return self._sh.fs.stat(self._sh.path(node.path), follow=True).is_directory
        except OSError:
            return False

    def _is_wanted(self, node: TreeNode) -> bool:
        name = node.name
        if any(matches(name) for matches in self._ignored_names):
            return False
        is_named = any(matches(name) for matches in self._wanted_names)
        if node.stat.is_directory or (node.leads_to_directory and "follow" in self._flags):
            node.is_kept |= is_named and "matchdirs" in self._flags
            return True
        if "directories" in self._flags and not node.leads_to_directory:
            return False
        return (
            not self._wanted_names or is_named or (node.parent is not None and node.parent.is_kept)
        )

    def _sort(self, nodes: list[TreeNode]) -> list[TreeNode]:
        if self._order != "none":
            nodes.sort(key=SORT_KEYS[self._order], reverse="reverse" in self._flags)
        if self._directories_first is not None:
            nodes.sort(key=lambda node: node.leads_to_directory is not self._directories_first)
        return nodes

    def _look_ahead(self, root: TreeNode) -> None:
        """Open all directories, sum their sizes from below, and prune empty ones."""
        order, pending = [], [root]
        while pending:
            node = pending.pop()
            self._sh.tick()
            self.open(node)
            order.append(node)
            pending += node.children or ()
        for node in reversed(order):
            if node.children is None:
                continue
            if "du" in self._flags:
                node.size += sum(child.size for child in node.children)
            if "prune" in self._flags and "directories" not in self._flags:
                node.children = [child for child in node.children if not self._is_empty(child)]
            node.children = self._sort(node.children)

    def _is_empty(self, node: TreeNode) -> bool:
        """Whether a directory contains nothing to print."""
        return node.leads_to_directory and not node.children and not node.is_kept
