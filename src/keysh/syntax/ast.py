"""The syntax tree: one class for each production with a meaning.

The classes refer to one another (words contain commands, commands contain words), so they are in
one module, in the order of the grammar. The tree nests only where the source has brackets: chains
and operators of one level are lists, so the scanner's limit bounds its depth.
"""

from __future__ import annotations

from keysh.syntax.node import Node, Trivia

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.source import Source


# ---------------------------------------------------------------- words


class Text(Node):
    """Unquoted text without expansions: TEXT or WORD."""

    __slots__ = ("value",)

    def __init__(self, start: int, end: int, value: str) -> None:
        self.start, self.end, self.value = start, end, value


class Quoted(Node):
    r"""Literal text in quotes of one style: ', ", $' or \\ (one escaped character)."""

    __slots__ = ("value", "style")

    def __init__(self, start: int, end: int, value: str, style: str) -> None:
        self.start, self.end = start, end
        self.value, self.style = value, style


class Glob(Node):
    """Unquoted pattern characters: `*`, `**`, `?`, `[a-z]` or a lone `[`."""

    __slots__ = ("value",)

    def __init__(self, start: int, end: int, value: str) -> None:
        self.start, self.end, self.value = start, end, value


class Tilde(Node):
    """`~`, `~user`, `~+`, `~-`, `~2`, `~-1`."""

    __slots__ = ("value",)

    def __init__(self, start: int, end: int, value: str) -> None:
        self.start, self.end, self.value = start, end, value


class Variable(Node):
    """`$x`, or `${x}` without an operator; `braced` affects only formatting."""

    __slots__ = ("name", "braced")
    layout = ("braced",)

    def __init__(self, start: int, end: int, name: str, braced: bool) -> None:
        self.start, self.end = start, end
        self.name, self.braced = name, braced


class DoubleQuoted(Node):
    """`"a $b"`: parts whose values are joined and never split."""

    __slots__ = ("parts",)

    def __init__(self, start: int, end: int, parts: list[Part]) -> None:
        self.start, self.end, self.parts = start, end, parts


class ExtendedGlob(Node):
    """`@(a|b)`, also with `?(`, `*(`, `+(` and `!(`."""

    __slots__ = ("operator", "branches")

    def __init__(self, start: int, end: int, operator: str, branches: list[Word]) -> None:
        self.start, self.end = start, end
        self.operator, self.branches = operator, branches


class Brace(Node):
    """`{a,b}`: one word for each branch."""

    __slots__ = ("branches",)

    def __init__(self, start: int, end: int, branches: list[Word]) -> None:
        self.start, self.end, self.branches = start, end, branches


class BraceRange(Node):
    """`{1..9..2}`, `{a..e}`."""

    __slots__ = ("first", "last", "step")

    def __init__(self, start: int, end: int, first: str, last: str, step: str) -> None:
        self.start, self.end = start, end
        self.first, self.last, self.step = first, last, step


class Substitution(Node):
    """`$(…)` and `` `…` ``."""

    __slots__ = ("body",)

    def __init__(self, start: int, end: int, body: Block | None) -> None:
        self.start, self.end, self.body = start, end, body


class ProcessSubstitution(Node):
    """`<(…)` and `>(…)`: a path to read from or write to."""

    __slots__ = ("direction", "body")

    def __init__(self, start: int, end: int, direction: str, body: Block | None) -> None:
        self.start, self.end = start, end
        self.direction, self.body = direction, body


class ArithmeticExpansion(Node):
    """`$((…))`."""

    __slots__ = ("expression",)

    def __init__(self, start: int, end: int, expression: Arithmetic | None) -> None:
        self.start, self.end, self.expression = start, end, expression


class Word(Node):
    """Adjacent parts."""

    __slots__ = ("parts",)

    def __init__(self, start: int, end: int, parts: list[Part]) -> None:
        self.start, self.end, self.parts = start, end, parts


# ---------------------------------------------------------------- ${ … }


class Reference(Node):
    """A variable with subscripts: `u[tags][0]`."""

    __slots__ = ("name", "subscripts")

    def __init__(
        self, start: int, end: int, name: str, subscripts: list[Subscript | AllSubscript]
    ) -> None:
        self.start, self.end = start, end
        self.name, self.subscripts = name, subscripts


class Subscript(Node):
    """`[name]`, `[$i]`, `[1:3]`: the variable's value decides what the text means."""

    __slots__ = ("word",)

    def __init__(self, start: int, end: int, word: Word) -> None:
        self.start, self.end, self.word = start, end, word


