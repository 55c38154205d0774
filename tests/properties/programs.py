"""A strategy for scripts: every construct of the language, spelled and laid out in many ways."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

NAMES = ["x", "y_1", "HOME", "if", "k"]
PLAIN = ["a", "b.c", "-n", "1", "0x1f", "é", "a/b", "x-y", "@", "%", "a:b", "done", "}", "a]"]
NUMBERS = ["0", "1", "42", "0x1f", "2#101", "1.5"]
BINARY = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "<",
    ">=",
    "==",
    "!=",
    "&",
    "|",
    "^",
    "&&",
    "||",
    "**",
]


class Writer:
    """Draws a script piece by piece. `depth` is how much deeper it may nest; heredocs wait in
    `bodies` for the next newline; each comment has a text of its own.
    """

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.depth = 4
        self.bodies: list[str] = []
        self.comments = self.heredocs = 0

    # ------------------------------------------------------------ choices

    def number(self, most: int) -> int:
        return self.draw(st.integers(0, most))

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def maybe(self, text: str) -> str:
        return self.pick("", text)

    def one_of(self, *makers: Callable[[], str]) -> str:
        """Draw from one of the makers; at the maximum depth, from the first."""
        if self.depth <= 0:
            return makers[0]()
        self.depth -= 1
        made = makers[self.number(len(makers) - 1)]()
        self.depth += 1
        return made

    def several(self, make: Callable[[], str], separator: str = " ", least: int = 0) -> str:
        count = least + self.number(2)
        return separator.join([make() for _ in range(count)])

    # ------------------------------------------------------------ lines

    def comment(self) -> str:
        self.comments += 1
        return f"# comment {self.comments}" + self.pick("", " ", " 'x", " \\")

    def newline(self) -> str:
        """Draw the end of a line, perhaps with comments and blank lines, and the pending bodies."""
        end = self.pick("", "", " " + self.comment()) + "\n" + "".join(self.bodies)
        self.bodies = []
        more = self.number(5)
        if more == 1:
            end += "\n" + self.maybe("\n\n")
        elif more == 2:
            end += self.pick("", "  ", "\t") + self.comment() + "\n"
        return end + self.pick("", "", "  ", "\t")

    def space(self) -> str:
        return self.newline() if self.number(1) else " "

    def separator(self) -> str:
        return self.pick("; ", ";", " & ") if self.number(1) else self.newline()

    def gap(self) -> str:
        """Draw what is between words; before a command a newline has no meaning."""
        return self.pick(" ", " ", "  ", "\t", " \\\n  ")

    def block(self) -> str:
        """Draw commands and the separator after them."""
        lead = self.newline() if self.number(3) == 0 else " "
        return lead + "".join(self.command() + self.separator() for _ in range(1 + self.number(1)))

    # ------------------------------------------------------------ words

    def variable(self) -> str:
        return self.pick(self.name(), f"${self.pick(*NAMES, '1', '@')}")

    def name(self) -> str:
        """Draw a variable that any text may follow."""
        return f"${{{self.pick(*NAMES, '10', '@', '?')}}}"

    def single(self) -> str:
        return self.pick(
            "'a b'", "''", "'\\'", "'a\nb'", "'$x'", "$'a\\n\\'\\x01\\u00e9\\xff'", "\\$", "\\ "
        )

    def double(self) -> str:
        return '"' + self.several(self.in_double, "") + '"'

    def in_double(self) -> str:
        text = self.pick(
            "a ", "'", "$ ", "\\$x", "\\\\", "\\n", '\\"', "\\`", "\n", "\\\nb", "#", "é"
        )
        return self.one_of(
            lambda: text,
            self.variable,
            lambda: self.expansion(True),
            self.substitution,
            self.arithmetic,
        )

    def subscripts(self) -> str:
        inside = self.pick(
            "[k]", "[0]", "[-1]", "[@]", "[i+1]", '["a b"]', "[1:3]", "[a b]", "[$k]", "[$x-1]"
        )
        return inside + self.maybe("[0]")

    def expansion(self, quoted: bool = False) -> str:
        """`${…}`; inside quotes its default is quoted text."""
        name = self.pick(*NAMES) + (self.subscripts() if self.number(3) == 0 else "")
        inside = self.number(6)
        if inside == 0:
            return f"${{{self.pick('#', '!')}{name}}}"
        if inside == 1:
            return f"${{{name}{self.pick('@Q', '^', ',,', '^^[a-z]')}}}"
        if inside == 2:
            offset = self.pick(":1", ": -1", ":1:2", "::2", ":i+1:n", ":(1)", ":$i", ": -1:a?b:c")
            return f"${{{name}{offset}}}"
        if inside == 3:
            return f"${{{name}{self.pick('#', '##', '%', '%%')}{self.operand()}}}"
        if inside == 4:
            with_ = "/" + self.operand() if self.number(1) else ""
            return f"${{{name}{self.pick('/', '//', '/#', '/%')}{self.operand()}{with_}}}"
        operator = self.pick(":-", "-", ":=", "=", ":?", ":+", "+")
        return f"${{{name}{operator}{self.default() if quoted else self.operand()}}}"

    def operand(self) -> str:
        text = self.pick("a", "a b", "*", "[a-z]", "'q'", "\\}", '"a b"', "x,y", "", "~", "(a)")
        return self.one_of(
            lambda: text, self.variable, self.expansion, self.double, self.substitution
        )

    def default(self) -> str:
        text = self.pick("a", "a b", "\\}", '\\"', '"q r"', "\\$x", "*", "", "{")
        return self.one_of(
            lambda: text, self.variable, lambda: self.expansion(True), self.substitution
        )

    def substitution(self) -> str:
        """`$(…)`; a heredoc inside has its body inside."""
        outside, self.bodies = self.bodies, []
        form = self.number(4)
        if form == 0:
            text = self.pick("$()", "`a`", '`a \\`b\\` "c"`', "$( (a) )", "$(a;(b))")
        elif outside or form == 1:
            text = "$(" + self.pick("a", " a | b ", "a; b", "a &", "< f") + ")"
        else:
            text = "$(" + self.block()
            text += self.newline() + ")" if self.bodies or self.number(1) else self.maybe(" ") + ")"
        self.bodies = outside
        return text

    def arithmetic(self) -> str:
        return f"$(({self.maybe(' ')}{self.sum()}{self.maybe(' ')}))"

    def part(self) -> str:
        """Draw a piece that may be anywhere in a word."""
        return self.one_of(
            lambda: self.pick(*PLAIN),
            self.single,
            self.double,
            self.name,
            self.expansion,
            self.substitution,
            self.arithmetic,
            lambda: self.pick("*", "?", "[a-z]", "**", "[!x]", "@(a|b*)", "+([0-9])", "!(a|@(b|))"),
        )

    def word(self) -> str:
        """Draw a word as an argument."""
        kind = self.number(9)
        if kind == 0:
            inside = ",".join([self.part() for _ in range(2 + self.number(1))])
            return self.pick("", "a", "${x}") + "{" + inside + "}" + self.pick("", "b")
        if kind == 1:
            return self.pick(
                "{1..9}", "{a..e..2}", "{a}", "{", "~", "~/x", "~amy", "a~b", "...", "=", "["
            )
        if kind == 2 and not self.bodies:
            return self.pick("<", ">") + "(" + self.pick("a", "a; b", "(a) | b", "a &") + ")"
        if kind == 3:
            return self.variable()
        return "".join([self.part() for _ in range(1 + self.number(1))])

    def argument(self) -> str:
        kind = self.number(6)
        if kind == 0:
            return self.pick("...$x", '..."$x"', "...$(a)")
        if kind == 1:
            key = self.pick("k=", "--key=", "a+=")
            if self.number(1):
                return key + self.value()
            return key + self.pick("", "{a,b}", "{}", "{ }", "[a]", "[a-z]*", "{a", "[ a ]")
        return self.word()

    # ------------------------------------------------------------ values

    def value(self) -> str:
        return self.one_of(self.element, self.list, self.record, self.array)

    def element(self) -> str:
        text = self.pick(
            "a", "1", "true", "'q'", '"q\\n\\u0001\\\\"', "*.c", "~", "a-b", "\\,", '"$x\\t"'
        )
        return self.one_of(
            lambda: text, self.variable, self.expansion, self.substitution, self.arithmetic
        )

    def between(self, comma: bool) -> str:
        """Draw what is between elements, including comments and newlines."""
        space = self.pick(" ", " ", "\n", "\n\n  ", f" {self.comment()}\n")
        return "," + self.pick("", space) if comma else space

    def list(self) -> str:
        """Draw a list whose brackets cannot be text."""
        items = [self.item() for _ in range(2 + self.number(2))]
        text = items[0] + "".join([self.between(self.number(1) == 0) + item for item in items[1:]])
        lead = self.between(False) if self.number(2) == 0 else ""
        tail = self.between(self.number(1) == 0) if self.number(2) == 0 else ""
        return self.pick(
            f"[{lead}{text}{tail}]", "[]", "[1]", "[a,]", "['a']", "[...$x]", "[[a] {}]"
        )

    def item(self) -> str:
        return self.one_of(self.element, lambda: "...$x", self.list, self.record)

    def pair(self) -> str:
        key = self.pick("a", "b-c", '"d e"', "'f'", "$k", "${k}", '"$k-x"')
        return key + ":" + self.maybe(" ") + self.one_of(self.element, self.list, self.record)

    def record(self) -> str:
        pairs = [self.pair() for _ in range(1 + self.number(2))]
        text = pairs[0] + "".join([self.between(self.number(1) == 0) + pair for pair in pairs[1:]])
        lead = self.pick("", " ", "\n", f" {self.comment()}\n", "...$m ")
        tail = self.between(self.number(1) == 0) if self.number(2) == 0 else ""
        return "{" + lead + text + tail + "}"

    def array(self) -> str:
        def entry() -> str:
            return self.pick("", "", "", "[k]=", "[$x]+=", "[a b]=") + self.word().replace(
                "...", "."
            )

        entries = [entry() for _ in range(self.number(3))]
        text = "("
        for item in entries:
            text += self.newline() if self.number(4) == 0 else " "
            text += item
        return text + (self.newline() if self.number(4) == 0 else "") + ")"

    # ------------------------------------------------------------ arithmetic and conditions

    def operand_of_sum(self) -> str:
        text = self.pick(
            *NUMBERS,
            "x",
            "y_1",
            "u[k]",
            "xs[0]",
            "-x",
            "+1",
            "$x",
            "${y}",
            "x++",
            "--x",
            "$x$y",
            '"$x"',
        )
        return self.one_of(
            lambda: text,
            lambda: "(" + self.sum() + ")",
            lambda: self.pick("- ", "!", "~", "+ ", "! ", "- - ") + self.operand_of_sum(),
            self.substitution,
            self.expansion,
        )

    def sum(self) -> str:
        first = self.operand_of_sum()
        kind = self.number(5)
        if kind == 0:
            return self.pick("x=", "x = y += ", "u[k] <<= ") + first
        if kind == 1:
            return f"{first} ? {self.operand_of_sum()} : {self.operand_of_sum()}"
        if kind == 2:
            return f"{first}, {self.operand_of_sum()}"
        for _ in range(self.number(2)):
            blank = self.pick("", " ", "\n ")
            # Two signs that touch would be another operator.
            first += f"{blank or ' '}{self.pick(*BINARY)} {self.operand_of_sum()}"
        return first

    def condition(self) -> str:
        return self.one_of(
            lambda: self.tested(),
            lambda: f"{self.pick('-f', '-z', '-v', '-list')} {self.tested()}",
            lambda: (
                f"{self.tested()} {self.pick('==', '=', '!=', '-eq', '-nt', '<')} {self.tested()}"
            ),
            lambda: f"{self.tested()} {self.pick('=~', '!~')} {self.regex()}",
            lambda: (
                f"{self.tested()} {self.pick('in', 'not in')} {self.pick('[a b]', '{a: 1}', '$x')}"
            ),
            lambda: f"! {self.condition()}",
            lambda: f"({self.maybe(' ')}{self.condition()} )",
            lambda: self.condition() + self.pick(" && ", " || ", " &&\n  ") + self.condition(),
        )

    def tested(self) -> str:
        return self.pick(
            "a", "*.c", "'q'", "~", "x=1", "[", "{a,b}", self.variable(), self.double()
        )

    def regex(self) -> str:
        return self.pick("^a+$", "(a b|c)*", "[0-9]{2}", "\\.x", "'q'$x", "a$", "(a|(b c))", "$x")

    # ------------------------------------------------------------ commands

    def redirect(self) -> str:
        kind = self.number(5)
        if kind == 0:
            return self.heredoc()
        if kind == 1:
            return self.pick("2>&1", ">&2", "3<&-", "<& $x", ">&f", "2>&$x")
        fd = self.pick("", "", "2", "{fd}")
        operator = self.pick("<", ">", ">>", ">|", "<>", "<<<", "&>")
        if self.number(2) == 0:
            return fd + ">" + self.single()
        return (fd if operator != "&>" else " ") + operator + " " + self.word()

    def heredoc(self) -> str:
        """`<<E`; its body waits for the next newline."""
        self.heredocs += 1
        end = f"E{self.heredocs}"  # a body may hold another heredoc, which must not end it
        strips, quotes = self.pick("", "-"), self.pick("", "'", '"', "\\", "$", "-")
        if quotes in ("$", "-"):
            end = word = end + quotes
        else:
            word = quotes + end + quotes.strip("\\")
        tabs = self.pick("", "\t") if strips else ""
        quoted = word != end
        lines = [self.pick("", "a $x", "\\$y \\\\ \\n", "'q' \"r\"", "# no", " E", "\ta")]
        if not quoted:
            lines.append(self.one_of(self.variable, lambda: self.expansion(True), self.arithmetic))
            lines.append(
                self.pick("a\\\nb", "${x:-\"q\" 'r'}", "$(a; b)", "`c`", "$(\nd\n)", "\\`")
            )
        fd = self.pick("", "", "3")
        self.bodies.append("".join([tabs + line + "\n" for line in lines]) + tabs + end + "\n")
        return f"{fd}<<{strips}{self.maybe(' ')}{word}"

    def assignment(self) -> str:
        target = self.pick("x", "y_1", "u[k]", "u[$x]", "xs[0]", "u[a][b]") + self.maybe("+")
        if self.number(1):
            return target + "=" + self.value()
        return (
            target
            + "="
            + self.pick("", "a", "~/x:~", "a,b", "#a", "a=b", '"a b"', "$x", "2", "!", "a{b,c}")
        )

    def simple(self) -> str:
        items = [self.assignment() for _ in range(self.number(1))]
        items += [self.redirect() for _ in range(1 if self.number(7) == 0 else 0)]
        items.append(
            self.pick("a", "echo", "f-g", "[", '"$x"', "$x", "a.b", "./x", "{a,b}", "[a-z]")
        )
        items += [self.argument() for _ in range(self.number(2))]
        if self.number(3) == 0:
            items.append(self.redirect())
        if self.number(4) == 0:
            items.append(self.argument())
        text = items[0]
        for item in items[1:]:
            text += self.gap() + item
        return text

    def then(self, word: str) -> str:
        """Draw a word after which a command begins, on this line or the next."""
        return word + self.block()

    def if_(self) -> str:
        text = "if" + self.block() + self.then("then")
        if self.number(2) == 0:
            text += "elif" + self.block() + self.then("then")
        return text + (self.then("else") if self.number(1) else "") + "fi"

    def loop(self) -> str:
        head = self.pick(
            "while",
            "until",
            "for x in a *.c ...$x; ",
            "for x; ",
            "for x in;",
            "for ((i=0;i<3;i++)) ",
            "for ((;;));",
        )
        if head in ("while", "until"):
            head += self.block()
        elif self.number(3) == 0:
            head = f"for x in {self.several(self.word)}{self.newline()}"
        return head + self.then("do") + "done"

    def case(self) -> str:
        text = f"case {self.word()} in" + self.space()
        for _ in range(self.number(2)):
            patterns = self.several(self.pattern, self.pick("|", " | "), 1)
            text += self.pick("(", " (") + patterns + ")"
            text += self.block() if self.number(2) else self.newline()
            text = text.rstrip(" ").removesuffix(";")
            text += " " + self.pick(";;", ";&", ";;&") + self.space()
        return text + "esac"

    def pattern(self) -> str:
        return self.pick(
            "a", "*", "*.c", "[a-z]", "'q'", "$x", "@(a|b)", "esac", "\\;", '"a b"', "?"
        )

    def group(self) -> str:
        if self.number(1):
            return "{" + self.block() + "}"
        return "( " + self.command() + self.newline() + ")"

    def function(self) -> str:
        name = self.pick(
            "f()", "function f", "f ( )", "function f()", "function if", "function a=b"
        )
        if self.number(2) == 0:
            name = "f(" + self.several(
                self.parameter, self.pick(",", ", ", f", {self.comment()}\n"), 1
            )
            name += self.pick("", ",", "\n") + ")"
        return name + self.space() + self.compound()

    def parameter(self) -> str:
        name = self.pick("host", "*files", "x")
        kind = self.pick("", ": int", ":string?", " : list")
        default = (
            self.pick("", "= 1", ' = "a b"', "=[1, a]", " = {a: 1}", "=$x") if name == "x" else ""
        )
        return name + kind + default

    def compound(self) -> str:
        text = self.one_of(
            lambda: "{ a; }",
            self.group,
            self.if_,
            self.loop,
            self.case,
            lambda: f"[[ {self.condition()} ]]",
            lambda: f"(({self.sum()}))",
        )
        return text + (" " + self.redirect() if self.number(4) == 0 else "")

    def single_command(self) -> str:
        return self.one_of(
            self.simple, self.simple, self.simple, self.compound, self.compound, self.function
        )

    def command(self) -> str:
        """A pipeline or a chain of them."""
        text = self.pick("", "", "", "", "! ", "time ", "time -p ") + self.single_command()
        for _ in range(1 if self.number(3) == 0 else 0):
            operator = self.pick(" | ", "|", " |& ", " && ", "||")
            after = self.newline() if self.number(3) == 0 else self.pick("", " ", " \\\n")
            text += operator + after + self.single_command()
        return text

    def program(self) -> str:
        text = self.newline() if self.number(2) == 0 else ""
        for _ in range(1 + self.number(2)):
            text += self.command() + self.separator()
        return text + (self.newline() if self.bodies else self.pick("", self.comment()))


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Whole scripts."""
    return Writer(draw).program()
