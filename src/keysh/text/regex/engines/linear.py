"""The linear engine: a deterministic automaton that is built while it runs.

A state is a set of program steps, and a dict from characters to states; missing entries are
computed once. If the program has assertions, the kind of the last character is part of a state.
Whether a match ends before a character is known only when the character is, so a state tells it
about the position before the character that led to it. The empty string is the border of the
text.
"""

from __future__ import annotations

from _thread import allocate_lock

from keysh.text.regex.engines.program import (
    ASSERT,
    CHARACTER,
    LAST_NEWLINE_MARK,
    MATCH,
    OTHER,
    SPLIT,
    RegexProgram,
    neighbour_kind,
)
from keysh.text.regex.regex_errors import RegexLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from keysh.text.regex.regex_tree import Node

    Tick: TypeAlias = Callable[[], object]

MAX_STATE_BYTES = 16 << 20  # of all automata of the process, before all states are dropped
EDGE_BYTES, STATE_BYTES, STEP_BYTES = 150, 500, 16
PROGRAM_STEP_BYTES = 150  # what an automaton is kept with while its states are counted
MAX_BUILD_STEPS = 20_000_000  # program steps examined while building, in one search
# Characters between two ticks.
MAX_PIECE_CHARACTERS, FIRST_PIECE_CHARACTERS, MIN_PIECE_CHARACTERS = 4096, 64, 4
BUILD_STEPS_PER_TICK = 40_000  # program steps examined while building


class StateMemory:
    """The states of all automata, which are built while they run, and dropped where they are many.

    An automaton makes the states that it needs again, also while it runs.
    """

    __slots__ = ("_automata", "_bytes", "_lock")

    def __init__(self) -> None:
        self._automata: dict[int, Automaton] = {}  # by id: each once
        self._bytes = 0
        self._lock = allocate_lock()

    def count(self, automaton: Automaton, size: int) -> None:
        """Count bytes that an automaton is about to add."""
        with self._lock:
            self._bytes += size
            self._automata[id(automaton)] = automaton
            if self._bytes <= MAX_STATE_BYTES:
                return
            automata = [*self._automata.values()]
            self._automata.clear()
            self._bytes = 0
        for one in automata:
            one.forget_states()


STATE_MEMORY = StateMemory()


class AutomatonState(dict[str, "AutomatonState"]):
    """A set of steps. `needs_attention` if a match ended or nothing follows."""

    __slots__ = ("automaton", "has_match", "is_dead", "left_kind", "needs_attention", "steps")

    def __init__(
        self, automaton: Automaton, steps: tuple[int, ...], left_kind: int, has_match: bool
    ) -> None:
        super().__init__()
        self.automaton, self.steps = automaton, steps
        self.left_kind, self.has_match = left_kind, has_match
        self.is_dead = not steps
        self.needs_attention = self.is_dead or has_match

    def __missing__(self, char: str) -> AutomatonState:
        made = self[char] = self.automaton.next_state(self, char)
        return made