class AllSubscript(Node):
    """`[@]` and `[*]`."""

    __slots__ = ("mark",)

    def __init__(self, start: int, end: int, mark: str) -> None:
        self.start, self.end, self.mark = start, end, mark


class Expand(Node):
    """`${x:-w}`, `${x##p}`, `${x^^}`, `${x@Q}`, `${!x}`, `${u[k]}`."""

    __slots__ = ("reference", "indirect", "operator", "operand")

    def __init__(
        self,
        start: int,
        end: int,
        reference: Reference,
        indirect: bool,
        operator: str,
        operand: Word | None,
    ) -> None:
        self.start, self.end = start, end
        self.reference, self.indirect = reference, indirect
        self.operator, self.operand = operator, operand


class Replace(Node):
    """`${x/p/r}`, `${x//p}`."""

    __slots__ = ("reference", "indirect", "operator", "pattern", "replacement")

    def __init__(
        self,
        start: int,
        end: int,
        reference: Reference,
        indirect: bool,
        operator: str,
        pattern: Word,
        replacement: Word | None,
    ) -> None:
        self.start, self.end = start, end
        self.reference, self.indirect, self.operator = reference, indirect, operator
        self.pattern, self.replacement = pattern, replacement


class Slice(Node):
    """`${x:offset}`, `${x:offset:length}`."""

    __slots__ = ("reference", "indirect", "offset", "length", "bounded")

    def __init__(
        self,
        start: int,
        end: int,
        reference: Reference,
        indirect: bool,
        offset: Arithmetic | None,
        length: Arithmetic | None,
        bounded: bool,
    ) -> None:
        self.start, self.end = start, end
        self.reference, self.indirect, self.offset = reference, indirect, offset
        self.length, self.bounded = length, bounded


class Length(Node):
    """`${#x}`."""

    __slots__ = ("reference",)

    def __init__(self, start: int, end: int, reference: Reference) -> None:
        self.start, self.end, self.reference = start, end, reference


class NamesOf(Node):
    """`${!prefix*}` and `${!prefix@}`: the names of variables."""

    __slots__ = ("prefix", "mark")

    def __init__(self, start: int, end: int, prefix: str, mark: str) -> None:
        self.start, self.end = start, end
        self.prefix, self.mark = prefix, mark


# ---------------------------------------------------------------- values


class List(Node):
    """`[a "b c" ...$more]`."""

    __slots__ = ("elements",)

    def __init__(self, start: int, end: int, elements: list[Value | Spread]) -> None:
        self.start, self.end, self.elements = start, end, elements


class Record(Node):
    """`{name: amy, ...$more}`."""

    __slots__ = ("pairs",)

    def __init__(self, start: int, end: int, pairs: list[Pair | Spread]) -> None:
        self.start, self.end, self.pairs = start, end, pairs


class Pair(Node):
    """`key: value` in a record."""

    __slots__ = ("key", "value")

    def __init__(self, start: int, end: int, key: Word, value: Value) -> None:
        self.start, self.end = start, end
        self.key, self.value = key, value


class Array(Node):
    """`(a b [k]=v)`: an array in sh's syntax."""

    __slots__ = ("entries",)

    def __init__(self, start: int, end: int, entries: list[Word | Spread | Entry]) -> None:
        self.start, self.end, self.entries = start, end, entries


class Entry(Node):
    """`[key]=value` in an array."""

    __slots__ = ("subscript", "append", "value")

    def __init__(
        self,
        start: int,
        end: int,
        subscript: Subscript | AllSubscript,
        append: bool,
        value: Word | None,
    ) -> None:
        self.start, self.end = start, end
        self.subscript, self.append, self.value = subscript, append, value


class Spread(Node):
    """`...$xs`: the elements of a list, inserted here."""

    __slots__ = ("word",)

    def __init__(self, start: int, end: int, word: Word) -> None:
        self.start, self.end, self.word = start, end, word


# ---------------------------------------------------------------- simple commands


class Simple(Node):
    """Assignments, a command's words and redirections."""

    __slots__ = ("assignments", "arguments", "redirects")

    def __init__(
        self,
        start: int,
        end: int,
        assignments: list[Assign],
        arguments: list[Argument],
        redirects: list[Redirection],
    ) -> None:
        self.start, self.end = start, end
        self.assignments, self.arguments, self.redirects = assignments, arguments, redirects


class Assign(Node):
    """`x=value`, `u[k]+=value`."""

    __slots__ = ("target", "append", "value")

    def __init__(
        self, start: int, end: int, target: Reference, append: bool, value: Value | None
    ) -> None:
        self.start, self.end = start, end
        self.target, self.append, self.value = target, append, value


