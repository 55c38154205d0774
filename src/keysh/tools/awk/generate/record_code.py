"""The Python code that splits the record, where a program asks for its fields."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.generate.statements import AwkStatementCoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.awk.generate.table import ConstantTable
    from keysh.tools.awk.parse.names import NameAnalysis


class RecordCoder(AwkStatementCoder):
    """Writes the splitting of records that are never changed: those stand in `line` and `F`."""

    def __init__(
        self, names: NameAnalysis, table: ConstantTable, *, is_fast: bool, is_pulled: bool
    ) -> None:
        super().__init__(names, table, is_fast=is_fast, is_pulled=is_pulled)
        self.max_field = self.highest_field()
        self.is_split = False  # whether `F` surely has the fields of `line`

    def emit_chunk_setup(self) -> None:
        """What depends on the text that the next records are from."""
        self.emit(f"split_line, delimiter = m.record_splitter({self.max_field})")
        self.emit("is_ascii, is_digits = m.is_ascii, m.is_digits")

    def split_if_needed(self) -> None:
        """Split the record, if nothing has done so."""
        self.emit(f"if F is None: F = {self.split_code()}")

    def split_code(self) -> str:
        """The code that splits the record."""
        return f"split_line(line, delimiter, {self.max_field})"

    def needs_fields_first(self, rule: tree.Rule) -> bool:
        """Whether a rule needs the fields whatever its pattern says."""
        if not self.is_fast:
            return False
        parts = [rule.pattern, rule.last] if rule.pattern is not None else [rule.action]
        return any(self.uses_fields(part) for part in parts if part is not None)

    def uses_fields(self, part: tree.Node) -> bool:
        """Whether code of a part names `F`."""
        return self.is_fast and any(
            (isinstance(node, tree.Field) and not is_record(node))
            or (isinstance(node, tree.Name) and node.name == "NF")
            for node in part.walk()
        )

    def highest_field(self) -> int:
        """How many fields the program can ask for; -1 where nobody knows."""
        most = 0
        for node in self.names.program.walk():
            if isinstance(node, tree.Name) and node.name == "NF":
                return -1
            if isinstance(node, tree.Field):
                index = node.index
                if not isinstance(index, tree.Number) or not index.value.is_integer():
                    return -1
                most = max(most, int(index.value))
        return most if most < 1000 else -1

    def uses_fields_at_all(self) -> bool:
        return self.uses_fields(self.names.program)


def is_record(node: tree.Field) -> bool:
    """Whether a field is $0."""
    return isinstance(node.index, tree.Number) and node.index.value == 0
