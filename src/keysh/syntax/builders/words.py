"""Builders of words and their parts."""

from __future__ import annotations

from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.syntax.lexer.cursor import Token


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
    offset = start
    is_name = False
    for piece in pieces:
        stop = offset + len(piece) + is_name
        if is_name:
            parts.append(ast.Variable(offset, stop, piece, False))
        elif piece:
            parts.append(ast.Text(offset, stop, piece))
        offset = stop
        is_name = not is_name
    return ast.Word(start - 1, end, [ast.DoubleQuoted(start - 1, end, parts)])


def word(opener: Token, parts: list[Any], closer: Token) -> ast.Word:
    """Adjacent parts."""
    return ast.Word(opener[2], closer[3], merged_texts(parts))


def merged_texts(parts: list[Any]) -> list[Any]:
    """Return parts with adjacent texts merged; an empty text stays only if it is alone."""
    before = None
    for part in parts:
        if part.__class__ is ast.Text and (before is ast.Text or not part.value):
            break
        before = part.__class__
    else:
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
    """`$x` or `${x}`: the second ends one character after its name."""
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
    """`"…"`; without expansions it is a plain quoted text."""
    parts = merged_texts(rest[0]) if len(rest) > 1 else []
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
    """Return the branches before a closing token; an empty one begins at the next token."""
    items = rest[0] if rest[0].__class__ is list else [rest[0]]
    if len(rest) > 2:
        items.append(rest[1])
    items.append(rest[-1])
    for i, item in enumerate(items):
        if item.__class__ is ast.Word and item.start < 0:
            item.start = item.end = begin_of(items[i + 1])
    return [item for item in items if item.__class__ is ast.Word]


def branch(*parts: Any) -> ast.Word:
    """One alternative, which may be empty."""
    if not parts:
        return ast.Word(-1, -1, [])
    pieces = merged_texts(parts[0])
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
    pieces = merged_texts(parts)
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
    """The operand of an operator, which may be empty."""
    return branch(*parts)


def place(word: ast.Word, offset: int) -> None:
    """Set the offset of an empty word."""
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


# ---------------------------------------------------------------- lists of anything


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
    """Return a list's items without the commas."""
    return [item for item in items if item.__class__ is not tuple]


def begin_of(part: Any) -> int:
    """Return where a node or token begins."""
    start: int = part[2] if part.__class__ is tuple else part.start
    return start