class Named(Node):
    """`key=value` among the arguments; `key` as written, dashes included."""

    __slots__ = ("key", "append", "value")

    def __init__(self, start: int, end: int, key: str, append: bool, value: Value | None) -> None:
        self.start, self.end = start, end
        self.key, self.append, self.value = key, append, value


class Redirect(Node):
    """`2> file`, `{fd}< file`, `<<< text`."""

    __slots__ = ("fd", "operator", "target")

    def __init__(
        self, start: int, end: int, fd: int | str | None, operator: str, target: Word
    ) -> None:
        self.start, self.end = start, end
        self.fd, self.operator, self.target = fd, operator, target


class Heredoc(Node):
    """`<<E`; a quoted delimiter makes the body literal, `<<-` strips leading tabs.

    In the bash dialect it may be unclosed: the end of the text has ended it. Only messages name the
    delimiter, so it is layout: the printer may choose another one.
    """

    __slots__ = ("fd", "delimiter", "quoted", "strips", "body", "is_unclosed")
    layout = ("delimiter", "is_unclosed")

    def __init__(
        self,
        start: int,
        end: int,
        fd: int | str | None,
        delimiter: str,
        quoted: bool,
        strips: bool,
        body: Word,
        is_unclosed: bool = False,
    ) -> None:
        self.start, self.end = start, end
        self.fd, self.delimiter, self.quoted = fd, delimiter, quoted
        self.strips, self.body, self.is_unclosed = strips, body, is_unclosed


# ---------------------------------------------------------------- lists of commands


class Script(Node):
    """A whole script, with its comments, blank lines and broken lines."""

    __slots__ = ("source", "body", "trivia")
    layout = ("source", "trivia")

    def __init__(
        self, start: int, end: int, source: Source, body: Block | None, trivia: list[Trivia]
    ) -> None:
        self.start, self.end = start, end
        self.source, self.body, self.trivia = source, body, trivia


class Block(Node):
    """Commands, one after another."""

    __slots__ = ("commands",)

    def __init__(self, start: int, end: int, commands: list[Command]) -> None:
        self.start, self.end, self.commands = start, end, commands


class Background(Node):
    """`command &`."""

    __slots__ = ("command",)

    def __init__(self, start: int, end: int, command: Command) -> None:
        self.start, self.end, self.command = start, end, command


class Coproc(Node):
    """`coproc NAME { …; }`, of the bash dialect."""

    __slots__ = ("name", "command")

    def __init__(self, start: int, end: int, name: str, command: Command) -> None:
        self.start, self.end = start, end
        self.name, self.command = name, command


class Chain(Node):
    """`a && b || c`: equal precedence, from the left."""

    __slots__ = ("commands", "operators")

    def __init__(self, start: int, end: int, commands: list[Command], operators: list[str]) -> None:
        self.start, self.end = start, end
        self.commands, self.operators = commands, operators


class Pipeline(Node):
    """`time ! a | b |& c`."""

    __slots__ = ("stages", "operators", "negations", "timing")

    def __init__(
        self,
        start: int,
        end: int,
        stages: list[Command],
        operators: list[str],
        negations: int,
        timing: str,
    ) -> None:
        self.start, self.end = start, end
        self.stages, self.operators = stages, operators
        self.negations, self.timing = negations, timing


# ---------------------------------------------------------------- compound commands


class Group(Node):
    """`{ …; }`."""

    __slots__ = ("body",)

    def __init__(self, start: int, end: int, body: Block) -> None:
        self.start, self.end, self.body = start, end, body


class Subshell(Node):
    """`( … )`."""

    __slots__ = ("body",)

    def __init__(self, start: int, end: int, body: Block) -> None:
        self.start, self.end, self.body = start, end, body


class If(Node):
    """`if …; then …; elif …; else …; fi`."""

    __slots__ = ("condition", "body", "elifs", "otherwise")

    def __init__(
        self,
        start: int,
        end: int,
        condition: Block,
        body: Block,
        elifs: list[Elif],
        otherwise: Block | None,
    ) -> None:
        self.start, self.end = start, end
        self.condition, self.body = condition, body
        self.elifs, self.otherwise = elifs, otherwise


class Elif(Node):
    """`elif …; then …`."""

    __slots__ = ("condition", "body")

    def __init__(self, start: int, end: int, condition: Block, body: Block) -> None:
        self.start, self.end = start, end
        self.condition, self.body = condition, body


