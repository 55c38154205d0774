"""Generate the code of conditions: comparisons, matches and logical operators."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.generate.code import AwkExpressionCoder, as_value, digits_test
from keysh.tools.awk.parse.effects import has_effects


class ConditionCoder(AwkExpressionCoder):
    """Generates conditions."""

    def negation(self, node: tree.Unary) -> str:
        return f"(not {self.truth(node.operand)})"

    def logical(self, node: tree.Logical) -> str:
        """Return the code of `a && b && c` without redundant parentheses."""
        parts = [node.right]
        left: tree.Node = node.left
        while isinstance(left, tree.Logical) and left.operator == node.operator:
            parts.append(left.right)
            left = left.left
        parts.append(left)
        word = " and " if node.operator == "&&" else " or "
        return f"({word.join(self.truth(part) for part in reversed(parts))})"

    def membership(self, node: tree.Membership) -> str:
        return f"({self.key(node.keys)} in {self.array(node.array)})"

    def record_match(self, node: tree.RegexLiteral) -> str:
        return self.match_code("line" if self.is_fast else "rec.whole()", node)

    def match(self, node: tree.Match) -> str:
        text, pattern = node.text, node.pattern
        is_ordered = has_effects(text) or has_effects(pattern)
        if is_ordered and self.constant_pattern(pattern) is None:
            name = self.temporary()
            code = f"(({name} := {self.text(text)}), {self.regex(pattern)}.is_in({name}, tick))[1]"
        else:
            code = self.match_code(self.text(text), pattern)
        return f"(not {code})" if node.is_negated else code

    def match_code(self, text: str, pattern: tree.Node) -> str:
        """Return the code that tests whether a text matches."""
        constant = self.constant_pattern(pattern)
        if constant is None:
            return f"{self.regex(pattern)}.is_in({text}, tick)"
        return self.table.test_code(self.constant_regex(constant, pattern), text)

    def constant_pattern(self, node: tree.Node) -> str | None:
        """Return the pattern of a node if it is a constant."""
        while isinstance(node, tree.Group):
            node = node.inner
        if self.names.is_dynamic:
            return None
        if isinstance(node, tree.RegexLiteral):
            return node.pattern
        return node.value if isinstance(node, tree.String) else None

    def constant_regex(self, pattern: str, node: tree.Node) -> str:
        """Return the generated name of a constant pattern."""
        is_text = isinstance(node, tree.String)
        return self.table.regex(pattern, node.line, *(["fatal: invalid regexp"] if is_text else []))

    def regex(self, node: tree.Node) -> str:
        """Return the code of a regular expression as an argument."""
        constant = self.constant_pattern(node)
        if constant is not None:
            return self.constant_regex(constant, node)
        if isinstance(node, tree.RegexLiteral):
            return f"m.regex({self.table.text(node.pattern)})"
        return f"m.regex({self.value(node)})"

    def compared_number(self, node: tree.Node) -> str:
        """Return the code of a number to compare with a number. NF need not become a float."""
        is_count = self.is_fast and isinstance(node, tree.Name) and node.name == "NF"
        return "len(F)" if is_count else self.number(node)

    def comparison(self, node: tree.Comparison) -> str:
        operator = node.operator
        left = self.names.kind(self.scope, node.left)
        right = self.names.kind(self.scope, node.right)
        if left == right == "number":
            return (
                f"({self.compared_number(node.left)} {operator} {self.compared_number(node.right)})"
            )
        if self.names.compares_by_machine:
            return f"(m.compare({self.value(node.left)}, {self.value(node.right)}) {operator} 0)"
        if "text" in (left, right):
            return f"({self.text(node.left)} {operator} {self.text(node.right)})"
        first, second = self.code(node.left)[1], self.value(node.right)
        if self.is_fast and left == "field" and right == "number" and is_repeatable(second):
            name, code = self.bind_once(first)
            is_plain = digits_test(name).replace(name, code, 1)
            exact = f"compare_input({name}, {second}) {operator} 0"
            return f"(float({name}) {operator} {second} if {is_plain} else {exact})"
        if left == "any" and right == "number" and is_repeatable(second):
            name, code = self.bind_once(first)
            exact = f"compare({name}, {second}) {operator} 0"
            return f"({name} {operator} {second} if {code}.__class__ is float else {exact})"
        return f"(compare({as_value(left, first)}, {second}) {operator} 0)"


def is_repeatable(code: str) -> bool:
    """Return whether code is cheap and pure, so it may occur twice: a name or a number."""
    return code.replace(".", "").replace("_", "").strip("(-)").isalnum()
