"""Generate the code that splits records into fields."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.generate.statements import AwkStatementCoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.awk.generate.table import ConstantTable
    from keysh.tools.awk.parse.names import NameAnalysis


class RecordCoder(AwkStatementCoder):
    """Generates the splitting of records that the program never changes, in `line` and `F`."""

    def __init__(
        self, names: NameAnalysis, table: ConstantTable, *, is_fast: bool, is_pulled: bool
    ) -> None:
        super().__init__(names, table, is_fast=is_fast, is_pulled=is_pulled)
        self.max_field = self.highest_field()
        self.is_split = False  # whether `F` is known to hold the fields of `line`

    def emit_chunk_setup(self) -> None:
        """Write the choices that depend on the text that the next records are from."""
        self.emit(f"split_line, delimiter = m.record_splitter({self.max_field})")
        self.emit("is_ascii, is_digits = m.is_ascii, m.is_digits")

    def split_if_needed(self) -> None:
        """Write the code that splits the record unless it is split."""
        self.emit(f"if F is None: F = {self.split_code()}")

    def split_code(self) -> str:
        """Return the code that splits the record."""
        return f"split_line(line, delimiter, {self.max_field})"

    def needs_fields_first(self, rule: tree.Rule) -> bool:
        """Return whether a rule uses fields even if its pattern does not match."""
        if not self.is_fast:
            return False
        parts = [rule.pattern, rule.last] if rule.pattern is not None else [rule.action]
        return any(self.uses_fields(part) for part in parts if part is not None)

    def uses_fields(self, part: tree.Node) -> bool:
        """Return whether the code of a part refers to `F`."""
        return self.is_fast and any(
            (isinstance(node, tree.Field) and not is_record(node))
            or (isinstance(node, tree.Name) and node.name == "NF")
            for node in part.walk()
        )

    def highest_field(self) -> int:
        """Return the highest field number that the program uses, -1 if that is unknown."""
        highest = 0
        for node in self.names.program.walk():
            if isinstance(node, tree.Name) and node.name == "NF":
                return -1
            if isinstance(node, tree.Field):
                index = node.index
                if not isinstance(index, tree.Number) or not index.value.is_integer():
                    return -1
                highest = max(highest, int(index.value))
        return highest if highest < 1000 else -1

    def uses_fields_at_all(self) -> bool:
        return self.uses_fields(self.names.program)


def is_record(node: tree.Field) -> bool:
    """Return whether a field is $0."""
    return isinstance(node.index, tree.Number) and node.index.value == 0