class While(Node):
    """`while …; do …; done`, and `until`."""

    __slots__ = ("condition", "body", "until")

    def __init__(self, start: int, end: int, condition: Block, body: Block, until: bool) -> None:
        self.start, self.end = start, end
        self.condition, self.body, self.until = condition, body, until


class For(Node):
    """`for x in words; do …; done`; without `in`, over the positional parameters."""

    __slots__ = ("name", "words", "body")

    def __init__(
        self, start: int, end: int, name: str, words: list[Word] | None, body: Block
    ) -> None:
        self.start, self.end = start, end
        self.name, self.words, self.body = name, words, body


class Select(For):
    """`select x in words; do …; done`, of the bash dialect."""

    __slots__ = ()

    @classmethod
    def fields(cls) -> tuple[str, ...]:
        """Return the names of the slots of a `for` loop."""
        return For.fields()


class ForArithmetic(Node):
    """`for ((first; condition; step)); do …; done`."""

    __slots__ = ("first", "condition", "step", "body")

    def __init__(
        self,
        start: int,
        end: int,
        first: Arithmetic | None,
        condition: Arithmetic | None,
        step: Arithmetic | None,
        body: Block,
    ) -> None:
        self.start, self.end = start, end
        self.first, self.condition = first, condition
        self.step, self.body = step, body


class Case(Node):
    """`case word in … esac`."""

    __slots__ = ("subject", "clauses")

    def __init__(self, start: int, end: int, subject: Word, clauses: list[Clause]) -> None:
        self.start, self.end = start, end
        self.subject, self.clauses = subject, clauses


class Clause(Node):
    """`(a|b) …;;`"""

    __slots__ = ("patterns", "body", "ending")

    def __init__(
        self, start: int, end: int, patterns: list[Word], body: Block | None, ending: str
    ) -> None:
        self.start, self.end = start, end
        self.patterns, self.body, self.ending = patterns, body, ending


class Test(Node):
    """`[[ … ]]`."""

    __slots__ = ("expression",)

    def __init__(self, start: int, end: int, expression: TestExpression) -> None:
        self.start, self.end, self.expression = start, end, expression


class ArithmeticCommand(Node):
    """`(( … ))`."""

    __slots__ = ("expression",)

    def __init__(self, start: int, end: int, expression: Arithmetic | None) -> None:
        self.start, self.end, self.expression = start, end, expression


class Redirected(Node):
    """A compound command with redirections."""

    __slots__ = ("command", "redirects")

    def __init__(
        self, start: int, end: int, command: Command, redirects: list[Redirection]
    ) -> None:
        self.start, self.end = start, end
        self.command, self.redirects = command, redirects


class Function(Node):
    """`f() …`, or declared, `f(host, port: int = 80) …`."""

    __slots__ = ("name", "parameters", "body")

    def __init__(
        self, start: int, end: int, name: str, parameters: list[Parameter] | None, body: Command
    ) -> None:
        self.start, self.end = start, end
        self.name, self.parameters, self.body = name, parameters, body


class Parameter(Node):
    """`*name: type? = default` of a declared function."""

    __slots__ = ("name", "rest", "type", "nullable", "default")

    def __init__(
        self,
        start: int,
        end: int,
        name: str,
        rest: bool,
        type: str,
        nullable: bool,
        default: Value | None,
    ) -> None:
        self.start, self.end = start, end
        self.name, self.rest, self.type = name, rest, type
        self.nullable, self.default = nullable, default


# ---------------------------------------------------------------- [[ … ]]


class TestUnary(Node):
    """`-f word`."""

    __slots__ = ("operator", "operand")

    def __init__(self, start: int, end: int, operator: str, operand: Word) -> None:
        self.start, self.end = start, end
        self.operator, self.operand = operator, operand


class TestBinary(Node):
    """`word == word`."""

    __slots__ = ("left", "operator", "right")

    def __init__(self, start: int, end: int, left: Word, operator: str, right: Word) -> None:
        self.start, self.end = start, end
        self.left, self.operator, self.right = left, operator, right


class TestIn(Node):
    """`word in value`, `word not in value`."""

    __slots__ = ("left", "operator", "right")

    def __init__(self, start: int, end: int, left: Word, operator: str, right: Value) -> None:
        self.start, self.end = start, end
        self.left, self.operator, self.right = left, operator, right


class TestChain(Node):
    """Terms joined by `&&`, or by `||`."""

    __slots__ = ("operator", "terms")

    def __init__(self, start: int, end: int, operator: str, terms: list[TestExpression]) -> None:
        self.start, self.end = start, end
        self.operator, self.terms = operator, terms


