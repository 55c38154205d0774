"""The parser: tokens become items, one at a time, each to be run before the next is read.

    item      : [statement] (";" [statement])* NEWLINE | function
    function  : "define" ["void"] NAME "(" … ")" [NEWLINE] "{" [NEWLINE…] ["auto" …] list "}"
    statement : expression | STRING | "{" list "}" | "if" … | "while" … | "for" … | …
    list      : [statement] ((";" | NEWLINE) [statement])*

Behind a token that cannot stand where it does the list goes on at the next one that can begin a
statement; what is wrong again before three tokens were right is not told. An item with anything
wrong in it does not run.
"""

from __future__ import annotations

import keysh.tools.bc.tree as tree
from keysh.tools.bc.expression_parser import EXPRESSION_STARTS, BcExpressionParser
from keysh.tools.bc.problem import AbandonProgram, HaltProgram, UnexpectedToken

STATEMENT_PARSERS = {
    "string": "text", "{": "block", "if": "condition", "while": "while_loop", "for": "for_loop",
    "break": "leave", "continue": "resume", "return": "give_back", "print": "show", "halt": "halt",
    "quit": "quit", "limits": "notice", "warranty": "notice",
}  # fmt: skip
STATEMENT_STARTS = frozenset(STATEMENT_PARSERS) | EXPRESSION_STARTS

MAX_ITEM_STATEMENTS = 200_000  # of an item


