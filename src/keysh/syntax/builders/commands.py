"""Builders of commands: lists, simple commands and compound commands."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.builders.words import merged_texts, without_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.syntax.lexer.cursor import Heredoc, Token

LOOPS_BY_WORD = {"for": ast.For, "select": ast.Select}

# ---------------------------------------------------------------- lists of commands


def script(*body: Any) -> Any:
    """The parser adds the source."""
    return body[0] if body else None


def block(*parts: Any) -> ast.Block:
    """Commands, each with its separator, which the last may lack."""
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


def coproc(keyword: Token, command: Any) -> ast.Coproc:
    """`coproc NAME { …; }`; the keyword's value is the name."""
    return ast.Coproc(keyword[2], command.end, keyword[1], command)


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
    parts = merged_texts(body[0]) if len(body) > 1 else []
    close = body[-1]
    start: Heredoc = operator[1]
    begin = parts[0].start if parts else close[2]
    if start.quoted and parts:
        parts = [ast.Quoted(parts[0].start, parts[0].end, parts[0].value, "'")]
    text = ast.Word(begin, close[3], parts)
    return ast.Heredoc(
        operator[2], operator[3], None, start.delimiter, start.quoted, start.strips, text,
        start.is_unclosed,
    )  # fmt: skip


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
    """`do … done`; the block's span includes the words."""
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
    """`else …`; the block's span includes the word."""
    block.start = word[2]
    return block


def while_(word: Token, condition: Any, block: Any) -> ast.While:
    """`while …; do …; done`."""
    return ast.While(word[2], block.end, condition, block, False)


def until(word: Token, condition: Any, block: Any) -> ast.While:
    """`until …; do …; done`."""
    return ast.While(word[2], block.end, condition, block, True)


def for_words(word: Token, name: Token, in_: Token, *rest: Any) -> ast.For:
    """`for x in a b; do …; done`, and `select`."""
    words = rest[0] if rest[0].__class__ is list else []
    return LOOPS_BY_WORD[word[1]](word[2], rest[-1].end, name[1], words, rest[-1])


def for_arguments(word: Token, name: Token, *rest: Any) -> ast.For:
    """`for x; do …; done`, and `select`."""
    return LOOPS_BY_WORD[word[1]](word[2], rest[-1].end, name[1], None, rest[-1])


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
    """`(a|b)`: its beginning, the words, the closing parenthesis."""
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
