"""The parser of awk's expressions, by precedence, from the loosest to the tightest."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.parse.lexer import BUILTINS, BadProgram, complaint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from keysh.tools.awk.parse.lexer import Token

ASSIGNMENTS = {"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "^=": "^"}
COMPARISONS = ("<", "<=", "==", "!=", ">", ">=")
# What can begin an operand of a concatenation. `+` and `-` cannot: there they are arithmetic.
OPERAND_STARTS = {
    "number", "text", "expression", "name", "call", "builtin", "getline", "$", "!", "(", "++",
    "--", "@",
}  # fmt: skip
MOST_DEPTH = 48  # of expressions and statements in each other, about what Python compiles


class ExpressionParser:
    """Reads expressions from tokens. Two signs mean something else in places:

    `greater` says that `>` compares (in `print x > file` it does not), `contains` that `in` asks
    for a key (in the head of a `for` it does not).
    """

    def __init__(self, source: str, tokens: list[Token]) -> None:
        self.source, self.tokens = source, tokens
        self.at = self.depth = 0
        self.assignable = 0  # the token where an assignment may begin
        self.greater = self.contains = True

    # ------------------------------------------------------------ tokens

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        return self.tokens[self.at].kind

    @property
    def line(self) -> int:
        """The line of the next token."""
        return self.tokens[self.at].line

    def take(self) -> Token:
        """The next token, which is then behind us."""
        token = self.tokens[self.at]
        self.at += token.kind != "end"
        return token

    def accept(self, kind: str) -> bool:
        """Whether the next token is of a kind; if so it is taken."""
        if self.kind != kind:
            return False
        self.at += 1
        return True

    def need(self, kind: str) -> Token:
        """The next token, which must be of a kind."""
        if self.kind != kind:
            self.refuse()
        return self.take()

    def skip_newlines(self) -> None:
        """Newlines where the text cannot be over."""
        while self.kind == "newline":
            self.at += 1

    def refuse(self, message: str = "") -> NoReturn:
        """Refuse the program at the next token."""
        raise self.refusal(message)

    def refusal(self, message: str = "") -> BadProgram:
        """The exception that refuses the program at the next token."""
        token = self.tokens[self.at]
        at, line = token.at, token.line
        if token.kind == "newline":  # which gawk has read, and counts
            line += 1
        elif token.kind == "end" and self.source.endswith("\n"):
            at, line = at - 1, line - 1
        if not message:
            is_over = token.kind in ("newline", "end")
            message = "unexpected newline or end of string" if is_over else "syntax error"
        return complaint(self.source, at, line, message, at)

    def forbid(self, message: str) -> NoReturn:
        """Refuse what is well-formed but means nothing where it stands."""
        raise BadProgram(f"cmd. line:{self.line}: {message}")

    def enter(self) -> None:
        """One level deeper."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            self.refuse(f"nested more than {MOST_DEPTH} deep")

    # ------------------------------------------------------------ lists

    def listed(self, end: str) -> list[tree.Node]:
        """Expressions with commas between them, up to a sign, which is taken too."""
        found: list[tree.Node] = []
        outer = self.greater, self.contains
        self.greater = self.contains = True
        while self.kind != end or found:
            found.append(self.expression())
            if self.kind == end:
                break
            self.need(",")
            self.skip_newlines()
        self.greater, self.contains = outer
        self.take()
        return found

    # ------------------------------------------------------------ operators

    def expression(self) -> tree.Node:
        """A whole expression: a condition and, behind `?`, two more."""
        self.enter()
        line = self.line
        made = self.either()
        if self.accept("?"):
            self.skip_newlines()
            yes = self.expression()
            self.need(":")
            self.skip_newlines()
            made = tree.Conditional(line, made, yes, self.expression())
        self.depth -= 1
        return made

    def either(self) -> tree.Node:
        made = self.both()
        while self.kind == "||":
            line = self.take().line
            self.skip_newlines()
            made = tree.Logical(line, made, "||", self.both())
        return made

    def both(self) -> tree.Node:
        made = self.membership()
        while self.kind == "&&":
            line = self.take().line
            self.skip_newlines()
            made = tree.Logical(line, made, "&&", self.membership())
        return made

    def membership(self) -> tree.Node:
        """`key in array`, which may be compared in turn: `1 in a == 0`, `1 in a ~ 0`."""
        made = self.matched(self.compared(self.piped()))
        while self.kind == "in" and self.contains:
            line = self.take().line
            found = tree.Contains(line, [made], self.array())
            made = self.matched(self.compared(found))
        return made

    def matched(self, made: tree.Node) -> tree.Node:
        """The matches behind an operand."""
        while self.kind in ("~", "!~"):
            token = self.take()
            right = self.compared(self.piped())
            made = tree.Match(token.line, made, right, token.kind == "!~")
        return made

    def compared(self, made: tree.Node) -> tree.Node:
        """The comparison behind an operand. It stands alone: `a < b < c` is none."""
        if self.is_at_comparison():
            token = self.take()
            made = tree.Comparison(token.line, made, token.kind, self.piped())
            if self.is_at_comparison():
                self.refuse()
        return made

    def is_at_comparison(self) -> bool:
        return self.kind in COMPARISONS and (self.kind != ">" or self.greater)

    def piped(self) -> tree.Node:
        """`"command" | getline`, as often as wanted."""
        made = self.joined()
        while self.kind in ("|", "|&") and self.tokens[self.at + 1].kind == "getline":
            kind = "command" if self.kind == "|" else "coprocess"
            self.at += 2
            made = tree.Getline(self.line, kind, made, self.optional_target())
        return made

    def joined(self) -> tree.Node:
        """Operands that stand side by side."""
        line = self.line
        self.assignable = self.at
        parts = [self.added()]
        while self.kind in OPERAND_STARTS:
            parts.append(self.added())
        return parts[0] if len(parts) == 1 else tree.Concatenation(line, parts)

    def added(self) -> tree.Node:
        made = self.multiplied()
        while self.kind in ("+", "-"):
            token = self.take()
            made = tree.Arithmetic(token.line, made, token.kind, self.multiplied())
        return made

    def multiplied(self) -> tree.Node:
        made = self.signed()
        while self.kind in ("*", "/", "%"):
            token = self.take()
            right = self.signed()
            if token.kind != "*" and constant(made) is not None and constant(right) == 0.0:
                of = " in `%'" if token.kind == "%" else ""
                says = f"error: division by zero attempted{of}"
                raise BadProgram(f"cmd. line:{token.line}: {says}")
            made = tree.Arithmetic(token.line, made, token.kind, right)
        return made

    def signed(self) -> tree.Node:
        """`-x`, `+x`, `!x`; they are looser than `^`."""
        if self.kind not in ("-", "+", "!"):
            return self.raised()
        self.enter()
        token = self.take()
        made = tree.Unary(token.line, token.kind, self.signed())
        self.depth -= 1
        return made

    def raised(self) -> tree.Node:
        """`x ^ y`, from right to left; a sign may stand before the right operand."""
        made = self.operand()
        if self.kind != "^":
            return made
        self.enter()
        line = self.take().line
        right = self.signed() if self.kind in ("-", "+", "!") else self.raised()
        self.depth -= 1
        return tree.Arithmetic(line, made, "^", right)

    # ------------------------------------------------------------ operands

    def operand(self) -> tree.Node:
        """A primary. What can be assigned to may be, where no operator stands before it, and may be
        stepped.
        """
        line = self.line
        may_be_assigned = self.at == self.assignable
        if self.kind in ("++", "--"):
            amount = 1.0 if self.take().kind == "++" else -1.0
            return tree.Step(line, self.target(), amount, True)
        made = self.primary()
        if not isinstance(made, tree.Name | tree.Element | tree.Field):
            return made
        if self.kind in ("++", "--"):
            return tree.Step(line, made, 1.0 if self.take().kind == "++" else -1.0, False)
        if self.kind in ASSIGNMENTS and may_be_assigned:
            operator = ASSIGNMENTS[self.take().kind]
            return tree.Assign(line, made, operator, self.expression())
        return made

    def primary(self) -> tree.Node:
        token = self.take()
        kind, line = token.kind, token.line
        if kind == "number":
            return tree.Number(line, token.value)
        if kind == "text":
            return tree.Text(line, token.text)
        if kind == "expression":
            return tree.Expression(line, token.text, False)
        if kind == "@":
            if self.kind == "expression":
                return tree.Expression(line, self.take().text, True)
            name = tree.Name(line, self.need("call").text)
            self.need("(")
            return tree.IndirectCall(line, name, self.listed(")"))
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
            self.need("(")
            return tree.Call(line, token.text, self.listed(")"))
        if kind == "builtin":
            return self.builtin(token)
        self.at -= kind != "end"
        raise self.refusal()

    def builtin(self, token: Token) -> tree.Node:
        """A function of the language; `length` needs no parentheses."""
        name, line = token.text, token.line
        if name == "length" and self.kind != "(":
            return tree.Builtin(line, name, [])
        self.need("(")
        arguments = self.listed(")")
        fewest, most = BUILTINS[name]
        if not fewest <= len(arguments) <= most:
            self.at -= 1
            self.refuse(f"{len(arguments)} is invalid as number of arguments for {name}")
        return tree.Builtin(line, name, arguments)

    def group(self, line: int) -> tree.Node:
        """`(x)`, or `(x, y) in array`."""
        inside = self.listed(")")
        if len(inside) == 1:
            return tree.Group(line, inside[0])
        if not inside or not self.accept("in"):
            self.refuse()
        return tree.Contains(line, inside, self.array())

    def field(self, line: int) -> tree.Node:
        """`$1`, `$NF`, `$i++` (which steps the field), `$++i`, `$-1`."""
        self.enter()
        index: tree.Node
        if self.kind in ("++", "--"):
            amount = 1.0 if self.take().kind == "++" else -1.0
            index = tree.Step(line, self.target(), amount, True)
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
            keys = self.listed("]")
            if not keys:
                self.refuse()
            made = tree.Element(line, made, keys)
        return made

    def array(self) -> tree.Name | tree.Element:
        """A name that stands for an array, behind `in` and `delete`."""
        token = self.need("name")
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


def constant(node: tree.Node) -> float | None:
    """The number that is written in a program, maybe with a sign; None for all else."""
    if isinstance(node, tree.Unary) and node.operator != "!":
        return constant(node.operand)
    return node.value if isinstance(node, tree.Number) else None
