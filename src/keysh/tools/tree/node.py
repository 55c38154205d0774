"""Nodes: the files that are drawn, as a tree."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.tree.ignore_rules import IgnoreRules
    from keysh.tools.tree.listed import ListedPath
    from keysh.vfs.api import Stat


class TreeNode:
    """A file that is drawn. `inside` is None until its directory is opened.

    `says` is why a directory is not opened, `is_kept` that all files in it are drawn, `size` the
    sum of what is in it once that is asked for, `rules` what its .gitignore says. What is `listed`
    stands in a list of paths, not on a disk.
    """

    __slots__ = (
        "parent", "depth", "children", "is_kept", "leads_to_directory", "listed_path", "name", "path", "rules",
        "note", "size", "stat",
    )  # fmt: skip

    def __init__(self, name: str, path: str, stat: Stat, above: TreeNode | None) -> None:
        self.name, self.path, self.stat, self.parent = name, path, stat, above
        self.depth: int = above.depth + 1 if above else 0
        self.children: list[TreeNode] | None = None
        self.note = ""
        self.size = stat.size
        self.leads_to_directory = stat.is_directory
        self.is_kept = False
        self.rules: IgnoreRules | None = None
        self.listed_path: ListedPath | None = None
