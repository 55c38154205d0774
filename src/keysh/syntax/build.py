"""Builders: what each production of the grammar becomes. The parser calls them by its names.

A token is `(type, value, start, end)`. Punctuation is an argument like any other: a node's span
reaches from its first part's start to its last part's end.
"""

from __future__ import annotations

from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.syntax.cursor import Heredoc, Token

# ---------------------------------------------------------------- lists


def begin(*items: Any) -> list[Any]:
    """`_items: item`."""
    return list(items)


def append(items: list[Any], item: Any) -> list[Any]:
    """`_items: _items item`."""
    items.append(item)
    return items


def extend(items: list[Any], *more: Any) -> list[Any]:
    """`_items: _others item`."""
    items.extend(more)
    return items


def without_tokens(items: list[Any]) -> list[Any]:
    """A list's items without the commas between them."""
    return [item for item in items if item.__class__ is not tuple]


def begin_of(part: Any) -> int:
    """Where a node or token begins."""
    start: int = part[2] if part.__class__ is tuple else part.start
    return start


# ---------------------------------------------------------------- lists of commands


def script(*body: Any) -> Any:
    """The parser adds the source."""
    return body[0] if body else None


def block(*parts: Any) -> ast.Block:
    """Commands, each behind its separator but perhaps the last."""
    commands = parts[0] if parts[0].__class__ is list else []
    if parts[-1].__class__ is not list:
        commands.append(parts[-1])
    return ast.Block(commands[0].start, commands[-1].end, commands)


def foreground(command: Any, separator: Token) -> Any:
    """`command ;`."""
    return command


def background(command: Any, ampersand: Token) -> ast.Background:
    """`command &`."""
    return ast.Background(command.start, ampersand[3], command)


def chain(left: Any, operator: Token, right: Any) -> ast.Chain:
    """`a && b || c`: one node, whatever its length."""
    if left.__class__ is ast.Chain:
        left.commands.append(right)
        left.operators.append(operator[1])
        left.end = right.end
        return left
    return ast.Chain(left.start, right.end, [left, right], [operator[1]])


def pipe(left: Any, operator: Token, right: Any) -> ast.Pipeline:
    """`a | b |& c`: one node."""
    if left.__class__ is ast.Pipeline:
        left.stages.append(right)
        left.operators.append(operator[1])
        left.end = right.end
        return left
    return ast.Pipeline(left.start, right.end, [left, right], [operator[1]], 0, "")


def pipeline_of(command: Any) -> ast.Pipeline:
    """A pipeline to which `!` and `time` can be added."""
    if command.__class__ is ast.Pipeline:
        return command
    return ast.Pipeline(command.start, command.end, [command], [], 0, "")


def negation(bang: Token, command: Any) -> ast.Pipeline:
    """`! a | b`."""
    pipeline = pipeline_of(command)
    pipeline.negations += 1
    pipeline.start = bang[2]
    return pipeline


def timing(time: Token, command: Any) -> ast.Pipeline:
    """`time a | b`."""
    pipeline = pipeline_of(command)
    pipeline.timing = time[1]
    pipeline.start = time[2]
    return pipeline


def timing_nothing(time: Token) -> ast.Pipeline:
    """`time` alone."""
    return ast.Pipeline(time[2], time[3], [], [], 0, time[1])


# ---------------------------------------------------------------- simple commands


def assignments(prefixes: list[Any]) -> ast.Simple:
    """Assignments and redirections without a command."""
    node = ast.Simple(prefixes[0].start, prefixes[-1].end, [], [], [])
    for item in prefixes:
        if item.__class__ is ast.Assign:
            node.assignments.append(item)
        else:
            node.redirects.append(item)
    return node


def call(word: Any) -> ast.Simple:
    """A command's name."""
    return ast.Simple(word.start, word.end, [], [word], [])


def prefixed_call(prefixes: list[Any], word: Any) -> ast.Simple:
    """Assignments and redirections, then the command's name."""
    node = assignments(prefixes)
    node.arguments.append(word)
    node.end = word.end
    return node


