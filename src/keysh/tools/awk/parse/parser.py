"""Parse awk programs: rules, functions and statements."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.parse.expressions import AwkExpressionParser, constant_value
from keysh.tools.awk.parse.lexer import AwkProgramError, program_warnings, tokenize
from keysh.tools.awk.run.registers import ARRAY_VARIABLES, SCALAR_VARIABLES
from keysh.tools.awk.run.values import default_number_text, text_of_number

SECTION_KEYWORDS = ("BEGIN", "BEGINFILE", "END", "ENDFILE")
SPECIAL_NAMES = frozenset((*SCALAR_VARIABLES, *ARRAY_VARIABLES))
REDIRECTION_OPERATORS = (">", ">>", "|", "|&")
STATEMENT_ENDS = (";", "newline", "}", "end")


def parse_program(source: str) -> tree.Program:
    """Return the tree of a program. Raise AwkProgramError if it is invalid."""
    try:
        words = tokenize(source)
        return AwkParser(source, words).program(program_warnings(source, words))
    except RecursionError:  # the host's own stack is nearly full
        raise AwkProgramError("fatal: the program nests too deeply") from None


class AwkParser(AwkExpressionParser):
    """Parses a whole program."""

    section = ""  # BEGIN and the like; empty in a rule
    function = ""
    loops = switches = 0

    def program(self, warnings: list[tuple[int, str]]) -> tree.Program:
        program = tree.Program(1, [], [], [], [], [], [], warnings)
        while True:
            self.skip_newlines()
            if self.kind == "end":
                return program
            if self.kind == ";":
                self.forbid("each rule must have a pattern or an action part")
            self.item(program)
            if self.tokens[self.position - 1].kind == "}":
                self.skip_newlines()
                self.accept(";")
            elif self.kind != "end" and not (self.accept(";") or self.accept("newline")):
                self.refuse()

    def item(self, program: tree.Program) -> None:
        """Parse one rule or function."""
        line = self.line
        if self.kind == "function":
            program.functions.append(self.definition(program))
        elif self.kind in SECTION_KEYWORDS:
            self.section = self.take().kind
            if self.kind != "{":
                self.forbid(f"{self.section} blocks must have an action part")
            block = self.block()
            {
                "BEGIN": program.begin,
                "BEGINFILE": program.begin_file,
                "END": program.end,
                "ENDFILE": program.end_file,
            }[self.section].append(block)
            self.section = ""
        else:
            program.rules.append(self.rule(line))

    def rule(self, line: int) -> tree.Rule:
        pattern = last = None
        if self.kind != "{":
            pattern = self.expression()
            if self.accept(","):
                self.skip_newlines()
                last = self.expression()
        return tree.Rule(line, pattern, last, self.block() if self.kind == "{" else None)

    def definition(self, program: tree.Program) -> tree.Function:
        """Parse `function name(parameters) { … }`."""
        line = self.take().line
        if self.kind not in ("name", "call"):
            text = self.tokens[self.position].text
            is_known = self.kind == "builtin"
            self.refuse(f"`{text}' is a built-in function, it cannot be redefined" * is_known)
        name = self.take().text
        if name in SPECIAL_NAMES or any(function.name == name for function in program.functions):
            self.forbid(f"error: function name `{name}' previously defined")
        self.expect("(")
        parameters: list[str] = []
        while self.kind != ")":
            parameter = self.expect("name").text
            if parameter in SPECIAL_NAMES:
                problem = f"cannot use special variable `{parameter}' as a function parameter"
                self.forbid(f"error: function `{name}': {problem}")
            if parameter == name:
                problem = "cannot use function name as parameter name"
                self.forbid(f"error: function `{name}': {problem}")
            if parameter in parameters:
                first, second = parameters.index(parameter) + 1, len(parameters) + 1
                problem = f"parameter #{second}, `{parameter}', duplicates parameter #{first}"
                self.forbid(f"error: function `{name}': {problem}")
            parameters.append(parameter)
            if self.kind != ")":
                self.expect(",")
                self.skip_newlines()
                if self.kind == ")":
                    self.refuse()
        self.take()
        self.skip_newlines()
        self.function = name
        body = self.block()
        self.function = ""
        return tree.Function(line, name, tuple(parameters), body)

    # ------------------------------------------------------------ statements

    def block(self) -> tree.Block:
        """Parse `{ … }`."""
        line = self.expect("{").line
        body = self.statements("}")
        self.expect("}")
        return tree.Block(line, body)

    def statements(self, *ends: str) -> list[tree.Node]:
        """Parse statements up to one of these tokens, which is not taken."""
        statements: list[tree.Node] = []
        while True:
            while self.kind in ("newline", ";"):
                self.position += 1
            if self.kind in ends:
                return statements
            statements.append(self.statement())

    def statement(self) -> tree.Node:
        """Parse one statement and its terminator."""
        self.enter()
        line, kind = self.line, self.kind
        method = {
            "if": self.if_statement, "while": self.while_statement, "do": self.do_statement,
            "for": self.for_statement, "switch": self.switch_statement,
        }.get(kind)  # fmt: skip
        if kind == "{":
            node: tree.Node = self.block()
        elif kind == ";":
            self.position += 1
            node = tree.Block(line, [])
        elif method is not None:
            self.position += 1
            node = method(line)
        else:
            node = self.simple_statement()
            if self.kind not in STATEMENT_ENDS:
                self.refuse()
            if self.kind in (";", "newline"):
                self.position += 1
        self.depth -= 1
        return node

    def body(self) -> tree.Node:
        """Parse the body of an `if` or a loop, which may be on the next line."""
        self.skip_newlines()
        return self.statement()

    def loop_body(self) -> tree.Node:
        """Parse the body of a loop."""
        self.loops += 1
        node = self.body()
        self.loops -= 1
        return node

    def parenthesized_condition(self) -> tree.Node:
        """Parse `(condition)`."""
        self.expect("(")
        node = self.expression()
        self.expect(")")
        return node

    def if_statement(self, line: int) -> tree.Node:
        """Parse `if` and any number of `else if`, without recursion."""
        branches: list[tuple[int, tree.Node, tree.Node]] = []
        last: tree.Node | None = None
        while True:
            branches.append((line, self.parenthesized_condition(), self.body()))
            start = self.position
            self.skip_newlines()
            if not self.accept("else"):
                self.position = start
                break
            self.skip_newlines()
            line = self.line
            if not self.accept("if"):
                last = self.statement()
                break
        line, condition, yes = branches.pop()
        node = tree.If(line, condition, yes, last)
        while branches:
            line, condition, yes = branches.pop()
            node = tree.If(line, condition, yes, node)
        return node

    def while_statement(self, line: int) -> tree.Node:
        condition = self.parenthesized_condition()
        if self.accept(";"):
            return tree.While(line, condition, tree.Block(line, []))
        return tree.While(line, condition, self.loop_body())

    def do_statement(self, line: int) -> tree.Node:
        body = self.loop_body()
        self.skip_newlines()
        self.expect("while")
        return tree.Do(line, body, self.parenthesized_condition())

    def for_statement(self, line: int) -> tree.Node:
        """Parse `for (;;)` or `for (name in array)`."""
        self.expect("(")
        if self.kind == "name" and self.tokens[self.position + 1].kind == "in":
            start = self.position
            variable = tree.Name(self.line, self.take().text)
            self.position += 1
            array = self.array() if self.kind == "name" else None
            if array is not None and self.accept(")"):
                return tree.ForIn(line, variable, array, self.loop_body())
            self.position = start
        first = None if self.kind == ";" else self.simple_statement()
        self.expect(";")
        self.skip_newlines()
        condition = None if self.kind == ";" else self.expression()
        self.expect(";")
        self.skip_newlines()
        step = None if self.kind == ")" else self.simple_statement()
        self.expect(")")
        if self.accept(";"):
            return tree.For(line, first, condition, step, tree.Block(line, []))
        return tree.For(line, first, condition, step, self.loop_body())

    def switch_statement(self, line: int) -> tree.Node:
        subject = self.parenthesized_condition()
        self.skip_newlines()
        self.expect("{")
        self.skip_newlines()
        cases: list[tree.Node] = []
        labels: dict[str, int] = {}  # the lines of those seen
        self.switches += 1
        while not self.accept("}"):
            start = self.line
            label = None
            if self.accept("case"):
                if self.kind not in ("number", "string", "regex", "@", "-", "+"):
                    self.refuse()
                label = self.unary()
            else:
                self.expect("default")
            text = label_text(label)
            if text in labels:
                message = f"error: duplicate {text}"
                raise AwkProgramError(f"cmd. line:{labels[text]}: {message}")
            labels.update({text: start} if text else {})
            self.expect(":")
            body = self.statements("case", "default", "}")
            cases.append(tree.Case(start, label, body))
        self.switches -= 1
        return tree.Switch(line, subject, cases)

    def simple_statement(self) -> tree.Node:
        """Parse a statement without a body."""
        line, kind = self.line, self.kind
        if kind in ("print", "printf"):
            return self.print_statement(line)
        if kind in ("break", "continue", "next", "nextfile"):
            return self.jump_statement(line)
        if kind in ("exit", "return"):
            self.position += 1
            if kind == "return" and not self.function:
                self.position -= 1
                self.refuse("`return' used outside function context")
            value = None if self.kind in STATEMENT_ENDS else self.expression()
            return tree.ExitOrReturn(line, kind, value)
        if kind == "delete":
            self.position += 1
            is_grouped = self.accept("(")
            array = self.array()
            if is_grouped:
                self.expect(")")
            if isinstance(array, tree.Element):
                return tree.Delete(line, array.array, array.keys)
            return tree.Delete(line, array, [])
        return tree.ExpressionStatement(line, self.expression())

    def jump_statement(self, line: int) -> tree.Node:
        kind = self.kind
        if kind == "break" and not (self.loops or self.switches):
            self.forbid("error: `break' is not allowed outside a loop or switch")
        if kind == "continue" and not self.loops:
            self.forbid("error: `continue' is not allowed outside a loop")
        is_refused = self.section != "" and (kind, self.section) != ("nextfile", "BEGINFILE")
        if kind in ("next", "nextfile") and is_refused:
            self.forbid(f"error: `{kind}' used in {self.section} action")
        self.position += 1
        return tree.Jump(line, kind)

    # ------------------------------------------------------------ output

    def print_statement(self, line: int) -> tree.Node:
        """Parse `print` or `printf`, with a redirection."""
        is_formatted = self.take().kind == "printf"
        if self.kind == "(" and self.is_whole_list():
            self.position += 1
            values = self.expression_list(")")
        else:
            self.allows_greater = False
            values = (
                []
                if self.kind in (*STATEMENT_ENDS, *REDIRECTION_OPERATORS)
                else [self.expression()]
            )
            while values and self.accept(","):
                self.skip_newlines()
                values.append(self.expression())
            self.allows_greater = True
        if is_formatted and not values:
            self.forbid("fatal: printf: no arguments")
        redirection, destination = "", None
        if self.kind in REDIRECTION_OPERATORS:
            redirection = self.take().kind
            self.allows_greater = False
            destination = self.concatenation()
            self.allows_greater = True
        return tree.Print(line, values, redirection, destination, is_formatted)

    def is_whole_list(self) -> bool:
        """Return whether the parentheses that open here enclose the whole list."""
        depth, i = 0, self.position
        while True:
            kind = self.tokens[i].kind
            if kind == "end":
                return False
            depth += (kind in "([{") - (kind in ")]}") if len(kind) == 1 else 0
            i += 1
            if not depth:
                return self.tokens[i].kind in (*STATEMENT_ENDS, *REDIRECTION_OPERATORS)


def label_text(label: tree.Node | None) -> str:
    """Return a case label as the message about duplicates shows it; empty for a regex.

    `1` and `"1"` are the same label.
    """
    if label is None:
        return "`default' detected in switch body"
    number = constant_value(label)
    if number is None:
        if not isinstance(label, tree.String):
            return ""
        value = label.value
    else:
        value = text_of_number(number, default_number_text)
    return f"case values in switch body: {value}"
