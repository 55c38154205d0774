"""Generate code that makes one text of several, and asks for the limit of a value before.

The question costs about 30 ns for each part, so code goes without where texts cannot grow: where
they are numbers, short constants and fields. The fields of a record that does not change are
together no longer than the record.
"""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.parse.effects import has_effects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from keysh.tools.awk.parse.names import NameAnalysis

    MakeCode = Callable[[list[str]], str]

    class TextCoder(Protocol):
        """What the parts of a text ask of the coder of expressions."""

        names: NameAnalysis
        scope: str
        is_fast: bool
        needs_output_text: bool

        def temporary(self) -> str: ...


MAX_SHORT_CONSTANT = 256  # characters
MAX_UNASKED_RECORDS = 2  # a text made of parts no longer than these is not asked about
UNBOUNDED = MAX_UNASKED_RECORDS + 1


class TextPart:
    """The code of a text. `records` bounds its length, by the length of the record.

    `field` is the number of a field, -1 for other parts; `is_constant` says that it is a name in
    the table of constants; `has_effects` that its order matters.
    """

    __slots__ = ("code", "field", "has_effects", "is_constant", "records")

    def __init__(self, code: str, records: int, *, is_constant: bool = False) -> None:
        self.code, self.records, self.is_constant = code, records, is_constant
        self.field, self.has_effects = -1, False


def text_part(coder: TextCoder, node: tree.Node, code: str) -> TextPart:
    """Return the part for an expression whose text has this code."""
    while isinstance(node, tree.Group):
        node = node.inner
    if isinstance(node, tree.String):
        return constant_part(code, node.value)
    if isinstance(node, tree.Number):
        return TextPart(code, 0)
    part = TextPart(code, UNBOUNDED)
    part.has_effects = has_effects(node)
    if coder.names.kind(coder.scope, node) == "number" and not coder.needs_output_text:
        part.records = 0
    elif isinstance(node, tree.Field) and coder.is_fast:
        part.records = 1
        if isinstance(node.index, tree.Number):
            part.field = int(node.index.value)
    return part


def constant_part(code: str, value: str) -> TextPart:
    """Return the part for a constant."""
    is_short = len(value) <= MAX_SHORT_CONSTANT and value.isascii()
    return TextPart(code, 0 if is_short else UNBOUNDED, is_constant=True)


def records_of(parts: Sequence[TextPart]) -> int:
    """Return how many records the parts may be as long as together."""
    fields = {part.field for part in parts if part.field > 0}
    others = sum(part.records for part in parts if part.field <= 0)
    repeated = sum(part.field > 0 for part in parts) - len(fields)
    return others + repeated + bool(fields)


def joined_code(
    coder: TextCoder, parts: Sequence[TextPart], make: MakeCode, make_large: MakeCode
) -> str:
    """Return `make` of the parts' codes, or a choice between that and `make_large` by the size."""
    if records_of(parts) <= MAX_UNASKED_RECORDS:
        return make([part.code for part in parts])
    are_ordered = any(part.has_effects for part in parts)
    names: list[str] = []
    lengths: list[str] = []
    for part in parts:
        name, first = part.code, part.code
        if not part.is_constant and (are_ordered or not name.isidentifier()):
            name = coder.temporary()
            first = f"({name} := {part.code})"
        if part.records or not part.is_constant:
            lengths.append(f"len({first})")
        names.append(name)
    return f"({make(names)} if {' + '.join(lengths)} <= free else {make_large(names)})"


def concatenation_code(codes: list[str]) -> str:
    """Return the code that concatenates texts."""
    if len(codes) == 1:
        return codes[0]
    if len(codes) > 6:
        return f"EMPTY.join(({', '.join(codes)}))"
    return f"({' + '.join(codes)})"


def checked_code(codes: list[str]) -> str:
    """Return the code that concatenates texts that may be large."""
    return f"m.join({', '.join(codes)})"


def fstring_code(codes: list[str]) -> str:
    """Return the code of a concatenation. An f-string is the fastest way to join a few texts."""
    if any("'" in code for code in codes) or len(codes) > 20:
        return f"EMPTY.join(({', '.join(codes)}))"
    return "f'" + "".join(f"{{{code}}}" for code in codes) + "'"