def call_argument(node: ast.Simple, argument: Any) -> ast.Simple:
    """One more argument."""
    node.arguments.append(argument)
    node.end = argument.end
    return node


def call_redirect(node: ast.Simple, redirection: Any) -> ast.Simple:
    """One more redirection."""
    node.redirects.append(redirection)
    node.end = redirection.end
    return node


def assigned(name: Token, is_append: bool, end: int, value: Any) -> ast.Assign:
    """`name=value`; the token's value holds the operator too."""
    length = len(name[1]) - 1 - is_append
    target = ast.Reference(name[2], name[2] + length, name[1][:length], [])
    return ast.Assign(name[2], end, target, is_append, value)


def assign(name: Token, value: Any) -> ast.Assign:
    """`x=value`, `x+=value`."""
    return assigned(name, name[1][-2] == "+", value.end, value)


def assign_nothing(name: Token) -> ast.Assign:
    """`x=`."""
    return assigned(name, name[1][-2] == "+", name[3], None)


def assign_at(name: Token, path: list[Any], operator: Token, value: Any) -> ast.Assign:
    """`u[k]=value`."""
    target = ast.Reference(name[2], path[-1].end, name[1], path)
    return ast.Assign(name[2], value.end, target, operator[1] == "+=", value)


def assign_nothing_at(name: Token, path: list[Any], operator: Token) -> ast.Assign:
    """`u[k]=`."""
    target = ast.Reference(name[2], path[-1].end, name[1], path)
    return ast.Assign(name[2], operator[3], target, operator[1] == "+=", None)


def named(key: Token, value: Any) -> ast.Named:
    """`key=value`."""
    text, is_append = key[1], key[1][-2] == "+"
    return ast.Named(key[2], value.end, text[: -1 - is_append], is_append, value)


def named_nothing(key: Token) -> ast.Named:
    """`key=`."""
    text, is_append = key[1], key[1][-2] == "+"
    return ast.Named(key[2], key[3], text[: -1 - is_append], is_append, None)


def spread(dots: Token, word: Any) -> ast.Spread:
    """`...$xs`."""
    return ast.Spread(dots[2], word.end, word)


def redirect(operator: Token, target: Any) -> ast.Redirect:
    """`> file`."""
    return ast.Redirect(operator[2], target.end, None, operator[1], target)


def redirect_fd(fd: Token, operator: Token, target: Any) -> ast.Redirect:
    """`2> file`, `{fd}> file`."""
    return ast.Redirect(fd[2], target.end, descriptor(fd), operator[1], target)


def descriptor(fd: Token) -> int | str:
    """A number, or the name of the variable that will hold one."""
    text: str = fd[1]
    return text[1:-1] if text[0] == "{" else int(text)


def heredoc(operator: Token, *body: Any) -> ast.Heredoc:
    """`<<E` and its body; the node's span is the operator's."""
    parts = joined(body[0]) if len(body) > 1 else []
    close = body[-1]
    here: Heredoc = operator[1]
    begin = parts[0].start if parts else close[2]
    if here.quoted and parts:
        parts = [ast.Quoted(parts[0].start, parts[0].end, parts[0].value, "'")]
    text = ast.Word(begin, close[3], parts)
    return ast.Heredoc(
        operator[2], operator[3], None, here.delimiter, here.quoted, here.strips, text
    )


def heredoc_fd(fd: Token, operator: Token, *body: Any) -> ast.Heredoc:
    """`3<<E`."""
    node = heredoc(operator, *body)
    node.start, node.fd = fd[2], descriptor(fd)
    return node


# ---------------------------------------------------------------- compound commands


def redirected(command: Any, redirection: Any) -> ast.Redirected:
    """A compound command's first redirection."""
    return ast.Redirected(command.start, redirection.end, command, [redirection])


def redirected_more(node: ast.Redirected, redirection: Any) -> ast.Redirected:
    """Another one."""
    node.redirects.append(redirection)
    node.end = redirection.end
    return node


def body(opener: Token, block: ast.Block, closer: Token) -> ast.Block:
    """`do … done`; the block's span takes in the words around it."""
    block.start, block.end = opener[2], closer[3]
    return block


