"""The texts that the words of a script expand to, as far as they are known before it runs.

A word that depends on the run, such as `$x`, is None. Of a script in `sh -c TEXT ARGUMENTS`, the
arguments are known.
"""

from __future__ import annotations

import re

from keysh.syntax import ast
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.syntax.node import Node

    Words = list[str | None]

MAX_SPELLINGS = 64  # of one word with braces
MAX_NAME_DIGITS = 9  # of `${1}`
MAX_KNOWN_CHARACTERS = 4096  # of an argument: nested scripts may double it
ALL_ARGUMENTS = ("@", "*")
# What an unquoted `$1` becomes. A script that uses `IFS` has no known arguments.
FIELD = re.compile(r"[^ \t\n]+")


class WordSpellings:
    """The words of one script. `arguments` are its `$0`, `$1` and so on; None if unknown."""

    __slots__ = ("_arguments",)

    def __init__(self, arguments: Words | None) -> None:
        self._arguments = arguments

    def of(self, argument: ast.Argument) -> Words:
        """Return the words that a word becomes; braces make several, globs stay as they are."""
        if isinstance(argument, ast.Named):
            operator = "+=" if argument.append else "="
            values = [""] if argument.value is None else (
                self.of(argument.value) if isinstance(argument.value, ast.Word) else [None]
            )  # fmt: skip
            return [None if one is None else f"{argument.key}{operator}{one}" for one in values]
        if not isinstance(argument, ast.Word):
            return [None]
        if len(argument.parts) == 1 and self._arguments is not None:
            alone = self._words_of_part(argument.parts[0])
            if alone is not None:
                return alone
        return self._joined(argument.parts)

    def written_files(self, redirects: Sequence[ast.Redirection]) -> Words:
        """Return the files that redirections write to."""
        files: Words = []
        for one in redirects:
            if isinstance(one, ast.Redirect) and ">" in one.operator:
                files += [
                    text for text in self.of(one.target) if not is_descriptor(one.operator, text)
                ]
        return files

    def input_texts(self, redirects: Sequence[ast.Redirection]) -> Words:
        """Return the texts of here-documents and here-strings."""
        texts: Words = []
        for one in redirects:
            if isinstance(one, ast.Heredoc):
                texts += self._text_of(one.body)
            elif one.operator == "<<<":
                texts += self._text_of(one.target)
        return texts

    def _text_of(self, argument: ast.Argument) -> Words:
        """Return what a word becomes that is not divided at blanks."""
        if not isinstance(argument, ast.Word):
            return [None]
        return self._joined(argument.parts, is_quoted=True)

    def _words_of_part(self, part: Node) -> Words | None:
        """Return the words of `$1`, `$@` or `"$@"` that stands alone; None for all else."""
        assert self._arguments is not None
        is_quoted = isinstance(part, ast.DoubleQuoted) and len(part.parts) == 1
        inner = part.parts[0] if isinstance(part, ast.DoubleQuoted) and is_quoted else part
        if not isinstance(inner, ast.Variable):
            return None
        if inner.name in ALL_ARGUMENTS and not (is_quoted and inner.name == "*"):
            values = self._arguments[1:]
            if len(values) > MAX_SPELLINGS:  # nested scripts may double them
                return [None]
        elif is_digits(inner.name) and not is_quoted:
            values = [self._argument(inner.name)]
        else:
            return None
        if is_quoted:
            return values
        return [
            word for value in values for word in ([None] if value is None else FIELD.findall(value))
        ]

    def _argument(self, name: str) -> str | None:
        """Return the value of `$1`; None if it is not known, or too long."""
        if self._arguments is None or len(name) > MAX_NAME_DIGITS:
            return None
        place = int(name)
        value = self._arguments[place] if place < len(self._arguments) else ""
        return None if value is None or len(value) > MAX_KNOWN_CHARACTERS else value

    def _joined(self, parts: Sequence[Node], *, is_quoted: bool = False) -> Words:
        """Return every combination of the spellings of the parts."""
        combined: Words = [""]
        for part in parts:
            each = self._of_part(part, is_quoted)
            if len(combined) * len(each) > MAX_SPELLINGS:
                return [None]
            combined = [
                None if one is None or other is None else one + other
                for one in combined
                for other in each
            ]
        return combined

    def _of_part(self, part: Node, is_quoted: bool) -> Words:
        """Return the texts that a part of a word expands to; `$HOME` becomes `~`."""
        if isinstance(part, ast.Text | ast.Quoted | ast.Glob | ast.Tilde):
            return [part.value]
        if isinstance(part, ast.Variable):
            if is_digits(part.name):
                value = self._argument(part.name)
                is_word = value is None or is_quoted or FIELD.fullmatch(value) or not value
                return [value if is_word else None]
            return ["~" if part.name == "HOME" else None]
        if isinstance(part, ast.DoubleQuoted):
            return self._joined(part.parts, is_quoted=True)
        if isinstance(part, ast.Brace):
            return [one for branch in part.branches for one in self.of(branch)]
        return [None]


def is_descriptor(operator: str, text: str | None) -> bool:
    """Whether the target is a descriptor, as in `2>&1` and `>&-`."""
    return operator.endswith("&") and text is not None and (text.isdecimal() or text == "-")
