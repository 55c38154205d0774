"""Facts: what one walk over a script gathers, to be judged when all of it has been seen."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from keysh.syntax import ast
    from keysh.syntax.node import Node


class Use:
    """A command that is called by a constant name.

    `is_tested` says that the script looks at its status, or comes to it only behind such a test.
    """

    __slots__ = ("is_tested", "name", "node")

    def __init__(self, name: str, node: ast.Simple, is_tested: bool) -> None:
        self.name, self.node, self.is_tested = name, node, is_tested


class Assignment:
    """A place where a variable gets a value.

    `kind` is "text" with the text it surely is, "array" for `( … )` and its kin, "declared" without
    a value, or "unknown". `scope` numbers the fork or function it stands in; the first is the
    script itself. `words` are those that the value is made of, one of them or all; none make a
    number, and None stands for what is not seen.
    """

    __slots__ = ("kind", "scope", "start", "text", "words")

    def __init__(
        self, kind: str, text: str, scope: int, start: int, words: Sequence[Node] | None
    ) -> None:
        self.kind, self.text, self.scope, self.start = kind, text, scope, start
        self.words = words

    @property
    def end(self) -> int:
        """Where the value ends, as far as it is seen."""
        return self.words[-1].end if self.words else self.start


class Read:
    """A place where a variable is read.

    `place` says what the value becomes there: an "argument", the command's "name", an "element" of
    a list of words, a "list", or "text". `command` is the one it is read for, if there is one.
    """

    __slots__ = ("command", "name", "node", "place", "scope")

    def __init__(
        self, name: str, node: Node, scope: int, place: str, command: ast.Simple | None
    ) -> None:
        self.name, self.node, self.scope = name, node, scope
        self.place, self.command = place, command


class Facts:
    """`enclosing[scope]` is the scope around one.

    `spared` are variables that the script knows may be unset, `asked` commands it asks the
    existence of, `redefined` names that may mean something else than they seem to. A script that
    evaluates text can define any function (`hides_commands`) and assign any variable
    (`hides_variables`); one that expands the name of what it assigns does so for sure
    (`expands_names`).
    """

    __slots__ = (
        "asked", "assigned", "enclosing", "expands_names", "functions", "hides_commands",
        "hides_variables", "is_without_globs", "reads", "redefined", "spared", "uses",
    )  # fmt: skip

    def __init__(self) -> None:
        self.uses: Final[list[Use]] = []
        self.functions: Final[dict[str, list[ast.Function]]] = {}
        self.assigned: Final[dict[str, list[Assignment]]] = {}
        self.reads: Final[list[Read]] = []
        self.enclosing: Final[list[int]] = [0]
        self.spared: Final[set[str]] = set()
        self.asked: Final[set[str]] = set()
        self.redefined: Final[set[str]] = set()
        self.hides_commands = self.hides_variables = self.expands_names = False
        self.is_without_globs = False

    def assign(
        self,
        name: str,
        kind: str,
        scope: int,
        start: int,
        text: str = "",
        words: Sequence[Node] | None = None,
    ) -> None:
        """Note an assignment."""
        made = Assignment(kind, text, scope, start, words)
        known = self.assigned.get(name)
        if known is None:
            self.assigned[name] = [made]
        else:
            known.append(made)

    def hide(self) -> None:
        """Note that something is assigned whose name is not known."""
        self.hides_variables = self.expands_names = True

    def sees(self, scope: int, other: int) -> bool:
        """Whether what is assigned in `other` is there in `scope`."""
        while scope != other:
            if not scope:
                return False
            scope = self.enclosing[scope]
        return True