class Automaton:
    """The states of one program. If it is unanchored, a match may start anywhere."""

    __slots__ = ("_start_states", "_states", "_work", "is_unanchored", "piece", "program")

    def __init__(self, program: RegexProgram, *, is_unanchored: bool = False) -> None:
        self.program, self.is_unanchored = program, is_unanchored
        self._work = 0
        self._states: dict[tuple[tuple[int, ...], int, bool], AutomatonState] = {}
        self._start_states: dict[int, AutomatonState] = {}
        self.piece = max(
            MIN_PIECE_CHARACTERS,
            min(MAX_PIECE_CHARACTERS, BUILD_STEPS_PER_TICK // len(program.steps)),
        )
        STATE_MEMORY.count(self, PROGRAM_STEP_BYTES * len(program.steps))

    def start_state(self, left_char: str) -> AutomatonState:
        """Return the state after a character."""
        self._work = 0
        kind = neighbour_kind(left_char) if self.program.has_assertions else OTHER
        state = self._start_states.get(kind)
        if state is None:
            state = self._start_states[kind] = AutomatonState(
                self, (self.program.start,), kind, False
            )
        return state

    def next_state(self, state: AutomatonState, char: str) -> AutomatonState:
        """Return the state that a character leads to."""
        STATE_MEMORY.count(self, EDGE_BYTES)
        program = self.program
        right = neighbour_kind(char) if program.has_assertions else OTHER
        has_match, targets = self.step_targets(state, char, right)
        if self.is_unanchored and char:
            targets[program.start] = None
        key = (tuple(sorted(targets)), right, has_match)
        next_state = self._states.get(key)
        if next_state is None:
            STATE_MEMORY.count(self, STATE_BYTES + STEP_BYTES * len(targets))
            next_state = self._states[key] = AutomatonState(self, *key)
        return next_state

    def forget_states(self) -> None:
        """Drop all states, also while one of them is in use."""
        for cached_state in (*self._states.values(), *self._start_states.values()):
            cached_state.clear()
        self._states.clear()

    def step_targets(
        self, state: AutomatonState, char: str, right_kind: int
    ) -> tuple[bool, dict[int, None]]:
        """Return whether a match ends before the character, and the steps after it."""
        steps, left_kind = self.program.steps, state.left_kind
        if self.program.is_backward:
            left_kind, right_kind = right_kind, left_kind
        has_match = False
        targets: dict[int, None] = {}
        seen = set(state.steps)
        todo = list(state.steps)
        while todo:
            step = steps[todo.pop()]
            kind = step[0]
            if kind == CHARACTER:
                if char and step[1].contains(char[0]):
                    targets[step[2]] = None
                continue
            if kind == MATCH:
                has_match = True
                continue
            if kind == SPLIT:
                following = step[1:]
            else:
                following = step[2:3] if kind != ASSERT or step[1][left_kind][right_kind] else ()
            for index in following:
                if index not in seen:
                    seen.add(index)
                    todo.append(index)
        self._work += len(seen)
        if self._work > MAX_BUILD_STEPS:
            raise RegexLimit
        return has_match, targets


class LinearEngine:
    """The automata of one pattern: is there a match, where can one start, where does it end."""

    __slots__ = ("_backward", "_forward", "_node", "_tester", "scanned_characters")

    def __init__(self, node: Node) -> None:
        self._node = node
        self._forward: Automaton | None = None
        self._backward: Automaton | None = None
        self._tester: Automaton | None = None
        self.scanned_characters = 0  # examined for the last end

    def has_match(self, text: str, tick: Tick | None = None) -> bool:
        """Whether there is a match anywhere in a string."""
        if self._tester is None:
            self._tester = Automaton(RegexProgram(self._node), is_unanchored=True)
        state, most = self._tester.start_state(""), self._tester.piece
        for piece in growing_pieces(self._tester.program, text, 0, most, most, tick):
            for char in piece:
                state = state[char]
                if state.needs_attention:
                    return True
        return state[""].has_match

    def match_starts(
        self, text: str, start: int, tick: Tick | None = None, *, not_bol: bool = False
    ) -> list[int]:
        """Return the positions from `start` on where a match starts, in reverse order."""
        if self._backward is None:
            self._backward = Automaton(
                RegexProgram(self._node, is_backward=True), is_unanchored=True
            )
        state = self._backward.start_state("")
        starts: list[int] = []
        position = len(text)
        if self._backward.program.has_perl_ends and position > start and text[-1] == "\n":
            state = state[LAST_NEWLINE_MARK]
            if state.has_match:
                starts.append(position)
            position -= 1
        while position > start:
            if tick is not None:
                tick()
            first = max(start, position - self._backward.piece)
            for char in reversed(text[first:position]):
                state = state[char]
                if state.has_match:
                    starts.append(position)
                position -= 1
        border = text[start - 1] if start else "\udcff" if not_bol else ""
        if state[border].has_match:
            starts.append(start)
        return starts

    def longest_end(
        self, text: str, start: int, tick: Tick | None = None, *, not_bol: bool = False
    ) -> int:
        """Return where the longest match at a position ends; -1 without a match."""
        if self._forward is None:
            self._forward = Automaton(RegexProgram(self._node))
        left_char = text[start - 1] if start else "\udcff" if not_bol else ""
        state = self._forward.start_state(left_char)
        end, position = -1, start
        pieces = growing_pieces(
            self._forward.program, text, start, FIRST_PIECE_CHARACTERS, self._forward.piece, tick
        )
        for piece in pieces:
            for char in piece:
                state = state[char]
                if state.needs_attention:
                    if state.has_match:
                        end = position
                    if state.is_dead:
                        self.scanned_characters = position - start
                        return end
                position += 1
        self.scanned_characters = position - start
        return len(text) if state[""].has_match else end


def growing_pieces(
    program: RegexProgram, text: str, start: int, size: int, most: int, tick: Tick | None
) -> Iterable[Iterable[str]]:
    """Yield the text from a position on in pieces that grow; a last newline may be marked."""
    size, end = min(size, most), len(text)
    has_mark = program.has_perl_ends and start < end and text[-1] == "\n"
    end -= has_mark
    while start < end:
        if tick is not None:
            tick()
        yield text[start : min(start + size, end)]
        start += size
        size = min(size * 2, most)
    if has_mark:
        yield (LAST_NEWLINE_MARK,)