class TestNot(Node):
    """`! term`."""

    __slots__ = ("count", "term")

    def __init__(self, start: int, end: int, count: int, term: TestExpression) -> None:
        self.start, self.end = start, end
        self.count, self.term = count, term


class TestGroup(Node):
    """`( expression )`."""

    __slots__ = ("expression",)

    def __init__(self, start: int, end: int, expression: TestExpression) -> None:
        self.start, self.end, self.expression = start, end, expression


# ---------------------------------------------------------------- arithmetic


class Number(Node):
    """`42`, `0x1f`, `2#101`, `1.5`."""

    __slots__ = ("text",)

    def __init__(self, start: int, end: int, text: str) -> None:
        self.start, self.end, self.text = start, end, text


class Binary(Node):
    """Operands joined by operators of one level, from the left."""

    __slots__ = ("operands", "operators")

    def __init__(
        self, start: int, end: int, operands: list[Arithmetic], operators: list[str]
    ) -> None:
        self.start, self.end = start, end
        self.operands, self.operators = operands, operators


class Power(Node):
    """`a ** b ** c`, from the right."""

    __slots__ = ("operands",)

    def __init__(self, start: int, end: int, operands: list[Arithmetic]) -> None:
        self.start, self.end, self.operands = start, end, operands


class Unary(Node):
    """`- ! ~ +`, the nearest to the operand last."""

    __slots__ = ("operators", "operand")

    def __init__(self, start: int, end: int, operators: list[str], operand: Arithmetic) -> None:
        self.start, self.end = start, end
        self.operators, self.operand = operators, operand


class Step(Node):
    """`++x`, `x--`."""

    __slots__ = ("reference", "operator", "before")

    def __init__(
        self, start: int, end: int, reference: Reference, operator: str, before: bool
    ) -> None:
        self.start, self.end = start, end
        self.reference, self.operator, self.before = reference, operator, before


class Assignments(Node):
    """`x = y += value`."""

    __slots__ = ("targets", "value")

    def __init__(self, start: int, end: int, targets: list[Target], value: Arithmetic) -> None:
        self.start, self.end = start, end
        self.targets, self.value = targets, value


class Target(Node):
    """`x +=`."""

    __slots__ = ("reference", "operator")

    def __init__(self, start: int, end: int, reference: Reference, operator: str) -> None:
        self.start, self.end = start, end
        self.reference, self.operator = reference, operator


class Conditional(Node):
    """`a ? b : c ? d : e`."""

    __slots__ = ("choices", "otherwise")

    def __init__(self, start: int, end: int, choices: list[Choice], otherwise: Arithmetic) -> None:
        self.start, self.end = start, end
        self.choices, self.otherwise = choices, otherwise


class Choice(Node):
    """`a ? b :`."""

    __slots__ = ("condition", "then")

    def __init__(self, start: int, end: int, condition: Arithmetic, then: Arithmetic) -> None:
        self.start, self.end = start, end
        self.condition, self.then = condition, then


class Sequence(Node):
    """`a, b`."""

    __slots__ = ("expressions",)

    def __init__(self, start: int, end: int, expressions: list[Arithmetic]) -> None:
        self.start, self.end, self.expressions = start, end, expressions


class Parentheses(Node):
    """`( expression )`."""

    __slots__ = ("expression",)

    def __init__(self, start: int, end: int, expression: Arithmetic) -> None:
        self.start, self.end, self.expression = start, end, expression


Part = (
    Text
    | Quoted
    | Glob
    | Tilde
    | Variable
    | DoubleQuoted
    | ExtendedGlob
    | Brace
    | BraceRange
    | Substitution
    | ProcessSubstitution
    | ArithmeticExpansion
    | Expand
    | Replace
    | Slice
    | Length
    | NamesOf
)
Value = Word | List | Record | Array
Argument = Word | Named | Spread
Redirection = Redirect | Heredoc
Command = (
    Simple
    | Background
    | Coproc
    | Chain
    | Pipeline
    | Group
    | Subshell
    | If
    | While
    | For
    | ForArithmetic
    | Case
    | Test
    | ArithmeticCommand
    | Redirected
    | Function
)
TestExpression = Word | TestUnary | TestBinary | TestIn | TestChain | TestNot | TestGroup
Arithmetic = (
    Number
    | Word
    | Reference
    | Binary
    | Power
    | Unary
    | Step
    | Assignments
    | Conditional
    | Sequence
    | Parentheses
)
