"""Cursor, the scanner's state, and LexicalMode, the rules of one mode.

A mode is a list of rules `(regular expression, action)`. An action is the type of the token that
the match becomes, or a function. A token is a tuple `(type, value, start, end)`: its value begins
at `start`, the whole token ends at `end`.
"""

from __future__ import annotations

from keysh.syntax.lexer.lexeme import Lexeme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence
    from typing import Any

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.diagnostics.source import Source

    Action = str | Callable[["Cursor", str, int], None]
    Rules = list[tuple[str, Action]]
    Token = tuple[str, Any, int, int]
    # Ends the reading of a text, by an exception, if it takes too long.
    Tick = Callable[[], object]
    Frame = tuple[str, int, "LexicalMode", int, "list[list[int]] | None"]

MAX_NESTING_DEPTH = 200  # constructs inside constructs
MAX_SCAN_ERRORS = 20  # a first scan stops after these; one that rereads finds all it can reread
CHARACTERS_PER_TICK = 4096  # scanned: at most as many tokens, of 1 us each
RULES_PER_LOOK = 256  # applied in one mode between two looks at how far the cursor is
NOTHING_REREAD: Mapping[int, str] = {}


class ScanAborted(Exception):
    """Scanning cannot continue; the reason is in the cursor's diagnostics."""


class LexicalMode(Lexeme):
    """One lexical mode: one expression of all its rules, and the action of each."""

    __slots__ = ("actions", "at_end", "name", "scan")

    def __init__(
        self,
        name: str,
        rules: Sequence[tuple[str, Action]],
        at_end: Callable[[Cursor], None],
        skip: str = "",
        scan: Callable[[Cursor], None] | None = None,
    ) -> None:
        super().__init__(skip + "(?:" + "|".join(pattern for pattern, _ in rules) + ")")
        self.name = name
        self.actions: list[Action] = ["", *(action for _, action in rules)]
        self.at_end = at_end
        self.scan = scan or apply_rules


class LateAction:
    """An action in a module that few scripts need.

    The first call imports the module and puts the function itself into the mode's rules.
    """

    __slots__ = ("_place",)

    def __init__(self, place: str) -> None:
        """`place` is `module.function`, in this folder."""
        self._place = place

    def __call__(self, cursor: Cursor, value: str, start: int) -> None:
        module, _, name = self._place.partition(".")
        # Not import_module: importing importlib takes longer than importing most modules here.
        home = __import__(f"keysh.syntax.lexer.{module}", fromlist=[name])
        action: Callable[[Cursor, str, int], None] = getattr(home, name)
        assert cursor.mode is not None
        actions = cursor.mode.actions
        actions[:] = [action if one is self else one for one in actions]
        action(cursor, value, start)


class Heredoc:
    """A heredoc: its operator and delimiter and, once scanned, its body.

    `depth` counts the constructs around it, `offsets` has the place of each character of the body.
    """

    __slots__ = (
        "body", "delimiter", "depth", "end", "is_unclosed", "offsets", "quoted", "start", "strips",
    )  # fmt: skip

    def __init__(
        self, start: int, end: int, delimiter: str, quoted: bool, strips: bool, depth: int
    ) -> None:
        self.start, self.end, self.depth = start, end, depth
        self.delimiter, self.quoted, self.strips = delimiter, quoted, strips
        self.body, self.is_unclosed = "", False
        self.offsets: Sequence[int] = range(1)

    def move_into(self, around: Sequence[int]) -> None:
        """Take its places from those in a part of a text to those of that part in the whole."""
        self.start, self.end = around[self.start], around[self.end]
        offsets = self.offsets
        if isinstance(offsets, range):  # a slice of a range takes no memory
            self.offsets = around[offsets.start : offsets.stop]
        else:
            self.offsets = [around[offset] for offset in offsets]


