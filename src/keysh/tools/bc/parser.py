"""Parse tokens into items, one at a time, so that each can run before the next is read.

    item      : [statement] (";" [statement])* NEWLINE | function
    function  : "define" ["void"] NAME "(" … ")" [NEWLINE] "{" [NEWLINE…] ["auto" …] list "}"
    statement : expression | STRING | "{" list "}" | "if" … | "while" … | "for" … | …
    list      : [statement] ((";" | NEWLINE) [statement])*

After a syntax error parsing resumes at the next token that can begin a statement. Another error
within three tokens is not reported. An item with any error does not run.
"""

from __future__ import annotations

import keysh.tools.bc.tree as tree
from keysh.tools.bc.expression_parser import EXPRESSION_STARTS, BcExpressionParser
from keysh.tools.bc.problem import AbandonProgram, HaltProgram, UnexpectedToken

STATEMENT_PARSERS = {
    "string": "string_statement", "{": "block", "if": "if_statement", "while": "while_statement",
    "for": "for_statement", "break": "break_statement", "continue": "continue_statement",
    "return": "return_statement", "print": "print_statement", "halt": "halt_statement",
    "quit": "quit_statement", "limits": "notice_statement", "warranty": "notice_statement",
}  # fmt: skip
STATEMENT_STARTS = frozenset(STATEMENT_PARSERS) | EXPRESSION_STARTS

MAX_ITEM_STATEMENTS = 200_000


class BcParser(BcExpressionParser):
    """Parses a program item by item."""

    __slots__ = ("_in_function", "_is_void", "_loops", "_statements")

    def next_item(self) -> tree.Item | tree.Function | None:
        """Parse the next item; None at the end. If `has_errors` is set, it must not run."""
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
        """Parse statements into `body` up to and including `end`; `has_one` says one is there."""
        is_outer = end == "newline"
        is_first = is_outer  # whether recovery from an error here may stop at the newline
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
        """Skip to the next statement and parse it, or to the newline that ends the item.

        Return whether a statement was parsed.
        """
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
        """Parse one statement."""
        method = STATEMENT_PARSERS.get(self.peek())
        if method is None:
            return self.expression_statement()
        self.enter()
        statement: tree.Node = getattr(self, method)(self.take())
        self.depth -= 1
        return statement

    def expression_statement(self) -> tree.Node:
        expression = self.expression()
        if isinstance(expression, tree.Comparison):
            self.warn("comparison in expression")
        return tree.ExpressionStatement(expression, self.prints_value(expression))

    def prints_value(self, expression: tree.Node) -> bool:
        """Return whether an expression statement prints its value."""
        while isinstance(expression, tree.Negation | tree.Not):
            expression = expression.operand
        return not (isinstance(expression, tree.Assign) or self.is_void_call(expression))

    def string_statement(self, text: str) -> tree.Node:
        return tree.String(text)

    def block(self, _: str) -> tree.Node:
        body: list[tree.Node] = []
        self.statement_list(body, "}")
        return tree.Block(body)

    def skip_newline(self) -> None:
        """Skip an optional newline before a statement."""
        if self.peek() == "newline":
            self.take()
            self.warn("newline not allowed")

    def if_statement(self, _: str) -> tree.Node:
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
        """Parse `(condition)` and an optional newline after it."""
        self.expect("(")
        condition = self.expression()
        if self.is_void_call(condition):
            self.complain("void expression")
        self.expect(")")
        self.skip_newline()
        return condition

    def while_statement(self, _: str) -> tree.Node:
        condition = self.parenthesized_condition()
        return tree.While(condition, self.loop_body())

    def loop_body(self) -> tree.Node:
        self._loops += 1
        body = self.statement()
        self._loops -= 1
        return body

    def for_statement(self, _: str) -> tree.Node:
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
        """Parse one of the three expressions of a `for`."""
        if self.peek() not in EXPRESSION_STARTS:
            self.warn("Missing expression in for statement")
            return None
        expression = self.expression()
        if self.is_void_call(expression):
            self.complain(f"{which} expression is void")
        elif warning and isinstance(expression, tree.Comparison):
            self.warn(warning)
        return expression

    def break_statement(self, _: str) -> tree.Node:
        if not self._loops:
            self.complain("Break outside a for/while")
        return tree.Break()

    def continue_statement(self, _: str) -> tree.Node:
        self.warn("Continue statement")
        if not self._loops:
            self.complain("Continue outside a for")
        return tree.Continue()

    def return_statement(self, _: str) -> tree.Node:
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

    def print_statement(self, _: str) -> tree.Node:
        self.warn("print statement")
        parts = [self.print_part()]
        while self.peek() == ",":
            self.take()
            parts.append(self.print_part())
        return tree.Print(parts)

    def print_part(self) -> tree.Node:
        """Parse an argument of `print`."""
        if self.peek() == "string":
            return tree.String(self.take())
        expression = self.expression()
        if self.is_void_call(expression):
            self.complain("void expression in print")
        return expression

    def halt_statement(self, _: str) -> tree.Node:
        return tree.Halt()

    def quit_statement(self, _: str) -> tree.Node:
        raise HaltProgram

    def notice_statement(self, name: str) -> tree.Node:
        return tree.Notice(name)

    # ------------------------------------------------------------ functions

    def function_definition(self) -> tree.Function:
        """Parse `define …`."""
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
        parameter_names = [(each.name, bool(each.form)) for each in parameters]
        auto_names = [(each.name, bool(each.form)) for each in autos]
        if len(set(parameter_names)) < len(parameter_names):
            self.complain("duplicate parameter names")
        if len(set(auto_names)) < len(auto_names):
            self.complain("duplicate auto variable names")
        if set(parameter_names) & set(auto_names):
            self.complain("variable in both parameter and auto lists")
        body: list[tree.Node] = []
        self.statement_list(body, "}")
        return tree.Function(name, parameters, autos, body, is_void)

    def auto_list(self) -> list[tree.Parameter]:
        """Parse `auto …`, if it is there."""
        if self.peek() != "auto":
            return []
        self.take()
        autos = self.parameter_list()
        if self.peek() not in ("newline", ";"):
            raise self.syntax_error()
        self.take()
        return autos

    def parameter_list(self) -> list[tree.Parameter]:
        """Parse the names of parameters or auto variables."""
        parameters: list[tree.Parameter] = []
        while True:
            reference = ""
            if self.peek() in ("*", "&"):
                reference = "*"
                self.take()
                self.warn("Call by variable arrays")
            name = self.expect("name")
            form = ""
            if reference or self.peek() == "[":
                self.expect("[")
                self.expect("]")
                form = reference + "[]"
            parameters.append(tree.Parameter(name, form))
            if self.peek() != ",":
                return parameters
            self.take()
