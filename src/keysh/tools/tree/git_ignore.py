"""The files that .gitignore and --gitfile exclude, as tree reads them.

A `!` pattern of one file can keep what any other file ignores.
"""

from __future__ import annotations

from keysh.tools.tree.ignore_rules import IgnoreRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.tools.tree.node import TreeNode

IGNORE_FILE_NAME = ".gitignore"


class GitIgnore:
    """The rules of all ignore files of a run."""

    __slots__ = ("_global_rules", "_ignores_case", "_sh")

    def __init__(self, sh: Call, ignore_case: bool, files: Iterable[str]) -> None:
        """`files` come from options and apply everywhere."""
        self._sh, self._ignores_case = sh, ignore_case
        self._global_rules: list[IgnoreRules] = []
        for file in files:
            rules = self._read(file, None)
            if rules is None:
                raise sh.fail("Could not load gitignore file")
            self._global_rules.append(rules)

    def load_rules(self, directory: TreeNode) -> IgnoreRules | None:
        """Return the rules of a directory; an operand may have those of its nearest parent.

        As in tree, rules from a parent of an operand only match names.
        """
        rules = self._read(f"{directory.path}/{IGNORE_FILE_NAME}", directory.path)
        if rules is not None or directory.depth:
            return rules
        parent_path = self._sh.fs.resolve(self._sh.path(directory.path))
        while rules is None and parent_path not in ("", "/"):
            parent_path = parent_path.rpartition("/")[0]
            rules = self._read(f"{parent_path}/{IGNORE_FILE_NAME}", None)
        return rules

    def _read(self, path: str, directory: str | None) -> IgnoreRules | None:
        try:
            reader = self._sh.open_reader(path)
        except OSError:
            return None
        try:
            return IgnoreRules(reader.read(), directory, self._ignores_case, self._sh.tick)
        except OSError:
            return None
        finally:
            reader.close()

    def is_ignored(self, directory: TreeNode, name: str, path: str, is_folder: bool) -> bool:
        """Whether a file in a directory is ignored."""
        files = [*enclosing_rules(directory), *self._global_rules]
        steps = [rules.steps_below(path) for rules in files]
        return any(
            rule.matches(name, below, is_folder)
            for rules, below in zip(files, steps, strict=True)
            for rule in rules.ignore_patterns
        ) and not any(
            rule.matches(name, below, is_folder)
            for rules, below in zip(files, steps, strict=True)
            for rule in rules.keep_patterns
        )


def enclosing_rules(directory: TreeNode) -> Iterator[IgnoreRules]:
    """Yield the rules of a directory and of those around it."""
    node: TreeNode | None = directory
    while node is not None:
        if node.rules is not None:
            yield node.rules
        node = node.parent