class Cursor:
    """A position in a text, the tokens before it, and the constructs open there.

    word_position  the position in the current command (positions.py)
    head           the index of the token that names the current command
    marks          token indexes: in a word with braces, of each open `{` and its commas; in a list,
                   of its beginning
    pending        heredocs whose bodies follow the next newline
    offsets        the offset in the source of each character of the text
    has_extglob    whether `shopt -s extglob` is among the tokens that have been looked at for it
    reread         how to read a `((` or `${` that a first scan could not, by its offset in the
                   source: `text`, `parentheses` or `substitution` (syntax/rereading.py)
    tick           called when the cursor has passed `tick_offset`, each 4,096 characters
    """

    __slots__ = (
        "word_position",
        "depth",
        "diagnostics",
        "head",
        "has_extglob",
        "has_joins",
        "heredocs",
        "is_incomplete",
        "is_stopped",
        "marks",
        "mode",
        "modes",
        "offsets",
        "pending",
        "offset",
        "reread",
        "source",
        "stack",
        "text",
        "tick",
        "tick_offset",
        "tokens",
        "tokens_seen_for_extglob",
        "trivia",
    )

    def __init__(
        self,
        source: Source,
        text: str,
        modes: dict[str, LexicalMode],
        start: str,
        offsets: Sequence[int],
        depth: int = 0,
        reread: Mapping[int, str] = NOTHING_REREAD,
        tick: Tick | None = None,
    ) -> None:
        self.source, self.text, self.modes = source, text, modes
        self.has_joins = "\\\n" in text  # few texts have a broken line: the others skip a check
        self.offsets, self.reread = offsets, reread
        self.tick, self.tick_offset = tick, CHARACTERS_PER_TICK
        self.offset, self.word_position, self.depth = 0, 0, depth
        self.mode: LexicalMode | None = modes[start]
        self.tokens: list[Token] = []
        self.has_extglob, self.tokens_seen_for_extglob = False, 0
        self.stack: list[Frame] = []
        self.marks: list[list[int]] | None = None
        self.head = -1
        self.pending: list[Heredoc] = []
        self.heredocs: list[Heredoc] = []
        self.trivia: list[tuple[str, int, int]] = []
        self.diagnostics: list[Diagnostic] = []
        self.is_stopped = self.is_incomplete = False

    def run(self) -> None:
        """Scan to the end of the text, or to an error that ends scanning."""
        try:
            while (mode := self.mode) is not None:
                mode.scan(self)
        except ScanAborted:
            self.is_stopped = True

    def look(self, offset: int) -> None:
        """Call `tick`: the cursor has passed `tick_offset`."""
        self.tick_offset = offset + CHARACTERS_PER_TICK
        if self.tick is not None:
            self.tick()

    def way_to_read(self, start: int) -> str:
        """Return how to read the `((` or `${` at an offset; "" as it is written."""
        return self.reread.get(self.offsets[start], "") if self.reread else ""

    def emit(self, kind: str, value: object, start: int) -> None:
        """Add the token that ends at the cursor."""
        self.tokens.append((kind, value, start, self.offset))

    def push(self, opener: str, start: int, mode: str) -> None:
        """Enter a mode; `opener` names the construct and is empty for a word."""
        assert self.mode is not None
        self.stack.append((opener, start, self.mode, self.word_position, self.marks))
        self.mode = self.modes[mode]
        self.marks = None
        if opener:
            self.depth += 1
            if self.depth > MAX_NESTING_DEPTH:
                self.stop_nesting(start, opener)

    def pop(self) -> Frame:
        """Leave the innermost construct."""
        frame = self.stack.pop()
        if frame[0]:
            self.depth -= 1
        self.mode, self.word_position, self.marks = frame[2], frame[3], frame[4]
        return frame

    def go_back(self, opening_tokens: Container[str]) -> None:
        """Leave the innermost construct as if it had not begun; its text can be read otherwise."""
        start = self.pop()[1]
        while True:
            kind, _, offset, _ = self.tokens.pop()
            if offset == start and kind in opening_tokens:
                break
        self.offset, self.head = start, -1
        self.tokens_seen_for_extglob = min(self.tokens_seen_for_extglob, len(self.tokens))
        while self.trivia and self.trivia[-1][1] >= start:
            self.trivia.pop()
        for heredocs in (self.heredocs, self.pending):
            while heredocs and heredocs[-1].start >= start:
                heredocs.pop()
        while self.diagnostics and self.diagnostics[-1].start >= self.offsets[start]:
            self.diagnostics.pop()

    def top(self) -> str:
        """Return the innermost construct; empty in a word and at the top level."""
        return self.stack[-1][0] if self.stack else ""

    def finish(self) -> None:
        """Note the end of the text."""
        self.offset = len(self.text)
        self.mode = None

    def report(
        self, code: str, start: int, end: int, fact: str, datum: str = "", fix: str = ""
    ) -> None:
        """Add a diagnostic and go on."""
        from keysh.diagnostics.diagnostic import Diagnostic  # noqa: PLC0415 - only for an error

        first, last = self.offsets[start], self.offsets[min(end, len(self.text))]
        self.diagnostics.append(Diagnostic(code, self.source, first, last, fact, datum, fix))
        if len(self.diagnostics) == MAX_SCAN_ERRORS and not self.reread:
            raise ScanAborted

    def stop(
        self, code: str, start: int, end: int, fact: str, datum: str = "", fix: str = ""
    ) -> None:
        """Add a diagnostic and stop scanning."""
        self.report(code, start, end, fact, datum, fix)
        raise ScanAborted

    def stop_nesting(self, start: int, opener: str) -> None:
        """Report that constructs nest too deeply, and stop scanning."""
        self.stop(
            "E113",
            start,
            start + len(opener),
            f"constructs nest more than {MAX_NESTING_DEPTH} deep",
            f"`{opener}`",
            "move the inner part into a function or a variable",
        )

    def stop_unclosed(self, start: int, opener: str, closer: str) -> None:
        """Report a quote that is not closed, and stop scanning."""
        self.is_incomplete = True
        self.stop(
            "E102",
            start,
            start + len(opener),
            "not closed",
            "a backtick" if opener == "`" else f"`{opener}`",
            "add a backtick" if closer == "`" else f"add `{closer}`",
        )


def apply_rules(cursor: Cursor) -> None:
    """Apply the rules of the current mode until it changes."""
    mode = cursor.mode
    assert mode is not None
    actions, text, append = mode.actions, cursor.text, cursor.tokens.append
    offset = cursor.offset
    while True:
        match = mode.match  # another one after its first call
        if offset >= cursor.tick_offset:
            cursor.look(offset)
        for _ in range(RULES_PER_LOOK):
            found = match(text, offset)
            if found is None:
                cursor.offset = offset
                mode.at_end(cursor)
            else:
                rule: int = found.lastindex  # type: ignore[assignment]  # each rule has one group
                action: Any = actions[rule]
                offset = found.end()
                if action.__class__ is str:
                    append((action, found[rule], found.start(rule), offset))
                    continue
                cursor.offset = offset
                action(cursor, found[rule], found.start(rule))
            if cursor.mode is not mode:
                return
            offset = cursor.offset
