"""Commands as bash prints them, in `declare -f`, `type`, `$BASH_COMMAND` and `jobs`.

This follows bash's print_cmd.c, whose oddities are visible: a list is a tree of two commands and
what connects them, the bodies of heredocs are put off until the connector has been printed, and
no `;` follows a body.
"""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.lexer.reserved import RESERVED_WORDS
from keysh.syntax.printer.bash_connections import (
    Connection,
    MergedOutput,
    chain_tree,
    connect,
    pipe_tree,
)
from keysh.syntax.printer.bash_redirections import heredoc_body, redirect_text
from keysh.syntax.printer.bash_words import WordPrinter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from keysh.diagnostics.source import Source
    from keysh.syntax.node import Node
    from keysh.syntax.printer.bash_connections import Tree

INDENTATION = 4


def bash_function_text(source: Source, node: ast.Function) -> str:
    """Return a function as `declare -f` of bash prints it."""
    printer = BashPrinter(source)
    printer.function(node, is_marked=node.name in RESERVED_WORDS)
    return printer.result()


def bash_command_text(source: Source, node: Node) -> str:
    """Return a command as `$BASH_COMMAND` shows it."""
    printer = BashPrinter(source)
    printer.tree(node)
    return printer.result()


class BashPrinter:
    """The text so far, and how the next piece of it is printed."""

    __slots__ = (
        "connections", "functions", "heredocs", "indentation", "is_after_heredoc",
        "is_substitution", "out", "skipped_indents", "source", "text", "words",
    )  # fmt: skip

    def __init__(self, source: Source, *, is_substitution: bool = False) -> None:
        self.source, self.text = source, source.text
        self.words = WordPrinter(source, self.substituted_commands)
        self.is_substitution = is_substitution
        self.out: list[str] = []
        self.indentation = self.skipped_indents = 0
        self.connections = self.functions = 0  # how many of them are open
        self.heredocs: list[ast.Heredoc] = []  # their bodies are to be printed
        self.is_after_heredoc = False

    def result(self) -> str:
        """Return the text."""
        self.print_heredocs()
        return "".join(self.out)

    def substituted_commands(self, block: ast.Block) -> str:
        """Return the commands between `$(` and `)`, where bash keeps the ends of lines."""
        printer = BashPrinter(self.source, is_substitution=True)
        printer.block(block)
        return printer.result()

    def write(self, text: str) -> None:
        """Add text."""
        if text:
            self.out.append(text)

    def newline(self, text: str = "") -> None:
        """Begin a line."""
        self.write("\n" + " " * self.indentation + text)

    def semicolon(self) -> None:
        """Write `;` where none is implied."""
        if self.out and self.out[-1][-1] not in "&\n":
            self.write(";")

    # ------------------------------------------------------------ lists

    def block(self, block: ast.Block) -> None:
        """Print commands one after another."""
        tree: Tree | None = None
        connector = ";"
        for command in block.commands:
            is_background = isinstance(command, ast.Background)
            inner = command.command if isinstance(command, ast.Background) else command
            tree = inner if tree is None else connect(tree, connector, inner)
            connector = "&" if is_background else self.separator_behind(command)
        if connector == "&" and tree is not None:
            tree = connect(tree, "&", None)
        self.tree(tree)

    def separator_behind(self, command: ast.Command) -> str:
        """Return what bash prints between a command and the next."""
        if not self.is_substitution:
            return ";"
        return ";" if self.text[command.end :].lstrip(" \t")[:1] == ";" else "\n"

    def tree(self, tree: Tree | Node | None) -> None:
        """Print a command or a connection."""
        if tree is None:
            return
        if self.skipped_indents:
            self.skipped_indents -= 1
        else:
            self.write(" " * self.indentation)
        if isinstance(tree, ast.Pipeline | ast.Chain):
            tree = self.with_prefix(tree) if isinstance(tree, ast.Pipeline) else chain_tree(tree)
            if not isinstance(tree, Connection):
                self.skipped_indents += 1
                self.tree(tree)
                return
        if isinstance(tree, Connection):
            self.connection(tree)
        elif isinstance(tree, MergedOutput):
            self.skipped_indents += 1
            self.tree(tree.command)
            self.write(" 2>&1")
        elif tree is not None:
            PRINTERS[tree.__class__](self, tree)

    def with_prefix(self, node: ast.Pipeline) -> Tree | None:
        """Print `time !` and return what it stands before."""
        self.write(f"{node.timing} " if node.timing else "")
        self.write("! " if node.negations % 2 else "")
        return pipe_tree(node) if node.stages else None

    def connection(self, node: Connection) -> None:
        """Print two connected commands."""
        self.connections += 1
        self.skipped_indents += 1
        self.tree(node.first)
        if node.connector in (";", "\n"):
            self.end_command(node.connector if self.is_substitution else ";")
        else:
            self.print_heredocs(f" {node.connector}{' ' if len(node.connector) > 1 else ''}")
            if node.second is not None:
                self.skipped_indents += 1
                self.write(" " if len(node.connector) == 1 else "")
        self.tree(node.second)
        self.print_heredocs()
        self.connections -= 1

    def end_command(self, separator: str) -> None:
        """Separate two commands of a list."""
        if self.heredocs:
            self.print_heredocs()
        elif self.is_after_heredoc:
            self.is_after_heredoc = False
        else:
            self.write(separator)
        if self.functions:
            self.write("\n")
        else:
            self.write(" " if separator == ";" else "")
            self.skipped_indents += 1

    def coproc(self, node: ast.Coproc) -> None:
        """Print `coproc NAME …`."""
        self.write(f"coproc {node.name} ")
        self.skipped_indents += 1
        self.tree(node.command)

    def indent_lines(self, block: ast.Block | None) -> None:
        """Print a block one step deeper."""
        self.indentation += INDENTATION
        if block is not None:
            self.block(block)
        self.print_heredocs()
        self.indentation -= INDENTATION

    # ------------------------------------------------------------ redirections

    def simple(self, node: ast.Simple) -> None:
        """Print assignments and words, then redirections."""
        items: list[Node] = [*node.assignments, *node.arguments]
        self.write(" ".join(self.words.word(item) for item in items))
        if node.redirects:
            self.write(" " if items else "")
            self.redirects(node.redirects)

    def with_redirections(self, node: ast.Redirected) -> None:
        """Print a compound command with redirections."""
        self.skipped_indents += 1
        self.tree(node.command)
        self.write(" ")
        self.redirects(node.redirects)

    def redirects(self, redirects: Sequence[ast.Redirection]) -> None:
        """Print redirections; a connector may come between the words and the heredocs' bodies."""
        self.is_after_heredoc = False
        self.write(" ".join(redirect_text(self.words, one) for one in redirects))
        self.heredocs += [one for one in redirects if isinstance(one, ast.Heredoc)]
        if not self.connections:
            self.print_heredocs()

    def print_heredocs(self, before: str = "") -> None:
        """Print a connector, and the bodies that are due."""
        self.write(before)
        if not self.heredocs:
            return
        self.write("\n")
        for heredoc in self.heredocs:
            self.write(f"{heredoc_body(self.text, heredoc)}{heredoc.delimiter}\n")
        self.heredocs = []
        self.write(" " if before else "")
        self.is_after_heredoc = True

    # ------------------------------------------------------------ compound commands

    def group(self, node: ast.Group) -> None:
        """Print `{ …; }`."""
        if not self.functions:
            self.write("{ ")
            self.skipped_indents += 1
            self.block(node.body)
            self.print_heredocs()
            self.semicolon()
            self.write(" }")
            return
        self.write("{ \n")
        self.indent_lines(node.body)
        self.newline("}")

    def subshell(self, node: ast.Subshell) -> None:
        """Print `( … )`."""
        self.write("( ")
        self.skipped_indents += 1
        self.block(node.body)
        self.print_heredocs()
        self.write(" )")

    def loop_body(self, body: ast.Block, opening: str, closing: str) -> None:
        """Print what a word such as `do` opens and the next closes."""
        self.write(opening)
        self.indent_lines(body)
        self.semicolon()
        self.newline(closing)

    def condition(self, block: ast.Block, word: str, then: str) -> None:
        """Print a condition with the words around it."""
        self.write(f"{word} ")
        self.skipped_indents += 1
        self.block(block)
        self.print_heredocs()
        self.semicolon()
        self.write(f" {then}\n")

    def while_(self, node: ast.While) -> None:
        """Print `while …; do …; done`."""
        self.condition(node.condition, "until" if node.until else "while", "do")
        self.loop_body(node.body, "", "done")

    def if_(self, node: ast.If) -> None:
        """Print `if …; then …; fi`; an `elif` is an `if` after `else` to bash."""
        self.branches(node.condition, node.body, list(node.elifs), node.otherwise)

    def branches(
        self,
        condition: ast.Block,
        body: ast.Block,
        elifs: list[ast.Elif],
        otherwise: ast.Block | None,
    ) -> None:
        """Print a branch and, inside its `else`, those that follow."""
        self.condition(condition, "if", "then")
        self.indent_lines(body)
        if elifs or otherwise is not None:
            self.semicolon()
            self.newline("else\n")
            if elifs:
                self.indentation += INDENTATION
                self.write(" " * self.indentation)
                self.branches(elifs[0].condition, elifs[0].body, elifs[1:], otherwise)
                self.print_heredocs()
                self.indentation -= INDENTATION
            else:
                self.indent_lines(otherwise)
        self.semicolon()
        self.newline("fi")

    def for_(self, node: ast.For) -> None:
        """Print `for name in words; do …; done`, or `select`."""
        keyword = "select" if isinstance(node, ast.Select) else "for"
        words = '"$@"' if node.words is None else " ".join(map(self.words.word, node.words))
        self.write(f"{keyword} {node.name} in {words};")
        self.newline("do\n")
        self.loop_body(node.body, "", "done")

    def for_arithmetic(self, node: ast.ForArithmetic) -> None:
        """Print `for ((first; condition; step))`; an expression left out is 1."""
        head = self.text[node.start : node.body.start]
        inside = head[head.index("((") + 2 : head.rindex("))")]
        expressions = [one.lstrip() or "1" for one in inside.split(";")]
        self.write(f"for (({'; '.join(expressions)}))")
        self.newline("do\n")
        self.loop_body(node.body, "", "done")

    def case(self, node: ast.Case) -> None:
        """Print `case word in … esac`."""
        self.write(f"case {self.words.word(node.subject)} in ")
        self.indentation += INDENTATION
        for clause in node.clauses:
            self.newline(" | ".join(map(self.words.word, clause.patterns)) + ")\n")
            self.indent_lines(clause.body)
            self.newline(clause.ending or ";;")
        self.indentation -= INDENTATION
        self.newline("esac")

    def nested_function(self, node: ast.Function) -> None:
        """Print a function inside another."""
        self.function(node, is_marked=True)

    def function(self, node: ast.Function, *, is_marked: bool) -> None:
        """Print a function; the redirections of its body follow its last brace."""
        heading = self.words.function_heading(node, is_marked=is_marked)
        self.write(f"{heading} \n{' ' * self.indentation}{{ \n")
        self.functions += 1
        self.indentation += INDENTATION
        body: ast.Command = node.body
        redirects: list[ast.Redirection] = []
        if isinstance(body, ast.Redirected) and isinstance(body.command, ast.Group):
            redirects = body.redirects
            body = body.command
        if isinstance(body, ast.Group):
            self.block(body.body)
        else:
            self.tree(body)
        self.print_heredocs()
        self.indentation -= INDENTATION
        self.functions -= 1
        self.is_after_heredoc = False
        self.newline("} " if redirects else "}")
        if redirects:
            self.redirects(redirects)

    # ------------------------------------------------------------ [[ … ]] and (( … ))

    def test(self, node: ast.Test) -> None:
        """Print `[[ … ]]`."""
        self.write(f"[[ {self.test_text(node.expression)} ]]")

    def test_text(self, node: Node) -> str:
        """Return an expression of `[[ … ]]`; a word alone is a test for text."""
        match node:
            case ast.TestUnary():
                return f"{node.operator} {self.words.word(node.operand)}"
            case ast.TestBinary():
                left, right = self.words.word(node.left), self.words.word(node.right)
                return f"{left} {node.operator} {right}"
            case ast.TestChain():
                return f" {node.operator} ".join(map(self.test_text, node.terms))
            case ast.TestNot():
                return ("! " if node.count % 2 else "") + self.test_text(node.term)
            case ast.TestGroup():
                return f"( {self.test_text(node.expression)} )"
            case ast.Word():
                return f"-n {self.words.word(node)}"
        return self.words.word(node)

    def verbatim(self, node: Node) -> None:
        """Print `(( … ))` as written."""
        self.write(self.words.word(node))


PRINTERS: Mapping[type[Node], Callable[[BashPrinter, Any], None]] = {
    ast.Simple: BashPrinter.simple,
    ast.Redirected: BashPrinter.with_redirections,
    ast.Coproc: BashPrinter.coproc,
    ast.Group: BashPrinter.group,
    ast.Subshell: BashPrinter.subshell,
    ast.While: BashPrinter.while_,
    ast.If: BashPrinter.if_,
    ast.For: BashPrinter.for_,
    ast.Select: BashPrinter.for_,
    ast.ForArithmetic: BashPrinter.for_arithmetic,
    ast.Case: BashPrinter.case,
    ast.Function: BashPrinter.nested_function,
    ast.Test: BashPrinter.test,
    ast.ArithmeticCommand: BashPrinter.verbatim,
    ast.Block: BashPrinter.block,
}
