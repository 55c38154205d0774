"""The operators of `test` for text, numbers and files."""

from __future__ import annotations

from keysh.interp.builtin_operations.file_tests import (
    FILE_COMPARISONS,
    FILE_TESTS,
    file_comparison,
    file_test,
)
from keysh.interp.builtin_operations.shell_tests import SHELL_TESTS, is_terminal
from keysh.interp.state.state_of_call import call_state, state_of
from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.call import Call

TEXT_TESTS: dict[str, Callable[[str], bool]] = {"-n": bool, "-z": lambda text: not text}
UNARY_OPERATORS = {*FILE_TESTS, *TEXT_TESTS, *SHELL_TESTS}

TEXT_COMPARISONS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda left, right: left == right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: bytes_of_text(left) < bytes_of_text(right),
    ">": lambda left, right: bytes_of_text(left) > bytes_of_text(right),
}
NUMBER_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda left, right: left == right,
    "-ne": lambda left, right: left != right,
    "-lt": lambda left, right: left < right,
    "-le": lambda left, right: left <= right,
    "-gt": lambda left, right: left > right,
    "-ge": lambda left, right: left >= right,
}
BINARY_OPERATORS = {*TEXT_COMPARISONS, *NUMBER_COMPARISONS, *FILE_COMPARISONS}


def unary_test(sh: Call, operator: str, operand: str) -> bool:
    """Evaluate a unary operator."""
    if operator in TEXT_TESTS:
        return TEXT_TESTS[operator](operand)
    if operator == "-t":  # works without a shell, too
        return is_terminal(call_state(sh), operand)
    if operator in SHELL_TESTS:
        return SHELL_TESTS[operator](state_of(sh), operand)
    return bool(operand) and file_test(call_state(sh), operator, sh.path(operand))


def binary_test(sh: Call, left: str, operator: str, right: str) -> bool:
    """Evaluate a binary operator."""
    if operator in TEXT_COMPARISONS:
        return TEXT_COMPARISONS[operator](left, right)
    if operator in NUMBER_COMPARISONS:
        return NUMBER_COMPARISONS[operator](need_number(sh, left), need_number(sh, right))
    here, there = (sh.path(operand) if operand else "" for operand in (left, right))
    return file_comparison(sh.fs, here, operator, there)


def need_number(sh: Call, text: str) -> int:
    number = number_of(text)
    if number is None:
        raise sh.fail(f"{text}: integer expression expected", 2)
    return number


def number_of(text: str) -> int | None:
    """Parse a 64-bit integer with optional blanks around it."""
    number = text.lstrip(" \t\n\v\f\r").rstrip(" \t")
    digits = number[number[:1] in ("+", "-") :]
    if digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) < 20:
        found = int(number)
        if -(1 << 63) <= found < 1 << 63:
            return found
    return None
