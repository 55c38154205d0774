"""Lexing: the highlighting, as the editor asks for it, line by line."""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate

from prompt_toolkit.lexers import Lexer

from keysh.interp.engine.meaning import find_external
from keysh.repl.blocks import Blocks
from keysh.repl.highlight import fragments, spans
from keysh.syntax.draft import MAX_DRAFT_TOKENS, Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from prompt_toolkit.document import Document
    from prompt_toolkit.formatted_text import StyleAndTextTuples

    from keysh.repl.blocks import Block
    from keysh.shell.shell import Shell

LONGEST = 200_000  # characters of a text that is still highlighted

STYLE = {
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


def classes(styles: str) -> str:
    """Names of styles as prompt_toolkit has them."""
    return " ".join(f"class:{style}" for style in styles.split())


CLASSES = {style: classes(style) for style in STYLE}


class KeyshLexer(Lexer):
    """Asks the shell which commands there are; what it has answered holds for one line."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._blocks = Blocks()
        self._known: dict[str, bool] = {}

    def forget(self) -> None:
        """A command has run: others may be there now."""
        self._known.clear()
        self._blocks.forget()

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        text = document.text
        if len(text) > LONGEST:
            lines = text.split("\n")
            return lambda number: [("", lines[number])] if number < len(lines) else []
        blocks = self._blocks.of(text)
        tops = list(accumulate((block.height for block in blocks), initial=0))

        def line(number: int) -> StyleAndTextTuples:
            index = bisect(tops, number) - 1
            return self._lines(blocks[index])[number - tops[index]] if number < tops[-1] else []

        return line

    def _lines(self, block: Block) -> list[StyleAndTextTuples]:
        """The lines of a block in their styles, which are looked for when it is shown."""
        if block.lines is not None:
            return block.lines
        text = block.text
        draft = Draft(text, most=MAX_DRAFT_TOKENS)
        # While one types at the end, what is missing there is not wrong yet.
        wrong = [] if draft.is_incomplete else draft.error_spans
        line: StyleAndTextTuples = []
        styled = [line]
        for start, end, styles in fragments(text, spans(text, draft, self._is_known), wrong):
            shown = CLASSES.get(styles) or classes(styles)
            piece = text[start:end]
            if "\n" not in piece:
                line.append((shown, piece))
                continue
            first, *rest = piece.split("\n")
            line.append((shown, first))
            styled += ([(shown, later)] for later in rest)
            line = styled[-1]
        block.lines = styled
        return styled

    def _is_known(self, name: str) -> bool:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = is_command(self._shell, name)
        return known


def is_command(shell: Shell, name: str) -> bool:
    """Whether a name means anything that can be run."""
    state = shell.state
    if name in state.functions or name in state.aliases or name in shell.registry.names():
        return True
    return find_external(state, name)[0] is not None
