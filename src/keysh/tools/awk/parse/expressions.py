"""The parser of awk's expressions, by precedence, from the loosest to the tightest."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.parse.lexer import BUILTIN_FUNCTIONS, AwkProgramError, syntax_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from keysh.tools.awk.parse.lexer import AwkToken

ASSIGNMENT_OPERATORS = {"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "^=": "^"}
COMPARISON_OPERATORS = ("<", "<=", "==", "!=", ">", ">=")
# What can begin an operand of a concatenation. `+` and `-` cannot: there they are arithmetic.
OPERAND_STARTS = {
    "number", "string", "regex", "name", "call", "builtin", "getline", "$", "!", "(", "++",
    "--", "@",
}  # fmt: skip
MAX_NESTING_DEPTH = 48  # of expressions and statements in each other, about what Python compiles


class AwkExpressionParser:
    """Reads expressions from tokens. Two signs mean something else in places:

    `greater` says that `>` compares (in `print x > file` it does not), `contains` that `in` asks
    for a key (in the head of a `for` it does not).
    """

    def __init__(self, source: str, tokens: list[AwkToken]) -> None:
        self.source, self.tokens = source, tokens
        self.position = self.depth = 0
        self.assignable = 0  # the token where an assignment may begin
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
        """The next token, which is then behind us."""
        token = self.tokens[self.position]
        self.position += token.kind != "end"
        return token

    def accept(self, kind: str) -> bool:
        """Whether the next token is of a kind; if so it is taken."""
        if self.kind != kind:
            return False
        self.position += 1
        return True

    def expect(self, kind: str) -> AwkToken:
        """The next token, which must be of a kind."""
        if self.kind != kind:
            self.refuse()
        return self.take()

    def skip_newlines(self) -> None:
        """Newlines where the text cannot be over."""
        while self.kind == "newline":
            self.position += 1

    def refuse(self, message: str = "") -> NoReturn:
        """Refuse the program at the next token."""
        raise self.refusal(message)

    def refusal(self, message: str = "") -> AwkProgramError:
        """The exception that refuses the program at the next token."""
        token = self.tokens[self.position]
        at, line = token.start, token.line
        if token.kind == "newline":  # which gawk has read, and counts
            line += 1
        elif token.kind == "end" and self.source.endswith("\n"):
            at, line = at - 1, line - 1
        if not message:
            is_over = token.kind in ("newline", "end")
            message = "unexpected newline or end of string" if is_over else "syntax error"
        return syntax_error(self.source, at, line, message, at)

    def forbid(self, message: str) -> NoReturn:
        """Refuse what is well-formed but means nothing where it stands."""
        raise AwkProgramError(f"cmd. line:{self.line}: {message}")

    def enter(self) -> None:
        """One level deeper."""
        self.depth += 1
        if self.depth > MAX_NESTING_DEPTH:
            self.refuse(f"nested more than {MAX_NESTING_DEPTH} deep")

    # ------------------------------------------------------------ lists

    def expression_list(self, end: str) -> list[tree.Node]:
        """Expressions with commas between them, up to a sign, which is taken too."""
        found: list[tree.Node] = []
        outer = self.allows_greater, self.allows_in
        self.allows_greater = self.allows_in = True
        while self.kind != end or found:
            found.append(self.expression())
            if self.kind == end:
                break
            self.expect(",")
            self.skip_newlines()
        self.allows_greater, self.allows_in = outer
        self.take()
        return found

    # ------------------------------------------------------------ operators

    def expression(self) -> tree.Node:
        """A whole expression: a condition and, behind `?`, two more."""
        self.enter()
        line = self.line
        made = self.logical_or()
        if self.accept("?"):
            self.skip_newlines()
            yes = self.expression()
            self.expect(":")
            self.skip_newlines()
            made = tree.Conditional(line, made, yes, self.expression())
        self.depth -= 1
        return made

    def logical_or(self) -> tree.Node:
        made = self.logical_and()
        while self.kind == "||":
            line = self.take().line
            self.skip_newlines()
            made = tree.Logical(line, made, "||", self.logical_and())
        return made

    def logical_and(self) -> tree.Node:
        made = self.membership()
        while self.kind == "&&":
            line = self.take().line
            self.skip_newlines()
            made = tree.Logical(line, made, "&&", self.membership())
        return made

    def membership(self) -> tree.Node:
        """`key in array`, which may be compared in turn: `1 in a == 0`, `1 in a ~ 0`."""
        made = self.match_tail(self.comparison_tail(self.piped_getline()))
        while self.kind == "in" and self.allows_in:
            line = self.take().line
            found = tree.Membership(line, [made], self.array())
            made = self.match_tail(self.comparison_tail(found))
        return made

    def match_tail(self, made: tree.Node) -> tree.Node:
        """The matches behind an operand."""
        while self.kind in ("~", "!~"):
            token = self.take()
            right = self.comparison_tail(self.piped_getline())
            made = tree.Match(token.line, made, right, token.kind == "!~")
        return made

    def comparison_tail(self, made: tree.Node) -> tree.Node:
        """The comparison behind an operand. It stands alone: `a < b < c` is none."""
        if self.is_at_comparison():
            token = self.take()
            made = tree.Comparison(token.line, made, token.kind, self.piped_getline())
            if self.is_at_comparison():
                self.refuse()
        return made

    def is_at_comparison(self) -> bool:
        return self.kind in COMPARISON_OPERATORS and (self.kind != ">" or self.allows_greater)

    def piped_getline(self) -> tree.Node:
        """`"command" | getline`, as often as wanted."""
        made = self.concatenation()
        while self.kind in ("|", "|&") and self.tokens[self.position + 1].kind == "getline":
            kind = "command" if self.kind == "|" else "coprocess"
            self.position += 2
            made = tree.Getline(self.line, kind, made, self.optional_target())
        return made

    def concatenation(self) -> tree.Node:
        """Operands that stand side by side."""
        line = self.line
        self.assignable = self.position
        parts = [self.additive()]
        while self.kind in OPERAND_STARTS:
            parts.append(self.additive())
        return parts[0] if len(parts) == 1 else tree.Concatenation(line, parts)

    def additive(self) -> tree.Node:
        made = self.multiplicative()
        while self.kind in ("+", "-"):
            token = self.take()
            made = tree.Arithmetic(token.line, made, token.kind, self.multiplicative())
        return made

    def multiplicative(self) -> tree.Node:
        made = self.unary()
        while self.kind in ("*", "/", "%"):
            token = self.take()
            right = self.unary()
            if (
                token.kind != "*"
                and constant_value(made) is not None
                and constant_value(right) == 0.0
            ):
                of = " in `%'" if token.kind == "%" else ""
                says = f"error: division by zero attempted{of}"
                raise AwkProgramError(f"cmd. line:{token.line}: {says}")
            made = tree.Arithmetic(token.line, made, token.kind, right)
        return made

    def unary(self) -> tree.Node:
        """`-x`, `+x`, `!x`; they are looser than `^`."""
        if self.kind not in ("-", "+", "!"):
            return self.power()
        self.enter()
        token = self.take()
        made = tree.Unary(token.line, token.kind, self.unary())
        self.depth -= 1
        return made

    def power(self) -> tree.Node:
        """`x ^ y`, from right to left; a sign may stand before the right operand."""
        made = self.operand()
        if self.kind != "^":
            return made
        self.enter()
        line = self.take().line
        right = self.unary() if self.kind in ("-", "+", "!") else self.power()
        self.depth -= 1
        return tree.Arithmetic(line, made, "^", right)

    # ------------------------------------------------------------ operands

    def operand(self) -> tree.Node:
        """A primary. What can be assigned to may be, where no operator stands before it, and may be
        stepped.
        """
        line = self.line
        may_be_assigned = self.position == self.assignable
        if self.kind in ("++", "--"):
            amount = 1.0 if self.take().kind == "++" else -1.0
            return tree.Increment(line, self.target(), amount, True)
        made = self.primary()
        if not isinstance(made, tree.Name | tree.Element | tree.Field):
            return made
        if self.kind in ("++", "--"):
            return tree.Increment(line, made, 1.0 if self.take().kind == "++" else -1.0, False)
        if self.kind in ASSIGNMENT_OPERATORS and may_be_assigned:
            operator = ASSIGNMENT_OPERATORS[self.take().kind]
            return tree.Assign(line, made, operator, self.expression())
        return made

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
        """A function of the language; `length` needs no parentheses."""
        name, line = token.text, token.line
        if name == "length" and self.kind != "(":
            return tree.Builtin(line, name, [])
        self.expect("(")
        arguments = self.expression_list(")")
        fewest, most = BUILTIN_FUNCTIONS[name]
        if not fewest <= len(arguments) <= most:
            self.position -= 1
            self.refuse(f"{len(arguments)} is invalid as number of arguments for {name}")
        return tree.Builtin(line, name, arguments)

    def group(self, line: int) -> tree.Node:
        """`(x)`, or `(x, y) in array`."""
        inside = self.expression_list(")")
        if len(inside) == 1:
            return tree.Group(line, inside[0])
        if not inside or not self.accept("in"):
            self.refuse()
        return tree.Membership(line, inside, self.array())

    def field(self, line: int) -> tree.Node:
        """`$1`, `$NF`, `$i++` (which steps the field), `$++i`, `$-1`."""
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

    def element(self, made: tree.Name | tree.Element) -> tree.Name | tree.Element:
        """The subscripts behind a name."""
        while self.kind == "[":
            line = self.take().line
            keys = self.expression_list("]")
            if not keys:
                self.refuse()
            made = tree.Element(line, made, keys)
        return made

    def array(self) -> tree.Name | tree.Element:
        """A name that stands for an array, behind `in` and `delete`."""
        token = self.expect("name")
        return self.element(tree.Name(token.line, token.text))

    def target(self) -> tree.Node:
        """What is assigned to."""
        made = self.optional_target()
        if made is None:
            self.refuse()
        return made

    def optional_target(self) -> tree.Node | None:
        """What is assigned to, if there is anything like it."""
        line = self.line
        if self.accept("$"):
            return self.field(line)
        return self.array() if self.kind == "name" else None

    def operand_of_redirection(self) -> tree.Node:
        """The file of `getline < file`, which ends before the next operator."""
        return self.primary()


def constant_value(node: tree.Node) -> float | None:
    """The number that is written in a program, maybe with a sign; None for all else."""
    if isinstance(node, tree.Unary) and node.operator != "!":
        return constant_value(node.operand)
    return node.value if isinstance(node, tree.Number) else None
