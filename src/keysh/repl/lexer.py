"""The lexer that prompt_toolkit calls: it highlights line by line."""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate

from prompt_toolkit.lexers import Lexer

from keysh.interp.engine.command_lookup import find_external
from keysh.repl.command_blocks import CommandBlocks
from keysh.repl.highlight import fragments, highlight_spans
from keysh.syntax.draft import MAX_DRAFT_TOKENS, Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from prompt_toolkit.document import Document
    from prompt_toolkit.formatted_text import StyleAndTextTuples

    from keysh.repl.command_blocks import CommandBlock
    from keysh.shell.shell import Shell

MAX_HIGHLIGHTED_CHARACTERS = 200_000  # longer texts are not highlighted

STYLE_RULES = {
    "keyword": "bold ansimagenta",
    "operator": "ansimagenta",
    "string": "ansigreen",
    "variable": "ansicyan",
    "key": "ansiyellow",
    "option": "ansiyellow",
    "substitution": "ansicyan",
    "glob": "ansiblue",
    "function": "bold ansiblue",
    "type": "ansiyellow",
    "command": "bold ansiblue",
    "unknown": "ansired",
    "comment": "italic ansibrightblack",
    "wrong": "underline ansired",
}


def style_classes(styles: str) -> str:
    """Return names of styles in the syntax of prompt_toolkit."""
    return " ".join(f"class:{style}" for style in styles.split())


STYLE_CLASSES = {style: style_classes(style) for style in STYLE_RULES}


class KeyshLexer(Lexer):
    """Highlights commands by whether they exist; the answers are cached for one line."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._blocks = CommandBlocks()
        self._known: dict[str, bool] = {}

    def forget(self) -> None:
        """Drop the caches: after a command has run, others may exist."""
        self._known.clear()
        self._blocks.forget()

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        text = document.text
        if len(text) > MAX_HIGHLIGHTED_CHARACTERS:
            lines = text.split("\n")
            return lambda number: [("", lines[number])] if number < len(lines) else []
        blocks = self._blocks.of(text, self._shell.state.dialect)
        tops = list(accumulate((block.height for block in blocks), initial=0))

        def line(number: int) -> StyleAndTextTuples:
            index = bisect(tops, number) - 1
            return self._lines(blocks[index])[number - tops[index]] if number < tops[-1] else []

        return line

    def _lines(self, block: CommandBlock) -> list[StyleAndTextTuples]:
        """Return the styled lines of a block, computed when it is first shown."""
        if block.lines is not None:
            return block.lines
        text = block.text
        draft = Draft(text, self._shell.state.dialect, most=MAX_DRAFT_TOKENS)
        # An unfinished end is no error while the user types there.
        wrong = [] if draft.is_incomplete else draft.error_spans
        line: StyleAndTextTuples = []
        styled = [line]
        for start, end, styles in fragments(
            text, highlight_spans(text, draft, self._is_known), wrong
        ):
            style = STYLE_CLASSES.get(styles) or style_classes(styles)
            piece = text[start:end]
            if "\n" not in piece:
                line.append((style, piece))
                continue
            first, *rest = piece.split("\n")
            if first:
                line.append((style, first))
            styled += ([(style, later)] if later else [] for later in rest)
            line = styled[-1]
        block.lines = styled
        return styled

    def _is_known(self, name: str) -> bool:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = is_command(self._shell, name)
        return known


def is_command(shell: Shell, name: str) -> bool:
    """Whether a name is a function, an alias, a command, a program or a script."""
    state = shell.state
    if name in state.functions or name in state.aliases or name in shell.registry.names():
        return True
    return find_external(state, name)[0] is not None
