"""The parser of expressions: operators by their strength, and what stands between them."""

from __future__ import annotations

import keysh.tools.bc.tree as tree
from keysh.tools.bc.arithmetic import MAX_NUMBER_DIGITS, NUMBER_TOO_LONG
from keysh.tools.bc.problem import AbandonProgram, UnexpectedToken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.bc.lexer import BcLexer

# From the weakest to the strongest; `!` takes all that is stronger than a logical operator.
COMPARISON_LEVEL, ASSIGNMENT_LEVEL = 4, 5
OPERATOR_LEVELS = {
    "||": 1, "&&": 2, "<": 4, ">": 4, "<=": 4, ">=": 4, "==": 4, "!=": 4, "+": 6, "-": 6, "*": 7,
    "/": 7, "%": 7, "^": 8,
}  # fmt: skip
ASSIGNMENT_OPERATORS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "^="))
SPECIAL_VARIABLE_NAMES = frozenset(("scale", "ibase", "obase", "last"))
BUILTIN_FUNCTIONS = frozenset(("length", "sqrt", "read", "random"))
EXPRESSION_STARTS = (
    frozenset(("number", "name", "(", "-", "!", "++", "--")) | SPECIAL_VARIABLE_NAMES | BUILTIN_FUNCTIONS
)  # fmt: skip
MAX_NESTING_DEPTH = 100  # expressions and statements inside each other
QUIET_TOKENS = 3  # tokens behind an error until the next one is told