def group(opener: Token, block: ast.Block, closer: Token) -> ast.Group:
    """`{ …; }`."""
    return ast.Group(opener[2], closer[3], block)


def subshell(opener: Token, block: ast.Block, closer: Token) -> ast.Subshell:
    """`( … )`."""
    return ast.Subshell(opener[2], closer[3], block)


def if_(opener: Token, condition: Any, then: Token, block: Any, *rest: Any) -> ast.If:
    """`if …; then …; elif …; else …; fi`."""
    elifs = rest[0] if rest[0].__class__ is list else []
    otherwise = rest[-2] if len(rest) > 1 and rest[-2].__class__ is ast.Block else None
    return ast.If(opener[2], rest[-1][3], condition, block, elifs, otherwise)


def elif_(word: Token, condition: Any, then: Token, block: Any) -> ast.Elif:
    """`elif …; then …`."""
    return ast.Elif(word[2], block.end, condition, block)


def else_(word: Token, block: ast.Block) -> ast.Block:
    """`else …`; the block's span takes in the word."""
    block.start = word[2]
    return block


def while_(word: Token, condition: Any, block: Any) -> ast.While:
    """`while …; do …; done`."""
    return ast.While(word[2], block.end, condition, block, False)


def until(word: Token, condition: Any, block: Any) -> ast.While:
    """`until …; do …; done`."""
    return ast.While(word[2], block.end, condition, block, True)


def for_words(word: Token, name: Token, in_: Token, *rest: Any) -> ast.For:
    """`for x in a b; do …; done`."""
    words = rest[0] if rest[0].__class__ is list else []
    return ast.For(word[2], rest[-1].end, name[1], words, rest[-1])


def for_arguments(word: Token, name: Token, *rest: Any) -> ast.For:
    """`for x; do …; done`."""
    return ast.For(word[2], rest[-1].end, name[1], None, rest[-1])


def for_arithmetic(word: Token, opener: Token, *rest: Any) -> ast.ForArithmetic:
    """`for ((first; condition; step)); do …; done`."""
    first, _, condition, _, step = rest[:5]
    return ast.ForArithmetic(word[2], rest[-1].end, first, condition, step, rest[-1])


def section(*expression: Any) -> Any:
    """A part that may be empty."""
    return expression[0] if expression else None


def case(word: Token, subject: Any, in_: Token, *rest: Any) -> ast.Case:
    """`case … in … esac`."""
    clauses = rest[0] if rest[0].__class__ is list else []
    if len(rest) > 1 and rest[-2].__class__ is ast.Clause:
        clauses.append(rest[-2])
    return ast.Case(word[2], rest[-1][3], subject, clauses)


def clause(patterns: list[Any], *rest: Any) -> ast.Clause:
    """`(a|b) …;;`; the last one may lack its end."""
    opener, words, closer = patterns
    block = rest[0] if rest and rest[0].__class__ is ast.Block else None
    ending = rest[-1] if rest and rest[-1].__class__ is tuple else None
    end = ending[3] if ending else block.end if block else closer[3]
    return ast.Clause(opener[2], end, words, block, ending[1] if ending else ";;")


def patterns(*parts: Any) -> list[Any]:
    """`(a|b)`: where it begins, the words, the closing parenthesis."""
    words, closer = parts[-2], parts[-1]
    words = without_tokens(words)
    first = parts[0] if len(parts) > 2 else ("", "", words[0].start, words[0].start)
    return [first, words, closer]


def function(name: Token, command: Any) -> ast.Function:
    """`f() …`."""
    return ast.Function(name[2], command.end, name[1], None, command)


def declared_function(name: Token, *rest: Any) -> ast.Function:
    """`f(host, port: int = 80) …`."""
    parameters = without_tokens(rest[0]) if rest[0].__class__ is list else []
    return ast.Function(name[2], rest[-1].end, name[1], parameters, rest[-1])


