"""Word analysis: whether a word may become several, and what its command uses its words for."""

from __future__ import annotations

from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.diagnostics.dialect import Dialect
    from keysh.syntax.node import Node


def all_mark(part: Node) -> str:
    """`@` or `*` where a part expands to all elements of something; else empty."""
    if isinstance(part, ast.Variable):
        return part.name if part.name in ("@", "*") else ""
    if isinstance(part, ast.NamesOf):
        return part.mark
    if isinstance(part, ast.Expand) and part.operator.endswith("+"):
        return "@" if reference_all_mark(part.reference) == "@" else operand_all_mark(part)
    if isinstance(part, ast.Expand | ast.Replace | ast.Slice):
        return reference_all_mark(part.reference) or operand_all_mark(part)
    return ""


def reference_all_mark(reference: ast.Reference) -> str:
    """`@` or `*` where a reference means all elements: `xs[@]`, `*`; else empty."""
    for subscript in reference.subscripts:
        if isinstance(subscript, ast.AllSubscript):
            return subscript.mark
    return reference.name if reference.name in ("@", "*") else ""


def operand_all_mark(part: Node) -> str:
    """The mark of the operand that may replace a variable, as in `${1+"$@"}`."""
    if not isinstance(part, ast.Expand) or part.operator.lstrip(":") not in ("-", "+"):
        return ""
    parts = flattened_parts(part.operand.parts) if part.operand is not None else []
    if len(parts) == 1:
        return all_mark(parts[0])
    return "@" if any(all_mark(one) == "@" for one in parts) else ""


def flattened_parts(parts: Sequence[Node]) -> list[Node]:
    """The parts of a word, with double quotes replaced by the parts inside them."""
    flat: list[Node] = []
    for part in parts:
        flat += part.parts if isinstance(part, ast.DoubleQuoted) else [part]
    return flat


def stands_for_all(part: Node) -> bool:
    """Whether a part expands to all elements of something."""
    return all_mark(part) != ""


def is_indirect(part: Node) -> bool:
    """Whether a part is `${!r}`, which may be all elements of something."""
    return (
        isinstance(part, ast.Expand | ast.Replace | ast.Slice)
        and part.indirect
        and not all_mark(part)
    )


def has_glob(parts: Sequence[Node]) -> bool:
    """Whether a word contains an unquoted wildcard."""
    return any(isinstance(part, ast.Glob | ast.ExtendedGlob) for part in parts)


def has_braces(word: ast.Word) -> bool:
    """Whether a word contains braces."""
    return any(isinstance(part, ast.Brace | ast.BraceRange) for part in word.parts)


# ---------------------------------------------------------------- what a command's words are for

# Purposes of commands that no other shell has, where an unquoted value is one word for certain.
OWN_PURPOSES = ("values", "own")
OWN_COMMANDS = ("fromjson", "fromjsonl", "lines", "push", "spawn", "words")
# Purposes that make a list; there sh would split an unquoted value.
LIST_PURPOSES = ("items", "array", "arguments")
JOINING_COMMANDS = ("echo", "eval")
VALUE_COMMANDS = ("keys", "tojson", "tojsonl", "typeof", "values")


# In bash `name=value` is an assignment only as an argument of these; elsewhere it is a word.
DECLARATION_COMMANDS = ("alias", "declare", "export", "local", "readonly", "typeset")


def words_purpose(name: str | None, dialect: Dialect) -> str:
    """What a command uses its words for. `set` makes a list, where sh would split words."""
    if not dialect.has_literals and name in DECLARATION_COMMANDS:
        return "declaration"
    if name in VALUE_COMMANDS:
        return "values"
    if name in OWN_COMMANDS:
        return "own"
    if name in JOINING_COMMANDS:
        return "joined"
    if name == "let":
        return "arithmetic"
    return "arguments" if name == "set" else "command"


# ---------------------------------------------------------------- what a command contains


def holds_substitution(node: ast.Simple) -> bool:
    """Whether a command contains a `$(…)`, whose status may become the command's own."""
    return any(isinstance(inner, ast.Substitution) for inner in node.walk())


def holds_process_substitution(node: ast.Simple) -> bool:
    """Whether a word of a command is or contains `<(…)` or `>(…)`."""
    return any(
        isinstance(part, ast.ProcessSubstitution)
        for argument in node.arguments
        if isinstance(argument, ast.Word)
        for part in argument.parts
    )