class BcExpressionParser:
    """Reads expressions of the tokens of a lexer.

    `tell` prints a message; `manner` is w to be told of what POSIX has not, s where that is an
    error. `voids` knows of each function whether it gives back nothing.
    """

    __slots__ = ("_is_ahead", "_lexer", "_posix_mode", "_quiet_tokens", "_takes_whole", "_print_message", "depth",
                 "has_errors", "kind", "voids")  # fmt: skip

    def __init__(self, tell: Callable[[str], object], manner: str = "") -> None:
        self._print_message, self._posix_mode = tell, manner
        self.voids: dict[str, bool] = {}
        self.has_errors = self._is_ahead = self._takes_whole = False
        self._quiet_tokens = self.depth = 0
        self.kind = ""

    def read(self, lexer: BcLexer) -> None:
        """Take tokens from here."""
        self._lexer = lexer

    # ------------------------------------------------------------ tokens

    def peek(self) -> str:
        """The kind of the next token, which is read if it is not yet."""
        if not self._is_ahead:
            self.kind = self._lexer.advance()
            self._is_ahead = True
        return self.kind

    def take(self) -> str:
        """Take the next token; its text."""
        self.peek()
        self._is_ahead = False
        if self._quiet_tokens:
            self._quiet_tokens -= 1
        return self._lexer.text

    def skip(self) -> None:
        """Leave out the next token."""
        self._is_ahead = False

    def expect(self, kind: str) -> str:
        """Take a token of this kind; its text."""
        if self.peek() != kind:
            raise self.syntax_error()
        return self.take()

    def end_recovery(self) -> None:
        """What is wrong from here on is told again."""
        self._quiet_tokens = 0

    def enter(self) -> None:
        """One level deeper."""
        self.depth += 1
        if self.depth > MAX_NESTING_DEPTH:
            raise AbandonProgram("memory exhausted")

    # ------------------------------------------------------------ messages

    def complain(self, message: str) -> None:
        """Tell of an error."""
        self.has_errors = True
        self._print_message(f"{self._lexer.file_name} {self._lexer.line}: {message}")

    def syntax_error(self) -> UnexpectedToken:
        """The next token is wrong."""
        self.peek()
        if not self._quiet_tokens:
            self.complain("syntax error")
        self._quiet_tokens = QUIET_TOKENS
        return UnexpectedToken()

    def warn(self, message: str) -> None:
        """Tell of what POSIX has not, where that is asked for."""
        if self._posix_mode == "s":
            self.complain(f"Error: {message}")
        elif self._posix_mode:
            self._print_message(f"{self._lexer.file_name} {self._lexer.line}: (Warning) {message}")

    def is_void_call(self, node: tree.Node) -> bool:
        """Whether an expression has no value."""
        return isinstance(node, tree.Call) and node.is_void

    def require_value(self, node: tree.Node, where: str) -> tree.Node:
        """An expression that must have a value."""
        if self.is_void_call(node):
            self.complain(f"void expression {where}")
        return node

    # ------------------------------------------------------------ operators

    def expression(self, least: int = 1) -> tree.Node:
        """Operators of a level and all stronger ones."""
        left = self.operand()
        while not isinstance(left, tree.WholeArray):
            operator = self.peek()
            level = OPERATOR_LEVELS.get(operator, 0)
            if level < least or not level:
                return left
            self.take()
            if level > COMPARISON_LEVEL:
                self.enter()
                right = self.expression(level if operator == "^" else level + 1)
                self.depth -= 1
                for side in (left, right):
                    if self.is_void_call(side):
                        self.complain(f"void expression with {operator}")
                        break
                left = tree.Arithmetic(operator, left, right)
            elif level == COMPARISON_LEVEL:
                left = self.comparison(operator, left)
            else:
                left = self.logical(operator, level, left)
        return left

    def comparison(self, operator: str, left: tree.Node) -> tree.Node:
        right = self.expression(COMPARISON_LEVEL + 1)
        if self.is_void_call(left) or self.is_void_call(right):
            self.complain("void expression with comparison")
        return tree.Comparison(operator, left, right)

    def logical(self, operator: str, level: int, left: tree.Node) -> tree.Node:
        self.warn(f"{operator} operator")
        right = self.expression(level + 1)
        if self.is_void_call(left) or self.is_void_call(right):
            self.complain(f"void expression with {operator}")
        return tree.Logical(operator, left, right)

    def operand(self) -> tree.Node:
        """What an operator stands before or behind."""
        kind = self.peek()
        takes_whole, self._takes_whole = self._takes_whole, False
        if kind == "number":
            text = self.take()
            if len(text) > MAX_NUMBER_DIGITS:
                raise AbandonProgram(NUMBER_TOO_LONG)
            return tree.Constant(text)
        if kind not in EXPRESSION_STARTS:
            raise self.syntax_error()
        self.enter()
        found = self.compound_operand(kind, takes_whole=takes_whole)
        self.depth -= 1
        return found

    def compound_operand(self, kind: str, *, takes_whole: bool) -> tree.Node:
        """An operand that is more than a number; it may be a whole array where one is taken."""
        if kind == "(":
            self.take()
            inner = self.expression()
            self.expect(")")
            return tree.Group(self.require_value(inner, "in parenthesis"))
        if kind == "-":
            self.take()
            return tree.Negation(self.require_value(self.operand(), "with unary -"))
        if kind == "!":
            self.take()
            inner = self.expression(COMPARISON_LEVEL)
            self.warn("! operator")
            return tree.Not(self.require_value(inner, "with !"))
        if kind in ("++", "--"):
            self.take()
            return tree.Increment(self.variable(), kind[0], True)
        if kind in BUILTIN_FUNCTIONS:
            return self.builtin(self.take())
        name = self.take()
        if kind == "scale" and self.peek() == "(":
            return self.builtin(name)
        if kind == "name" and self.peek() == "(":
            return self.call(name)
        return self.modified_variable(self.variable_named(kind, name, takes_whole=takes_whole))

    def modified_variable(self, target: tree.Node) -> tree.Node:
        """A variable, and what may be done to it."""
        kind = self.peek()
        if isinstance(target, tree.WholeArray):
            return target
        if kind in ASSIGNMENT_OPERATORS:
            self.take()
            value = self.expression(ASSIGNMENT_LEVEL)
            if self.is_void_call(value):
                self.complain("Assignment of a void expression")
            return tree.Assign(target, kind[:-1], value)
        if kind in ("++", "--"):
            self.take()
            return tree.Increment(target, kind[0], False)
        return target

    def variable(self) -> tree.Node:
        """A variable."""
        kind = self.peek()
        if kind != "name" and kind not in SPECIAL_VARIABLE_NAMES:
            raise self.syntax_error()
        return self.variable_named(kind, self.take())

    def variable_named(self, kind: str, name: str, *, takes_whole: bool = False) -> tree.Node:
        """The variable of a name that is read, or the element of an array."""
        if kind == "last":
            self.warn("Last variable")
        if kind != "name":
            return tree.SpecialVariable(kind)
        if len(name) > 1:
            self.warn(f"multiple letter name - {name}")
        if self.peek() != "[":
            return tree.Name(name)
        self.take()
        if takes_whole and self.peek() == "]":
            self.take()
            return tree.WholeArray(name)
        index = self.require_value(self.expression(), "as subscript")
        if isinstance(index, tree.Comparison):
            self.warn("comparison in subscript")
        self.expect("]")
        return tree.Element(name, index)

    # ------------------------------------------------------------ calls

    def builtin(self, name: str) -> tree.Node:
        """`name(…)` of a function that is always there."""
        self.expect("(")
        argument = None
        if name in ("read", "random"):
            self.warn(f"{name} function")
        else:
            argument = self.require_value(self.expression(), f"in {name}()")
        self.expect(")")
        return tree.Builtin(name, argument)

    def call(self, name: str) -> tree.Node:
        """`name(…)`"""
        if len(name) > 1:
            self.warn(f"multiple letter name - {name}")
        self.take()
        arguments: list[tree.Node] = []
        if self.peek() != ")":
            arguments.append(self.argument())
            while self.peek() == ",":
                self.take()
                arguments.append(self.argument())
        self.expect(")")
        return tree.Call(name, arguments, self.voids.get(name, False))

    def argument(self) -> tree.Node:
        """An expression, or an array: `name[]`."""
        self._takes_whole = True
        found = self.expression()
        self._takes_whole = False
        if self.is_void_call(found):
            self.complain("void argument")
        if isinstance(found, tree.Comparison):
            self.warn("comparison in argument")
        return found
