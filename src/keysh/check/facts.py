"""Facts: what one walk over a script gathers, to be judged when all of it has been seen."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from keysh.syntax import ast
    from keysh.syntax.node import Node


MAX_TRACKED_ASSIGNMENTS = (
    50  # assignments of one variable that are judged; with more it is left alone
)


class CommandUse:
    """A command that is called by a constant name.

    `is_tested` says that the script looks at its status, or comes to it only behind such a test.
    """

    __slots__ = ("is_tested", "name", "node")

    def __init__(self, name: str, node: ast.Simple, is_tested: bool) -> None:
        self.name, self.node, self.is_tested = name, node, is_tested


class Assignment:
    """A place where a variable gets a value.

    `kind` is "text" with the text it surely is, "part" with a text that it holds, "added" with one
    that is put behind what is there, "joined" for `"$*"` and its kin, "array" for `( … )` and its
    kin, "declared" without a value, or "unknown". `scope` numbers the fork or function it stands
    in, the first being the script itself, and `region` what may run never, or again. `words` are
    those that the value is made of, one of them or all; none make a number, and None stands for
    what is not seen.
    """

    __slots__ = ("kind", "region", "scope", "start", "text", "words")

    def __init__(
        self,
        kind: str,
        text: str,
        scope: int,
        region: int,
        start: int,
        words: Sequence[Node] | None,
    ) -> None:
        self.kind, self.text, self.words = kind, text, words
        self.scope, self.region, self.start = scope, region, start

    @property
    def end(self) -> int:
        """Where the value ends, as far as it is seen."""
        return self.words[-1].end if self.words else self.start


class VariableRead:
    """A place where a variable is read.

    `place` says what the value becomes there: an "argument", the command's "name", a "piece" of
    one, an "element" of a list of words, a "list", or "text". `command` is the one it is read for,
    if there is one, and `shown` the whole of `${x:-w}`.
    """

    __slots__ = ("command", "name", "node", "role", "region", "scope", "shown_node", "start")

    def __init__(
        self,
        name: str,
        node: Node,
        scope: int,
        region: int,
        place: str,
        command: ast.Simple | None,
        shown: Node,
    ) -> None:
        self.name, self.node, self.start, self.shown_node = name, node, node.start, shown
        self.scope, self.region = scope, region
        self.role, self.command = place, command


class UnquotedExpansion:
    """An unquoted expansion among arguments that sh would split without looking at a variable.

    `text` is what the script itself puts into it, as in `${x:-text}`; None where it is a number.
    """

    __slots__ = ("command", "node", "region", "scope", "start", "text")

    def __init__(
        self,
        node: Node,
        scope: int,
        region: int,
        text: str | None,
        command: ast.Simple | None,
    ) -> None:
        self.node, self.start, self.text = node, node.start, text
        self.scope, self.region, self.command = scope, region, command


class ScriptRegion:
    """A part of a script that may run never, unless it `is_certain`, or again if it `repeats`."""

    __slots__ = ("around", "is_certain", "repeats", "start")

    def __init__(self, around: int, start: int, *, repeats: bool, is_certain: bool) -> None:
        self.around, self.start = around, start
        self.repeats, self.is_certain = repeats, is_certain


class Facts:
    """`enclosing[scope]` is the scope around one; those in `forks` keep what they assign, the
    others are functions. `region` is where the walk is.

    `spared` are variables that the script knows may be unset, `asked` commands it asks the
    existence of, `chosen` options that it has turned on or off, `numbers` variables that compute
    what they are assigned, as behind `declare -i`, `redefined` names that may mean something else
    than they seem to. A script that evaluates text can define any function (`hides_commands`) and
    assign any variable (`hides_variables`); one that expands the name of what it assigns does so
    for sure (`expands_names`).
    """

    __slots__ = (
        "probed_commands", "assignments", "changed_options", "enclosing_scopes", "assigns_expanded_names", "expansions", "fork_scopes",
        "functions", "has_extglob", "hides_commands", "hides_variables", "has_noglob",
        "integer_variables", "reads", "redefined_names", "region", "regions", "possibly_unset", "command_uses",
    )  # fmt: skip

    def __init__(self) -> None:
        self.command_uses: Final[list[CommandUse]] = []
        self.functions: Final[dict[str, list[ast.Function]]] = {}
        self.assignments: Final[dict[str, list[Assignment]]] = {}
        self.reads: Final[list[VariableRead]] = []
        self.expansions: Final[list[UnquotedExpansion]] = []
        self.enclosing_scopes: Final[list[int]] = [0]
        self.fork_scopes: Final[set[int]] = set()
        self.regions: Final[list[ScriptRegion]] = [
            ScriptRegion(0, 0, repeats=False, is_certain=False)
        ]
        self.region = 0
        self.possibly_unset: Final[set[str]] = set()
        self.probed_commands: Final[set[str]] = set()
        self.changed_options: Final[set[str]] = set()
        self.integer_variables: Final[set[str]] = set()
        self.redefined_names: Final[set[str]] = set()
        self.hides_commands = self.hides_variables = self.assigns_expanded_names = False
        self.has_noglob = False
        self.has_extglob = False  # whether `shopt -s extglob` has been seen

    def enter_region(self, start: int, *, repeats: bool = False, is_certain: bool = False) -> int:
        """The walk comes to a region; the one around, to which it is to return."""
        around, self.region = self.region, len(self.regions)
        self.regions.append(ScriptRegion(around, start, repeats=repeats, is_certain=is_certain))
        return around

    def add_assignment(
        self,
        name: str,
        kind: str,
        scope: int,
        start: int,
        text: str = "",
        words: Sequence[Node] | None = None,
    ) -> None:
        """Note an assignment."""
        made = Assignment(kind, text, scope, self.region, start, words)
        known = self.assignments.get(name)
        if known is None:
            self.assignments[name] = [made]
        else:
            known.append(made)

    def note_unknown_assignment(self) -> None:
        """Note that something is assigned whose name is not known."""
        self.hides_variables = self.assigns_expanded_names = True

    def is_declared(self, command: str) -> bool:
        """Whether a command is a function with declared parameters, which no other shell has."""
        functions = self.functions.get(command, ())
        return any(function.parameters is not None for function in functions)

    def is_visible(self, scope: int, other: int) -> bool:
        """Whether what is assigned in `other` is there in `scope`."""
        while scope != other:
            if not scope:
                return False
            scope = self.enclosing_scopes[scope]
        return True
