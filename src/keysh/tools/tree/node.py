"""The nodes of the tree that is printed."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.tree.ignore_rules import IgnoreRules
    from keysh.tools.tree.listed_paths import ListedPath
    from keysh.vfs.api import Stat


class TreeNode:
    """A file in the tree; `children` is None until its directory is opened.

    `note` says why a directory is not opened. `is_kept` keeps all files in it. `size` becomes the
    total of its contents with --du. `rules` are those of its .gitignore. `listed_path` is set for
    paths that come from a list.
    """

    __slots__ = (
        "children", "depth", "is_kept", "leads_to_directory", "listed_path", "name", "note",
        "parent", "path", "rules", "size", "stat",
    )  # fmt: skip

    def __init__(self, name: str, path: str, stat: Stat, parent: TreeNode | None) -> None:
        self.name, self.path, self.stat, self.parent = name, path, stat, parent
        self.depth: int = parent.depth + 1 if parent else 0
        self.children: list[TreeNode] | None = None
        self.note = ""
        self.size = stat.size
        self.leads_to_directory = stat.is_directory
        self.is_kept = False
        self.rules: IgnoreRules | None = None
        self.listed_path: ListedPath | None = None
