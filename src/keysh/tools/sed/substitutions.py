"""The Python code of `s`."""

from __future__ import annotations

from functools import partial

from keysh.text.regex.native.guards import replace_guard
from keysh.tools.sed.addresses import AddressCoder
from keysh.tools.sed.script import CaseChange
from keysh.tools.sed.substitute import MATCHES_PER_TICK, change_case, expand_replacement, nth_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from keysh.text.regex.native.guards import NativeGuard
    from keysh.tools.sed.script import SedReplacement, SedSubstitution

MAX_INLINE_PIECES = 20  # of a replacement that is written out in code


class SubstitutionCoder(AddressCoder):
    """Writes substitutions, the common ones in full."""

    def write_substitution(self, what: SedSubstitution) -> None:
        """Change the space; the caller goes on one level deeper with what is done on success."""
        regex, is_first = what.regex, what.number == 1
        is_far = not is_first and (what.is_global or what.number > MATCHES_PER_TICK)
        if regex is None or self.is_dynamic or is_far:
            self.write_general(what)
        elif regex.literal and what.replacement.plain is not None and is_first:
            self.write_literal(what, regex.literal, what.replacement.plain)
        elif what.is_global and regex.is_nullable:
            self.write_general(what)
        else:
            self.write_native(what, replace_guard(regex))

    def write_general(self, what: SedSubstitution) -> None:
        self.emit(f"made = m.substituted({self.constant(what)}, space)")
        self.write_success("made is not None", "made")

    def write_success(self, condition: str, made: str) -> None:
        """The head of what is done on success."""
        self.emit(f"if {condition}:")
        self.depth += 1
        self.emit(f"space = {made}")

    def write_literal(self, what: SedSubstitution, literal: str, plain: str) -> None:
        old, new = self.constant(literal), self.constant(plain)
        once = "" if what.is_global else ", 1"
        self.write_success(f"{old} in space", f"space.replace({old}, {new}{once})")

    def write_native(self, what: SedSubstitution, matching: NativeGuard) -> None:
        """By `re`, where it is allowed to, else the general way."""
        if matching.pattern is None:
            self.write_general(what)
            return
        guard = matching.guard_code("space")
        if can_be_inlined(what.replacement) and not what.is_global:
            search = f"(found := {self.search_code(what.number, matching.pattern)})"
            made = self.insertion_code(what.replacement)
            if not guard:
                self.write_success(search, made)
                return
            direct = f"made = {made} if {search} else None"
        elif what.number > 1:
            self.write_general(what)
            return
        else:
            times = 0 if what.is_global else 1
            subn = f"{self.constant(matching.pattern.subn)}({self.replacer_code(what)}, space, {times})"
            if not guard:
                self.emit(f"made, count = {subn}")
                self.write_success("count", "made")
                return
            direct = f"made = made[0] if (made := {subn})[1] else None"
        self.emit(f"if {guard}: {direct}")
        self.emit(f"else: made = m.substituted({self.constant(what)}, space)")
        self.write_success("made is not None", "made")

    def search_code(self, number: int, pattern: re.Pattern[str]) -> str:
        """The code of the match of a number in the space."""
        if number == 1:
            return f"{self.constant(pattern.search)}(space)"
        return f"{self.constant(nth_match)}({self.constant(pattern.finditer)}(space), {number})"

    def insertion_code(self, replacement: SedReplacement) -> str:
        """The code of the space with the match that is `found` replaced."""
        return self.join_code(replacement, "{space[:found.start()]}", "{space[found.end():]}")

    def replacer_code(self, what: SedSubstitution) -> str:
        """The name of what `re` puts in: a text, or a function of the match."""
        replacement = what.replacement
        if replacement.plain is not None:
            return self.constant(replacement.plain.replace("\\", "\\\\"))
        if not can_be_inlined(replacement):
            return self.constant(partial(expand_replacement, replacement))
        name = f"s{len(self.functions)}"
        self.functions.append(f"def {name}(found): return {self.join_code(replacement)}")
        return name

    def join_code(self, replacement: SedReplacement, before: str = "", behind: str = "") -> str:
        """The code that joins the pieces of a replacement; an f-string is the fastest."""
        codes: list[str] = []
        mode = once = ""
        for piece in replacement.pieces:
            if isinstance(piece, CaseChange):
                mode, once = piece.after(mode, once)
            elif isinstance(piece, str):
                codes.append(self.constant(change_case(piece, mode, once)))
                once = ""
            else:
                code = f"found[{piece}] or EMPTY" if piece else "found[0]"
                codes.append(f"in_case({code}, '{mode}', '{once}')" if mode or once else code)
                once = ""
        inside = "".join(f"{{{code}}}" for code in codes)
        return f'f"{before}{inside}{behind}"'


def can_be_inlined(replacement: SedReplacement) -> bool:
    """Whether a replacement can be written out: it is known where its case changes."""
    pieces = replacement.pieces
    if len(pieces) > MAX_INLINE_PIECES:
        return False
    # Behind `\\u` the next character counts, which an empty group leaves to what follows.
    return not any(
        isinstance(piece, CaseChange)
        and piece.letter in "ul"
        and not isinstance(pieces[at + 1], str)
        for at, piece in enumerate(pieces[:-2])
    )
