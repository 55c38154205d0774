"""Facts: what the walk over a script gathers for the rules."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from keysh.syntax import ast
    from keysh.syntax.node import Node


# A variable with more assignments is not judged.
MAX_TRACKED_ASSIGNMENTS = 50


class CommandUse:
    """A command called by a constant name.

    With `is_tested` the script tests its status, or runs it only after a test of one.
    """

    __slots__ = ("is_tested", "name", "node")

    def __init__(self, name: str, node: ast.Simple, is_tested: bool) -> None:
        self.name, self.node, self.is_tested = name, node, is_tested


class Assignment:
    """A place where a variable is assigned.

    kind    "text": exactly `text`; "part": contains `text`; "added": `text` is appended; "joined":
            `"$*"` or the like; "array"; "declared": without a value; "unknown"
    scope   the number of its function or fork; 0 is the script itself
    region  the number of its ScriptRegion
    words   the words that make up the value; () for a number, None if unknown
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
        """Where the value ends, as far as it is known."""
        return self.words[-1].end if self.words else self.start


class VariableRead:
    """A place where a variable is read.

    role        what the value becomes: an "argument", a command's "name", a "piece" of a word, an
                "element" of a list of words, a "list", or "text"
    command     the command whose word it is in, if any
    shown_node  the whole of `${x:-w}`, for messages
    """

    __slots__ = ("command", "name", "node", "role", "region", "scope", "shown_node", "start")

    def __init__(
        self,
        name: str,
        node: Node,
        scope: int,
        region: int,
        role: str,
        command: ast.Simple | None,
        shown_node: Node,
    ) -> None:
        self.name, self.node, self.start, self.shown_node = name, node, node.start, shown_node
        self.scope, self.region = scope, region
        self.role, self.command = role, command


class UnquotedExpansion:
    """An unquoted expansion among arguments that sh would split, whatever a variable holds.

    `text` is the script's own text, as in `${x:-text}`; None for a number.
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
    """A part of a script that may be skipped (unless it `is_certain`) or run again (`repeats`)."""

    __slots__ = ("around", "is_certain", "repeats", "start")

    def __init__(self, around: int, start: int, *, repeats: bool, is_certain: bool) -> None:
        self.around, self.start = around, start
        self.repeats, self.is_certain = repeats, is_certain


class Facts:
    """What a script does.

    enclosing_scopes        the scope around each scope
    fork_scopes             scopes whose assignments end with them; the others are functions
    region                  the region that the walk is in
    possibly_unset          variables that the script expects to be unset or empty
    probed_commands         commands whose existence the script tests
    changed_options         options that the script has turned on or off
    integer_variables       variables of `declare -i`
    redefined_names         commands that may have another meaning than their own
    hides_commands          the script runs code that may define any function
    hides_variables         the script runs code that may assign any variable
    assigns_expanded_names  the script assigns a variable whose name it expands
    """

    __slots__ = (
        "assignments", "assigns_expanded_names", "changed_options", "command_uses",
        "enclosing_scopes", "expansions", "fork_scopes", "functions", "has_noglob",
        "hides_commands", "hides_variables", "integer_variables", "possibly_unset",
        "probed_commands", "reads", "redefined_names", "region", "regions",
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

    def enter_region(self, start: int, *, repeats: bool = False, is_certain: bool = False) -> int:
        """Enter a new region; return the outer one, to be restored at its end."""
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
        assignment = Assignment(kind, text, scope, self.region, start, words)
        known = self.assignments.get(name)
        if known is None:
            self.assignments[name] = [assignment]
        else:
            known.append(assignment)

    def note_unknown_assignment(self) -> None:
        """Note an assignment to a variable of unknown name."""
        self.hides_variables = self.assigns_expanded_names = True

    def is_declared(self, command: str) -> bool:
        """Whether a command is a function with declared parameters, which no other shell has."""
        functions = self.functions.get(command, ())
        return any(function.parameters is not None for function in functions)

    def is_visible(self, scope: int, other: int) -> bool:
        """Whether an assignment in the scope `other` is visible in `scope`."""
        while scope != other:
            if not scope:
                return False
            scope = self.enclosing_scopes[scope]
        return True