def parameter(*parts: Any) -> ast.Parameter:
    """`*name: type? = default`."""
    is_rest = parts[0][0] == "STAR"
    name = parts[1] if is_rest else parts[0]
    node = ast.Parameter(parts[0][2], name[3], name[1], is_rest, "", False, None)
    for part in parts[1 + is_rest :]:
        if part.__class__ is list:
            node.type, node.nullable, node.end = part[1][1], len(part) > 2, part[-1][3]
        else:
            node.default, node.end = part, part.end
    return node


def parameter_type(*tokens: Token) -> list[Token]:
    """`: type?`."""
    return list(tokens)


def default(equals: Token, value: Any) -> Any:
    """`= value`."""
    return value


# ---------------------------------------------------------------- [[ … ]]


def test(opener: Token, expression: Any, closer: Token) -> ast.Test:
    """`[[ … ]]`."""
    return ast.Test(opener[2], closer[3], expression)


def t_chain(left: Any, operator: Token, right: Any) -> ast.TestChain:
    """`a && b`, `a || b`: one node for each operator."""
    if left.__class__ is ast.TestChain and left.operator == operator[1]:
        left.terms.append(right)
        left.end = right.end
        return left
    return ast.TestChain(left.start, right.end, operator[1], [left, right])


def t_negation(bang: Token, term: Any) -> ast.TestNot:
    """`! term`."""
    if term.__class__ is ast.TestNot:
        term.count += 1
        term.start = bang[2]
        return term
    return ast.TestNot(bang[2], term.end, 1, term)


def t_word(word: Any) -> Any:
    """A word, true when it is not empty."""
    return word


def t_unary(operator: Token, operand: Any) -> ast.TestUnary:
    """`-f word`."""
    return ast.TestUnary(operator[2], operand.end, operator[1], operand)


def t_binary(left: Any, operator: Token, right: Any) -> ast.TestBinary:
    """`word == word`."""
    return ast.TestBinary(left.start, right.end, left, operator[1], right)


def t_in(left: Any, operator: Token, right: Any) -> ast.TestIn:
    """`word in value`."""
    return ast.TestIn(left.start, right.end, left, operator[1], right)


def t_group(opener: Token, expression: Any, closer: Token) -> ast.TestGroup:
    """`( expression )`."""
    return ast.TestGroup(opener[2], closer[3], expression)


# ---------------------------------------------------------------- values


def list_(opener: Token, *rest: Any) -> ast.List:
    """`[a, b]`."""
    elements = without_tokens(rest[0]) if len(rest) > 1 else []
    return ast.List(opener[2], rest[-1][3], elements)


def record(opener: Token, *rest: Any) -> ast.Record:
    """`{a: 1}`."""
    pairs = without_tokens(rest[0]) if len(rest) > 1 else []
    return ast.Record(opener[2], rest[-1][3], pairs)


def pair(key: Any, colon: Token, value: Any) -> ast.Pair:
    """`key: value`."""
    return ast.Pair(key.start, value.end, key, value)


def array(opener: Token, *rest: Any) -> ast.Array:
    """`(a b)`."""
    return ast.Array(opener[2], rest[-1][3], rest[0] if len(rest) > 1 else [])


def entry(subscript: Any, operator: Token, word: Any) -> ast.Entry:
    """`[key]=value`."""
    return ast.Entry(subscript.start, word.end, subscript, operator[1] == "+=", word)


def entry_nothing(subscript: Any, operator: Token) -> ast.Entry:
    """`[key]=`."""
    return ast.Entry(subscript.start, operator[3], subscript, operator[1] == "+=", None)


# ---------------------------------------------------------------- words


def bare_word(token: Token) -> ast.Word:
    """A word of plain text."""
    _, value, start, end = token
    return ast.Word(start, end, [ast.Text(start, end, value)])


def quoted_word(part: Any) -> ast.Word:
    """A word that is one quoted text."""
    return ast.Word(part.start, part.end, [part])


def variable_word(token: Token) -> ast.Word:
    """`$x`, alone."""
    part = variable(token)
    return ast.Word(part.start, part.end, [part])


