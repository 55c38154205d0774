"""Parse awk expressions, from the loosest operator to the tightest."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.parse.lexer import BUILTIN_FUNCTIONS, AwkProgramError, syntax_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from keysh.tools.awk.parse.lexer import AwkToken

ASSIGNMENT_OPERATORS = {"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "^=": "^"}
COMPARISON_OPERATORS = ("<", "<=", "==", "!=", ">", ">=")
# Tokens that can begin an operand of a concatenation. `+` and `-` are binary operators there.
OPERAND_STARTS = {
    "number", "string", "regex", "name", "call", "builtin", "getline", "$", "!", "(", "++",
    "--", "@",
}  # fmt: skip
MAX_NESTING_DEPTH = 48  # of expressions and statements; Python's compiler allows little more


class AwkExpressionParser:
    """Parses expressions from tokens. Two operators depend on the context.

    `allows_greater` says that `>` compares (in `print x > file` it redirects), `allows_in` that
    `in` tests for a key (in the head of a `for` it does not).
    """

    def __init__(self, source: str, tokens: list[AwkToken]) -> None:
        self.source, self.tokens = source, tokens
        self.position = self.depth = 0
        self.assignable = 0  # the position of the token where an assignment may begin
        self.allows_greater = self.allows_in = True

    # ------------------------------------------------------------ tokens

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        return self.tokens[self.position].kind

    @property
    def line(self) -> int:
        """The line of the next token."""
        return self.tokens[self.position].line

    def take(self) -> AwkToken:
        """Take the next token."""
        token = self.tokens[self.position]
        self.position += token.kind != "end"
        return token

    def accept(self, kind: str) -> bool:
        """Take the next token if it is of this kind, and return whether it is."""
        if self.kind != kind:
            return False
        self.position += 1
        return True

    def expect(self, kind: str) -> AwkToken:
        """Take the next token, which must be of this kind."""
        if self.kind != kind:
            self.refuse()
        return self.take()

    def skip_newlines(self) -> None:
        """Skip newlines where the program cannot end."""
        while self.kind == "newline":
            self.position += 1

    def refuse(self, message: str = "") -> NoReturn:
        """Raise a syntax error at the next token."""
        raise self.refusal(message)

    def refusal(self, message: str = "") -> AwkProgramError:
        """Return the exception for a syntax error at the next token."""
        token = self.tokens[self.position]
        position, line = token.start, token.line
        if token.kind == "newline":  # gawk has read it and counts it
            line += 1
        elif token.kind == "end" and self.source.endswith("\n"):
            position, line = position - 1, line - 1
        if not message:
            is_over = token.kind in ("newline", "end")
            message = "unexpected newline or end of string" if is_over else "syntax error"
        return syntax_error(self.source, position, line, message, position)

    def forbid(self, message: str) -> NoReturn:
        """Raise an error for valid syntax that is not allowed here."""
        raise AwkProgramError(f"cmd. line:{self.line}: {message}")

    def enter(self) -> None:
        """Count one more level of nesting."""
        self.depth += 1
        if self.depth > MAX_NESTING_DEPTH:
            self.refuse(f"nested more than {MAX_NESTING_DEPTH} deep")

    # ------------------------------------------------------------ lists

    def expression_list(self, closing: str) -> list[tree.Node]:
        """Parse expressions separated by commas, through the token `closing`."""
        expressions: list[tree.Node] = []
        outer = self.allows_greater, self.allows_in
        self.allows_greater = self.allows_in = True
        while self.kind != closing or expressions:
            expressions.append(self.expression())
            if self.kind == closing:
                break
            self.expect(",")
            self.skip_newlines()
        self.allows_greater, self.allows_in = outer
        self.take()
        return expressions

    # ------------------------------------------------------------ operators

    def expression(self) -> tree.Node:
        """Parse an expression, which may be `condition ? yes : no`."""
        self.enter()
        line = self.line
        node = self.logical_or()
        if self.accept("?"):
            self.skip_newlines()
            yes = self.expression()
            self.expect(":")
            self.skip_newlines()
            node = tree.Conditional(line, node, yes, self.expression())
        self.depth -= 1
        return node

    def logical_or(self) -> tree.Node:
        node = self.logical_and()
        while self.kind == "||":
            line = self.take().line
            self.skip_newlines()
            node = tree.Logical(line, node, "||", self.logical_and())
        return node

    def logical_and(self) -> tree.Node:
        node = self.membership()
        while self.kind == "&&":
            line = self.take().line
            self.skip_newlines()
            node = tree.Logical(line, node, "&&", self.membership())
        return node

    def membership(self) -> tree.Node:
        """Parse `key in array`, which may be compared in turn: `1 in a == 0`, `1 in a ~ 0`."""
        node = self.match_tail(self.comparison_tail(self.piped_getline()))
        while self.kind == "in" and self.allows_in:
            line = self.take().line
            contains = tree.Membership(line, [node], self.array())
            node = self.match_tail(self.comparison_tail(contains))
        return node

    def match_tail(self, node: tree.Node) -> tree.Node:
        """Parse any `~` and `!~` after an operand."""
        while self.kind in ("~", "!~"):
            token = self.take()
            right = self.comparison_tail(self.piped_getline())
            node = tree.Match(token.line, node, right, token.kind == "!~")
        return node

    def comparison_tail(self, node: tree.Node) -> tree.Node:
        """Parse a comparison after an operand. `a < b < c` is a syntax error."""
        if self.is_at_comparison():
            token = self.take()
            node = tree.Comparison(token.line, node, token.kind, self.piped_getline())
            if self.is_at_comparison():
                self.refuse()
        return node

    def is_at_comparison(self) -> bool:
        return self.kind in COMPARISON_OPERATORS and (self.kind != ">" or self.allows_greater)

    def piped_getline(self) -> tree.Node:
        """Parse an operand and any `| getline` after it."""
        node = self.concatenation()
        while self.kind in ("|", "|&") and self.tokens[self.position + 1].kind == "getline":
            kind = "command" if self.kind == "|" else "coprocess"
            self.position += 2
            node = tree.Getline(self.line, kind, node, self.optional_target())
        return node

    def concatenation(self) -> tree.Node:
        """Parse operands written side by side."""
        line = self.line
        self.assignable = self.position
        parts = [self.additive()]
        while self.kind in OPERAND_STARTS:
            parts.append(self.additive())
        return parts[0] if len(parts) == 1 else tree.Concatenation(line, parts)

    def additive(self) -> tree.Node:
        node = self.multiplicative()
        while self.kind in ("+", "-"):
            token = self.take()
            node = tree.Arithmetic(token.line, node, token.kind, self.multiplicative())
        return node

    def multiplicative(self) -> tree.Node:
        node = self.unary()
        while self.kind in ("*", "/", "%"):
            token = self.take()
            right = self.unary()
            if (
                token.kind != "*"
                and constant_value(node) is not None
                and constant_value(right) == 0.0
            ):
                of = " in `%'" if token.kind == "%" else ""
                message = f"error: division by zero attempted{of}"
                raise AwkProgramError(f"cmd. line:{token.line}: {message}")
            node = tree.Arithmetic(token.line, node, token.kind, right)
        return node

    def unary(self) -> tree.Node:
        """Parse `-x`, `+x` or `!x`, which bind looser than `^`."""
        if self.kind not in ("-", "+", "!"):
            return self.power()
        self.enter()
        token = self.take()
        node = tree.Unary(token.line, token.kind, self.unary())
        self.depth -= 1
        return node

    def power(self) -> tree.Node:
        """Parse `x ^ y`, right to left. The right operand may have a sign."""
        node = self.operand()
        if self.kind != "^":
            return node
        self.enter()
        line = self.take().line
        right = self.unary() if self.kind in ("-", "+", "!") else self.power()
        self.depth -= 1
        return tree.Arithmetic(line, node, "^", right)

    # ------------------------------------------------------------ operands

    def operand(self) -> tree.Node:
        """Parse a primary with `++` or `--`, or an assignment if no operator precedes it."""
        line = self.line
        may_be_assigned = self.position == self.assignable
        if self.kind in ("++", "--"):
            amount = 1.0 if self.take().kind == "++" else -1.0
            return tree.Increment(line, self.target(), amount, True)
        node = self.primary()
        if not isinstance(node, tree.Name | tree.Element | tree.Field):
            return node
        if self.kind in ("++", "--"):
            return tree.Increment(line, node, 1.0 if self.take().kind == "++" else -1.0, False)
        if self.kind in ASSIGNMENT_OPERATORS and may_be_assigned:
            operator = ASSIGNMENT_OPERATORS[self.take().kind]
            return tree.Assign(line, node, operator, self.expression())
        return node

    def primary(self) -> tree.Node:
        token = self.take()
        kind, line = token.kind, token.line
        if kind == "number":
            return tree.Number(line, token.value)
        if kind == "string":
            return tree.String(line, token.text)
        if kind == "regex":
            return tree.RegexLiteral(line, token.text, False)
        if kind == "@":
            if self.kind == "regex":
                return tree.RegexLiteral(line, self.take().text, True)
            name = tree.Name(line, self.expect("call").text)
            self.expect("(")
            return tree.IndirectCall(line, name, self.expression_list(")"))
        if kind == "name":
            return self.element(tree.Name(line, token.text))
        if kind == "$":
            return self.field(line)
        if kind == "(":
            return self.group(line)
        if kind == "getline":
            target = self.optional_target()
            if self.accept("<"):
                return tree.Getline(line, "file", self.operand_of_redirection(), target)
            return tree.Getline(line, "main", None, target)
        if kind == "call":
            self.expect("(")
            return tree.Call(line, token.text, self.expression_list(")"))
        if kind == "builtin":
            return self.builtin(token)
        self.position -= kind != "end"
        raise self.refusal()

    def builtin(self, token: AwkToken) -> tree.Node:
        """Parse a call of a built-in function. `length` needs no parentheses."""
        name, line = token.text, token.line
        if name == "length" and self.kind != "(":
            return tree.Builtin(line, name, [])
        self.expect("(")
        arguments = self.expression_list(")")
        min_count, max_count = BUILTIN_FUNCTIONS[name]
        if not min_count <= len(arguments) <= max_count:
            self.position -= 1
            self.refuse(f"{len(arguments)} is invalid as number of arguments for {name}")
        return tree.Builtin(line, name, arguments)

    def group(self, line: int) -> tree.Node:
        """Parse `(x)` or `(x, y) in array`."""
        inside = self.expression_list(")")
        if len(inside) == 1:
            return tree.Group(line, inside[0])
        if not inside or not self.accept("in"):
            self.refuse()
        return tree.Membership(line, inside, self.array())

    def field(self, line: int) -> tree.Node:
        """Parse `$1`, `$NF`, `$i++` (which increments the field), `$++i` or `$-1`."""
        self.enter()
        index: tree.Node
        if self.kind in ("++", "--"):
            amount = 1.0 if self.take().kind == "++" else -1.0
            index = tree.Increment(line, self.target(), amount, True)
        elif self.kind in ("-", "+", "!"):
            token = self.take()
            index = tree.Unary(line, token.kind, self.primary())
        else:
            index = self.primary()
        self.depth -= 1
        return tree.Field(line, index)

    def element(self, node: tree.Name | tree.Element) -> tree.Name | tree.Element:
        """Parse the subscripts after a name."""
        while self.kind == "[":
            line = self.take().line
            keys = self.expression_list("]")
            if not keys:
                self.refuse()
            node = tree.Element(line, node, keys)
        return node

    def array(self) -> tree.Name | tree.Element:
        """Parse the name of an array, after `in` or `delete`."""
        token = self.expect("name")
        return self.element(tree.Name(token.line, token.text))

    def target(self) -> tree.Node:
        """Parse the target of an assignment."""
        node = self.optional_target()
        if node is None:
            self.refuse()
        return node

    def optional_target(self) -> tree.Node | None:
        """Parse the target of an assignment, if there is one."""
        line = self.line
        if self.accept("$"):
            return self.field(line)
        return self.array() if self.kind == "name" else None

    def operand_of_redirection(self) -> tree.Node:
        """Parse the file of `getline < file`, which ends before the next operator."""
        return self.primary()


def constant_value(node: tree.Node) -> float | None:
    """Return the value of a number constant, without its sign; None for other nodes."""
    if isinstance(node, tree.Unary) and node.operator != "!":
        return constant_value(node.operand)
    return node.value if isinstance(node, tree.Number) else None
