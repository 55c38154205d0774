"""Parse bc expressions by operator precedence."""

from __future__ import annotations

import keysh.tools.bc.tree as tree
from keysh.tools.bc.arithmetic import MAX_NUMBER_DIGITS, NUMBER_TOO_LONG
from keysh.tools.bc.problem import AbandonProgram, UnexpectedToken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.bc.lexer import BcLexer

# A higher level binds tighter. The operand of `!` extends to the next logical operator.
COMPARISON_LEVEL, ASSIGNMENT_LEVEL = 4, 5
OPERATOR_LEVELS = {
    "||": 1, "&&": 2, "<": 4, ">": 4, "<=": 4, ">=": 4, "==": 4, "!=": 4, "+": 6, "-": 6, "*": 7,
    "/": 7, "%": 7, "^": 8,
}  # fmt: skip
ASSIGNMENT_OPERATORS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "^="))
SPECIAL_VARIABLE_NAMES = frozenset(("scale", "ibase", "obase", "last"))
BUILTIN_FUNCTIONS = frozenset(("length", "sqrt", "read", "random"))
EXPRESSION_STARTS = frozenset((
    "number", "name", "(", "-", "!", "++", "--", *SPECIAL_VARIABLE_NAMES, *BUILTIN_FUNCTIONS,
))  # fmt: skip
MAX_NESTING_DEPTH = 100  # of expressions and statements
QUIET_TOKENS = 3  # tokens after a syntax error within which another is not reported


class BcExpressionParser:
    """Parses expressions from the tokens of a lexer.

    `posix_mode` is "w" to warn of extensions to POSIX, "s" to reject them, or empty. `voids` says
    of each function whether it is void.
    """

    __slots__ = (
        "_is_ahead", "_lexer", "_posix_mode", "_print_message", "_quiet_tokens", "_takes_array",
        "depth", "has_errors", "kind", "voids",
    )  # fmt: skip

    def __init__(self, print_message: Callable[[str], object], posix_mode: str = "") -> None:
        self._print_message, self._posix_mode = print_message, posix_mode
        self.voids: dict[str, bool] = {}
        self.has_errors = self._is_ahead = self._takes_array = False
        self._quiet_tokens = self.depth = 0
        self.kind = ""

    def read(self, lexer: BcLexer) -> None:
        """Take tokens from this lexer."""
        self._lexer = lexer

    # ------------------------------------------------------------ tokens

    def peek(self) -> str:
        """Return the kind of the next token without taking it."""
        if not self._is_ahead:
            self.kind = self._lexer.advance()
            self._is_ahead = True
        return self.kind

    def take(self) -> str:
        """Take the next token and return its text."""
        self.peek()
        self._is_ahead = False
        if self._quiet_tokens:
            self._quiet_tokens -= 1
        return self._lexer.text

    def skip(self) -> None:
        """Drop the next token."""
        self._is_ahead = False

    def expect(self, kind: str) -> str:
        """Take a token of this kind and return its text."""
        if self.peek() != kind:
            raise self.syntax_error()
        return self.take()

    def end_recovery(self) -> None:
        """Report syntax errors again from here on."""
        self._quiet_tokens = 0

    def enter(self) -> None:
        """Count one more level of nesting."""
        self.depth += 1
        if self.depth > MAX_NESTING_DEPTH:
            raise AbandonProgram("memory exhausted")

    # ------------------------------------------------------------ messages

    def complain(self, message: str) -> None:
        """Report an error at the current line."""
        self.has_errors = True
        self._print_message(f"{self._lexer.file_name} {self._lexer.line}: {message}")

    def syntax_error(self) -> UnexpectedToken:
        """Report a syntax error at the next token and return the exception to raise."""
        self.peek()
        if not self._quiet_tokens:
            self.complain("syntax error")
        self._quiet_tokens = QUIET_TOKENS
        return UnexpectedToken()

    def warn(self, message: str) -> None:
        """Report an extension to POSIX if -w or -s asks for that."""
        if self._posix_mode == "s":
            self.complain(f"Error: {message}")
        elif self._posix_mode:
            self._print_message(f"{self._lexer.file_name} {self._lexer.line}: (Warning) {message}")

    def is_void_call(self, node: tree.Node) -> bool:
        """Return whether an expression is a call of a void function."""
        return isinstance(node, tree.Call) and node.is_void

    def require_value(self, node: tree.Node, where: str) -> tree.Node:
        """Return an expression, with an error if it has no value."""
        if self.is_void_call(node):
            self.complain(f"void expression {where}")
        return node

    # ------------------------------------------------------------ operators

    def expression(self, least: int = 1) -> tree.Node:
        """Parse operators of this level and all tighter ones."""
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
        """Parse an operand."""
        kind = self.peek()
        takes_array, self._takes_array = self._takes_array, False
        if kind == "number":
            text = self.take()
            if len(text) > MAX_NUMBER_DIGITS:
                raise AbandonProgram(NUMBER_TOO_LONG)
            return tree.Constant(text)
        if kind not in EXPRESSION_STARTS:
            raise self.syntax_error()
        self.enter()
        operand = self.compound_operand(kind, takes_array=takes_array)
        self.depth -= 1
        return operand

    def compound_operand(self, kind: str, *, takes_array: bool) -> tree.Node:
        """Parse an operand other than a number: with `takes_array`, also a whole array."""
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
        return self.modified_variable(self.variable_named(kind, name, takes_array=takes_array))

    def modified_variable(self, target: tree.Node) -> tree.Node:
        """Parse the assignment, `++` or `--` after a variable, if there is one."""
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
        """Parse a variable."""
        kind = self.peek()
        if kind != "name" and kind not in SPECIAL_VARIABLE_NAMES:
            raise self.syntax_error()
        return self.variable_named(kind, self.take())

    def variable_named(self, kind: str, name: str, *, takes_array: bool = False) -> tree.Node:
        """Parse a variable or an array element after its name."""
        if kind == "last":
            self.warn("Last variable")
        if kind != "name":
            return tree.SpecialVariable(kind)
        if len(name) > 1:
            self.warn(f"multiple letter name - {name}")
        if self.peek() != "[":
            return tree.Name(name)
        self.take()
        if takes_array and self.peek() == "]":
            self.take()
            return tree.WholeArray(name)
        index = self.require_value(self.expression(), "as subscript")
        if isinstance(index, tree.Comparison):
            self.warn("comparison in subscript")
        self.expect("]")
        return tree.Element(name, index)

    # ------------------------------------------------------------ calls

    def builtin(self, name: str) -> tree.Node:
        """Parse `(…)` after the name of a built-in function."""
        self.expect("(")
        argument = None
        if name in ("read", "random"):
            self.warn(f"{name} function")
        else:
            argument = self.require_value(self.expression(), f"in {name}()")
        self.expect(")")
        return tree.Builtin(name, argument)

    def call(self, name: str) -> tree.Node:
        """Parse `(…)` after the name of a function of the program."""
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
        """Parse an argument: an expression or an array, `name[]`."""
        self._takes_array = True
        argument = self.expression()
        self._takes_array = False
        if self.is_void_call(argument):
            self.complain("void argument")
        if isinstance(argument, tree.Comparison):
            self.warn("comparison in argument")
        return argument