def interpolated_word(token: Token) -> ast.Word:
    """`"a $x b"`: the token's value is text and names in turn."""
    _, pieces, start, end = token
    parts: list[Any] = []
    at = start
    is_name = False
    for piece in pieces:
        stop = at + len(piece) + is_name
        if is_name:
            parts.append(ast.Variable(at, stop, piece, False))
        elif piece:
            parts.append(ast.Text(at, stop, piece))
        at = stop
        is_name = not is_name
    return ast.Word(start - 1, end, [ast.DoubleQuoted(start - 1, end, parts)])


def word(opener: Token, parts: list[Any], closer: Token) -> ast.Word:
    """Adjacent parts."""
    return ast.Word(opener[2], closer[3], joined(parts))


def joined(parts: list[Any]) -> list[Any]:
    """Parts with neighbouring text made one; an empty text stays only where it is all there is."""
    if len(parts) == 1:
        return parts
    result: list[Any] = []
    texts: list[ast.Text] = []
    for part in (*parts, None):
        if part.__class__ is ast.Text:
            texts.append(part)
            continue
        if texts:
            value = "".join([text.value for text in texts])
            if value:
                result.append(ast.Text(texts[0].start, texts[-1].end, value))
            texts = []
        if part is not None:
            result.append(part)
    return result or [ast.Text(parts[0].start, parts[-1].end, "")]


def text(token: Token) -> ast.Text:
    """Plain text inside a longer word."""
    _, value, start, end = token
    return ast.Text(start, end, value)


def glob(token: Token) -> ast.Glob:
    """`*`, `?`, `[a-z]`."""
    return ast.Glob(token[2], token[3], token[1])


def tilde(token: Token) -> ast.Tilde:
    """`~user`."""
    return ast.Tilde(token[2], token[3], token[1])


def variable(token: Token) -> ast.Variable:
    """`$x` or `${x}`: the second ends one character behind its name."""
    _, name, start, end = token
    braced = end - start > len(name)
    return ast.Variable(start - 1 - braced, end, name, braced)


def single(token: Token) -> ast.Quoted:
    """`'x'`."""
    return ast.Quoted(token[2] - 1, token[3], token[1], "'")


def double_plain(token: Token) -> ast.Quoted:
    """`"x"` without expansions."""
    return ast.Quoted(token[2] - 1, token[3], token[1], '"')


def ansi(token: Token) -> ast.Quoted:
    """`$'x'`."""
    return ast.Quoted(token[2] - 1, token[3], token[1], "$'")


def escaped(token: Token) -> ast.Quoted:
    r"""`\x`."""
    return ast.Quoted(token[2] - 1, token[3], token[1], "\\")


def double(opener: Token, *rest: Any) -> Any:
    """`"…"`; without expansions it is quoted text like any other."""
    parts = joined(rest[0]) if len(rest) > 1 else []
    end = rest[-1][3]
    if not parts or (len(parts) == 1 and parts[0].__class__ is ast.Text):
        return ast.Quoted(opener[2], end, parts[0].value if parts else "", '"')
    return ast.DoubleQuoted(opener[2], end, parts)


def extended_glob(opener: Token, *rest: Any) -> ast.ExtendedGlob:
    """`@(a|b)`."""
    return ast.ExtendedGlob(opener[2], rest[-1][3], opener[1][0], branches(rest))


def brace(opener: Token, *rest: Any) -> ast.Brace:
    """`{a,b}`."""
    return ast.Brace(opener[2], rest[-1][3], branches(rest))


def branches(rest: tuple[Any, ...]) -> list[ast.Word]:
    """The branches before a closing token; an empty one begins where the next token does."""
    items = rest[0] if rest[0].__class__ is list else [rest[0]]
    if len(rest) > 2:
        items.append(rest[1])
    items.append(rest[-1])
    for i, item in enumerate(items):
        if item.__class__ is ast.Word and item.start < 0:
            item.start = item.end = begin_of(items[i + 1])
    return [item for item in items if item.__class__ is ast.Word]


def branch(*parts: Any) -> ast.Word:
    """One alternative, perhaps empty."""
    if not parts:
        return ast.Word(-1, -1, [])
    pieces = joined(parts[0])
    return ast.Word(pieces[0].start, pieces[-1].end, pieces)


