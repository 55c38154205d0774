"""The Python code of `s`."""

from __future__ import annotations

from functools import partial

from keysh.text.bounds.slices import MAX_SLICE_CHARACTERS
from keysh.text.regex.native.guards import replace_guard
from keysh.tools.sed.addresses import AddressCoder
from keysh.tools.sed.script import CaseChange
from keysh.tools.sed.substitute import MATCHES_PER_TICK, change_case, expand_replacement, nth_match

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from keysh.text.regex.native.guards import NativeGuard
    from keysh.tools.sed.script import SedReplacement, SedSubstitution

MAX_INLINE_PIECES = 20  # of a replacement that is written as an f-string


class SubstitutionCoder(AddressCoder):
    """Writes substitutions; the common ones are written inline."""

    def write_substitution(self, substitution: SedSubstitution) -> None:
        """Write a substitution. What the caller writes next, one level deeper, runs on success."""
        regex, is_first = substitution.regex, substitution.number == 1
        is_complex = not is_first and (
            substitution.is_global or substitution.number > MATCHES_PER_TICK
        )
        if regex is None or self.is_dynamic or is_complex:
            self.write_general(substitution)
        elif regex.literal and substitution.replacement.plain is not None and is_first:
            self.write_literal(substitution, regex.literal, substitution.replacement.plain)
        elif substitution.is_global and regex.is_nullable:
            self.write_general(substitution)
        else:
            self.write_native(substitution, replace_guard(regex))

    def write_general(self, substitution: SedSubstitution) -> None:
        self.emit(f"made = m.substitute({self.constant(substitution)}, space)")
        self.write_success("made is not None", "made")

    def write_success(self, condition: str, result: str) -> None:
        """Write the beginning of what is done on success."""
        self.emit(f"if {condition}:")
        self.depth += 1
        self.emit(f"space = {result}")

    def write_literal(self, substitution: SedSubstitution, literal: str, plain: str) -> None:
        old, new = self.constant(literal), self.constant(plain)
        once = "" if substitution.is_global else ", 1"
        self.write_success(f"{old} in space", f"space.replace({old}, {new}{once})")

    def write_native(self, substitution: SedSubstitution, matching: NativeGuard) -> None:
        """Write a substitution by `re` if the regex allows it, else in the general way."""
        if matching.pattern is None:
            self.write_general(substitution)
            return
        guard = matching.guard_code("space")
        if can_be_inlined(substitution.replacement) and not substitution.is_global:
            search = f"(found := {self.search_code(substitution.number, matching.pattern)})"
            result = self.insertion_code(substitution.replacement)
            if not guard:
                self.write_success(search, result)
                return
            direct = f"made = {result} if {search} else None"
        elif substitution.number > 1:
            self.write_general(substitution)
            return
        else:
            times = 0 if substitution.is_global else 1
            subn = self.constant(matching.pattern.subn)
            subn = f"{subn}({self.replacer_code(substitution, times)}, space, {times})"
            if not guard:
                self.emit(f"made, count = {subn}")
                self.write_success("count", "made")
                return
            direct = f"made = made[0] if (made := {subn})[1] else None"
        self.emit(f"if {guard}: {direct}")
        self.emit(f"else: made = m.substitute({self.constant(substitution)}, space)")
        self.write_success("made is not None", "made")

    def search_code(self, number: int, pattern: re.Pattern[str]) -> str:
        """Return the code that finds the match of a number in the space."""
        if number == 1:
            return f"{self.constant(pattern.search)}(space)"
        return f"{self.constant(nth_match)}({self.constant(pattern.finditer)}(space), {number})"

    def insertion_code(self, replacement: SedReplacement) -> str:
        """Return the code of the space with the match `found` replaced."""
        return self.join_code(replacement, "{space[:found.start()]}", "{space[found.end():]}")

    def replacer_code(self, substitution: SedSubstitution, times: int = 1) -> str:
        """Return the code of the replacement for `re`: a string, or a function of the match.

        Millions of replacements by a string would be one step; a function lets other threads go on.
        """
        replacement = substitution.replacement
        if replacement.plain is not None:
            name = self.constant(replacement.plain.replace("\\", "\\\\"))
            if times:
                return name
            function = self.constant(partial(constant_replacement, replacement.plain))
            return f"{name} if len(space) < {MAX_SLICE_CHARACTERS} else {function}"
        if not can_be_inlined(replacement):
            return self.constant(partial(expand_replacement, replacement))
        name = f"s{len(self.functions)}"
        self.functions.append(f"def {name}(found): return {self.join_code(replacement)}")
        return name

    def join_code(self, replacement: SedReplacement, before: str = "", behind: str = "") -> str:
        """Return the code that joins the pieces of a replacement; an f-string is the fastest."""
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
                codes.append(f"change_case({code}, '{mode}', '{once}')" if mode or once else code)
                once = ""
        inside = "".join(f"{{{code}}}" for code in codes)
        return f'f"{before}{inside}{behind}"'


def constant_replacement(text: str, found: object) -> str:
    return text


def can_be_inlined(replacement: SedReplacement) -> bool:
    """Whether a replacement can be written as an f-string."""
    pieces = replacement.pieces
    if len(pieces) > MAX_INLINE_PIECES:
        return False
    # `\\u` applies to the next character, which comes from a later piece if a group is empty.
    return not any(
        isinstance(piece, CaseChange)
        and piece.letter in "ul"
        and not isinstance(pieces[index + 1], str)
        for index, piece in enumerate(pieces[:-2])
    )