class BcParser(BcExpressionParser):
    """Reads one item after the other."""

    __slots__ = ("_in_function", "_is_void", "_loops", "_statements")

    def next_item(self) -> tree.Item | tree.Function | None:
        """The next item; None at the end. `is_wrong` says that it cannot be run."""
        self.has_errors = False
        self.depth = self._loops = self._statements = 0
        self._in_function = self._is_void = False
        if self.peek() == "end":
            return None
        body: list[tree.Node] = []
        has_one = False
        if self.peek() == "define":
            try:
                return self.function_definition()
            except UnexpectedToken:
                self._in_function = False
                has_one = self.recover(body, is_first=True)
        self.statement_list(body, has_one=has_one)
        return tree.Item(body)

    # ------------------------------------------------------------ lists of statements

    def statement_list(
        self, body: list[tree.Node], end: str = "newline", *, has_one: bool = False
    ) -> None:
        """Read statements up to an end, which is read too; one may be there already."""
        is_outer = end == "newline"
        is_first = is_outer  # whether an error here may skip all up to the newline
        depth, loops = self.depth, self._loops
        while True:
            try:
                if not has_one and self.peek() in STATEMENT_STARTS:
                    statement = self.statement()
                    self._statements += 1
                    if self._statements > MAX_ITEM_STATEMENTS:
                        raise AbandonProgram("Program too big.")
                    is_first = is_outer
                    body.append(statement)
                has_one = False
                if self.peek() == end:
                    self.take()
                    return
                if self.kind != ";" and (is_outer or self.kind != "newline"):
                    raise self.syntax_error()
                self.take()
                is_first = False
            except UnexpectedToken:
                self.depth, self._loops = depth, loops
                has_one = self.recover(body, is_first=is_first)

    def recover(self, body: list[tree.Node], *, is_first: bool) -> bool:
        """Go on behind what is wrong: with a statement, or with the newline that ends it all."""
        while True:
            kind = self.peek()
            if kind == "end":
                raise AbandonProgram
            if kind == "newline" and is_first:
                self.end_recovery()
                return False
            if kind not in STATEMENT_STARTS:
                self.skip()
                continue
            try:
                body.append(self.statement())
            except UnexpectedToken:
                continue
            return True

    # ------------------------------------------------------------ statements

    def statement(self) -> tree.Node:
        """One statement."""
        read = STATEMENT_PARSERS.get(self.peek())
        if read is None:
            return self.expression_statement()
        self.enter()
        found: tree.Node = getattr(self, read)(self.take())
        self.depth -= 1
        return found

    def expression_statement(self) -> tree.Node:
        expression = self.expression()
        if isinstance(expression, tree.Comparison):
            self.warn("comparison in expression")
        return tree.ExpressionStatement(expression, self.prints_value(expression))

    def prints_value(self, expression: tree.Node) -> bool:
        """Whether the value of an expression is printed, where it is a statement."""
        while isinstance(expression, tree.Negation | tree.Not):
            expression = expression.operand
        return not (isinstance(expression, tree.Assign) or self.is_void_call(expression))

    def text(self, text: str) -> tree.Node:
        return tree.String(text)

    def block(self, _: str) -> tree.Node:
        body: list[tree.Node] = []
        self.statement_list(body, "}")
        return tree.Block(body)

    def skip_newline(self) -> None:
        """A newline that may stand before a statement."""
        if self.peek() == "newline":
            self.take()
            self.warn("newline not allowed")

    def condition(self, _: str) -> tree.Node:
        condition = self.parenthesized_condition()
        yes = self.statement()
        no = None
        if self.peek() == "else":
            self.take()
            self.warn("else clause in if statement")
            self.skip_newline()
            no = self.statement()
        return tree.If(condition, yes, no)

    def parenthesized_condition(self) -> tree.Node:
        """`(condition)`, and a newline that may stand behind it."""
        self.expect("(")
        condition = self.expression()
        if self.is_void_call(condition):
            self.complain("void expression")
        self.expect(")")
        self.skip_newline()
        return condition

    def while_loop(self, _: str) -> tree.Node:
        condition = self.parenthesized_condition()
        return tree.While(condition, self.loop_body())

    def loop_body(self) -> tree.Node:
        self._loops += 1
        body = self.statement()
        self._loops -= 1
        return body

    def for_loop(self, _: str) -> tree.Node:
        self.expect("(")
        first = self.for_expression("first", "Comparison in first for expression")
        self.expect(";")
        condition = self.for_expression("second", "")
        self.expect(";")
        step = self.for_expression("third", "Comparison in third for expression")
        self.expect(")")
        self.skip_newline()
        return tree.For(first, condition, step, self.loop_body())

    def for_expression(self, which: str, warning: str) -> tree.Node | None:
        """One of the three expressions of a `for`."""
        if self.peek() not in EXPRESSION_STARTS:
            self.warn("Missing expression in for statement")
            return None
        expression = self.expression()
        if self.is_void_call(expression):
            self.complain(f"{which} expression is void")
        elif warning and isinstance(expression, tree.Comparison):
            self.warn(warning)
        return expression

    def leave(self, _: str) -> tree.Node:
        if not self._loops:
            self.complain("Break outside a for/while")
        return tree.Break()

    def resume(self, _: str) -> tree.Node:
        self.warn("Continue statement")
        if not self._loops:
            self.complain("Continue outside a for")
        return tree.Continue()

    def give_back(self, _: str) -> tree.Node:
        value = None
        if self.peek() in EXPRESSION_STARTS:
            value = self.expression()
            if isinstance(value, tree.Comparison):
                self.warn("comparison in return expression")
            if not isinstance(value, tree.Group):
                self.warn("return expression requires parenthesis")
            if self.is_void_call(value):
                self.complain("return requires non-void expression")
            if self._is_void:
                self.complain("Return expression in a void function.")
        if not self._in_function:
            self.complain("Return outside of a function.")
        return tree.Return(value)

    def show(self, _: str) -> tree.Node:
        self.warn("print statement")
        parts = [self.print_part()]
        while self.peek() == ",":
            self.take()
            parts.append(self.print_part())
        return tree.Print(parts)

    def print_part(self) -> tree.Node:
        """A part of what is printed."""
        if self.peek() == "string":
            return tree.String(self.take())
        expression = self.expression()
        if self.is_void_call(expression):
            self.complain("void expression in print")
        return expression

    def halt(self, _: str) -> tree.Node:
        return tree.Halt()

    def quit(self, _: str) -> tree.Node:
        raise HaltProgram

    def notice(self, name: str) -> tree.Node:
        return tree.Notice(name)

    # ------------------------------------------------------------ functions

    def function_definition(self) -> tree.Function:
        """`define …`"""
        self.take()
        is_void = self.peek() == "void"
        if is_void:
            self.take()
            self.warn("void functions")
        name = self.expect("name")
        self.voids[name] = is_void
        self._in_function, self._is_void = True, is_void
        self.expect("(")
        parameters = self.parameter_list() if self.peek() != ")" else []
        self.expect(")")
        self.skip_newline()
        self.expect("{")
        if self.peek() != "newline":
            self.warn("End of line required")
        while self.peek() == "newline":
            self.take()
        autos = self.auto_list()
        names = [(one.name, bool(one.form)) for one in parameters]
        own = [(one.name, bool(one.form)) for one in autos]
        if len(set(names)) < len(names):
            self.complain("duplicate parameter names")
        if len(set(own)) < len(own):
            self.complain("duplicate auto variable names")
        if set(names) & set(own):
            self.complain("variable in both parameter and auto lists")
        body: list[tree.Node] = []
        self.statement_list(body, "}")
        return tree.Function(name, parameters, autos, body, is_void)

    def auto_list(self) -> list[tree.Parameter]:
        """`auto …`"""
        if self.peek() != "auto":
            return []
        self.take()
        found = self.parameter_list()
        if self.peek() not in ("newline", ";"):
            raise self.syntax_error()
        self.take()
        return found

    def parameter_list(self) -> list[tree.Parameter]:
        """The names of parameters or auto variables."""
        found: list[tree.Parameter] = []
        while True:
            shared = ""
            if self.peek() in ("*", "&"):
                shared = "*"
                self.take()
                self.warn("Call by variable arrays")
            name = self.expect("name")
            form = ""
            if shared or self.peek() == "[":
                self.expect("[")
                self.expect("]")
                form = shared + "[]"
            found.append(tree.Parameter(name, form))
            if self.peek() != ",":
                return found
            self.take()