def brace_range(token: Token) -> ast.BraceRange:
    """`{1..9..2}`."""
    first, last, *step = token[1][1:-1].split("..")
    return ast.BraceRange(token[2], token[3], first, last, step[0] if step else "")


def substitution(opener: Token, *rest: Any) -> ast.Substitution:
    """`$(…)`."""
    return ast.Substitution(opener[2], rest[-1][3], rest[0] if len(rest) > 1 else None)


def process(opener: Token, *rest: Any) -> ast.ProcessSubstitution:
    """`<(…)`."""
    block = rest[0] if len(rest) > 1 else None
    return ast.ProcessSubstitution(opener[2], rest[-1][3], opener[1][0], block)


def expression(opener: Token, *rest: Any) -> ast.ArithmeticExpansion:
    """`$((…))`."""
    return ast.ArithmeticExpansion(opener[2], rest[-1][3], rest[0] if len(rest) > 1 else None)


# ---------------------------------------------------------------- ${ … }


def reference(name: Token, *path: Any) -> ast.Reference:
    """`u[tags][0]`."""
    subscripts = path[0] if path else []
    end = subscripts[-1].end if subscripts else name[3]
    return ast.Reference(name[2], end, name[1], subscripts)


def subscript(opener: Token, parts: list[Any], closer: Token) -> ast.Subscript:
    """`[$k]`."""
    pieces = joined(parts)
    return ast.Subscript(opener[2], closer[3], ast.Word(pieces[0].start, pieces[-1].end, pieces))


def plain_subscript(token: Token) -> ast.Subscript:
    """`[name]`."""
    _, value, start, end = token
    stop = start + len(value)
    return ast.Subscript(start - 1, end, ast.Word(start, stop, [ast.Text(start, stop, value)]))


def all_subscript(token: Token) -> ast.AllSubscript:
    """`[@]`."""
    return ast.AllSubscript(token[2] - 1, token[3], token[1])


def plain(opener: Token, source: ast.Reference, closer: Token) -> Any:
    """`${x}`, `${u[k]}`."""
    if not source.subscripts:
        return ast.Variable(opener[2], closer[3], source.name, True)
    return ast.Expand(opener[2], closer[3], source, False, "", None)


def length(opener: Token, mark: Token, source: ast.Reference, closer: Token) -> ast.Length:
    """`${#x}`."""
    return ast.Length(opener[2], closer[3], source)


def names_of(opener: Token, names: Token, closer: Token) -> ast.NamesOf:
    """`${!prefix*}`."""
    return ast.NamesOf(opener[2], closer[3], names[1][:-1], names[1][-1])


def indirect(opener: Token, mark: Token, source: ast.Reference, closer: Token) -> ast.Expand:
    """`${!x}`."""
    return ast.Expand(opener[2], closer[3], source, True, "", None)


def operation(opener: Token, *rest: Any) -> ast.Expand:
    """`${x:-w}`."""
    source, operator, word, closer = rest[-4:]
    place(word, closer[2])
    return ast.Expand(opener[2], closer[3], source, len(rest) > 4, operator[1], word)


def transform(opener: Token, *rest: Any) -> ast.Expand:
    """`${x@Q}`."""
    source, operator, closer = rest[-3:]
    return ast.Expand(opener[2], closer[3], source, len(rest) > 3, operator[1], None)


def operand(*parts: Any) -> ast.Word:
    """What stands behind an operator, perhaps nothing."""
    return branch(*parts)


def place(word: ast.Word, offset: int) -> None:
    """Give an empty word its place."""
    if word.start < 0:
        word.start = word.end = offset


def removal(opener: Token, *rest: Any) -> ast.Replace:
    """`${x//p}`."""
    source, operator, pattern, closer = rest[-4:]
    place(pattern, closer[2])
    return ast.Replace(opener[2], closer[3], source, len(rest) > 4, operator[1], pattern, None)


def replacement(opener: Token, *rest: Any) -> ast.Replace:
    """`${x//p/r}`."""
    source, operator, pattern, slash, new, closer = rest[-6:]
    place(pattern, slash[2])
    place(new, closer[2])
    return ast.Replace(opener[2], closer[3], source, len(rest) > 6, operator[1], pattern, new)


def slice_from(opener: Token, *rest: Any) -> ast.Slice:
    """`${x:offset}`."""
    source, _, offset, closer = rest[-4:]
    return ast.Slice(opener[2], closer[3], source, len(rest) > 4, offset, None, False)


def slice_(opener: Token, *rest: Any) -> ast.Slice:
    """`${x:offset:length}`."""
    source, _, offset, _, most, closer = rest[-6:]
    return ast.Slice(opener[2], closer[3], source, len(rest) > 6, offset, most, True)


# ---------------------------------------------------------------- arithmetic

LEVELS = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip


def arithmetic_command(opener: Token, *rest: Any) -> ast.ArithmeticCommand:
    """`(( … ))`."""
    return ast.ArithmeticCommand(opener[2], rest[-1][3], rest[0] if len(rest) > 1 else None)


def a_sequence(left: Any, comma: Token, right: Any) -> ast.Sequence:
    """`a, b`."""
    if left.__class__ is ast.Sequence:
        left.expressions.append(right)
        left.end = right.end
        return left
    return ast.Sequence(left.start, right.end, [left, right])


def a_target(source: ast.Reference, operator: Token) -> ast.Target:
    """`x +=`."""
    return ast.Target(source.start, operator[3], source, operator[1])


def a_assign(targets: list[Any], value: Any) -> ast.Assignments:
    """`x = y = value`."""
    return ast.Assignments(targets[0].start, value.end, targets, value)


def a_question(condition: Any, mark: Token, then: Any, colon: Token) -> ast.Choice:
    """`a ? b :`."""
    return ast.Choice(condition.start, colon[3], condition, then)


def a_conditional(choices: list[Any], otherwise: Any) -> ast.Conditional:
    """`a ? b : c`."""
    return ast.Conditional(choices[0].start, otherwise.end, choices, otherwise)


def a_binary(left: Any, operator: Token, right: Any) -> ast.Binary:
    """`a + b - c`: one node for each level of operators."""
    sign = operator[1]
    if left.__class__ is ast.Binary and LEVELS[left.operators[0]] == LEVELS[sign]:
        left.operands.append(right)
        left.operators.append(sign)
        left.end = right.end
        return left
    return ast.Binary(left.start, right.end, [left, right], [sign])


def a_base(base: Any, operator: Token) -> Any:
    """`a **`."""
    return base


def a_power(bases: list[Any], last: Any) -> ast.Power:
    """`a ** b ** c`."""
    return ast.Power(bases[0].start, last.end, [*bases, last])


def a_sign(sign: Token) -> Token:
    """`-`, `!`."""
    return sign


def a_unary(signs: list[Token], operand: Any) -> ast.Unary:
    """`- ! x`."""
    return ast.Unary(signs[0][2], operand.end, [str(sign[1]) for sign in signs], operand)


def a_reference(source: Any) -> Any:
    """A variable's value."""
    return source


def a_number(token: Token) -> ast.Number:
    """`0x1f`."""
    return ast.Number(token[2], token[3], token[1])


def a_word(word: Any) -> Any:
    """An operand that is expanded."""
    return word


def a_step_after(source: ast.Reference, operator: Token) -> ast.Step:
    """`x++`."""
    return ast.Step(source.start, operator[3], source, operator[1], False)


def a_step_before(operator: Token, source: ast.Reference) -> ast.Step:
    """`++x`."""
    return ast.Step(operator[2], source.end, source, operator[1], True)


def a_group(opener: Token, inner: Any, closer: Token) -> ast.Parentheses:
    """`( a )`."""
    return ast.Parentheses(opener[2], closer[3], inner)


# ---------------------------------------------------------------- start symbols


def arithmetic(*inner: Any) -> Any:
    """A text that is an expression."""
    return inner[0] if inner else None


def path(source: Any) -> Any:
    """A text that is a path."""
    return source


def value(item: Any) -> Any:
    """A text that is a value."""
    return item
