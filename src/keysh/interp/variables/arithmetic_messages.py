"""Messages of arithmetic in the bash dialect: what bash says of a malformed expression."""

from __future__ import annotations

import re

from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic

LITERAL = re.compile(r"(?:(\d+)#)?[\w@]*")
LAST_TOKEN = re.compile(r"(\w+|\S)\s*\Z")
OPERAND_EXPECTED = "syntax error: operand expected"
INVALID_OPERATOR = "syntax error: invalid arithmetic operator"
MAX_BASE = 64
# By the fact of keysh's own language; what follows the error's place is the token that bash shows.
FACTS_BY_OWN_FACT = {
    "expected an operator, found": "syntax error in expression",
    "expected a number or a name, found": OPERAND_EXPECTED,
    "only a variable can be assigned to": "attempted assignment to non-variable",
}
FACTS_BY_OPENER = {"`(`": "missing `)'", "`?`": "`:' expected for conditional expression"}


def with_error_token(fact: str, token: str) -> str:
    """Return a fact with the text at which bash stopped reading."""
    return f'{fact} (error token is "{token}")'


def bad_number_fact(rest: str) -> str:
    """Return what bash says of a number that is none; `rest` is the text that begins with it."""
    literal = LITERAL.match(rest)
    if literal is None or not literal[0]:
        return with_error_token(OPERAND_EXPECTED, rest)
    if rest[literal.end() :].startswith("."):
        return with_error_token(INVALID_OPERATOR, rest[literal.end() :])
    base = literal[1]
    is_base = base is None or 2 <= int(base[:3]) <= MAX_BASE
    fact = "value too great for base" if is_base else "invalid arithmetic base"
    return with_error_token(fact, literal[0])


def bad_number_in_bash(text: str) -> RuntimeDiagnostic:
    """E208: a number of the script that bash cannot read, such as `1.5` or `08`."""
    digits = text.strip()
    if "." in digits:
        fix = "a whole number; awk computes with fractions"
    else:
        fix = f"10#{digits}" if digits.isdecimal() else "digits that are below the base"
    problem = RuntimeDiagnostic("E208", bad_number_fact(digits), text, fix)
    problem.is_bad_literal = True
    return problem


def malformed_fact(text: str, fact: str, datum: str, start: int) -> str:
    """Return what bash says of an expression that cannot be parsed; keysh's fact if unknown."""
    rest = text[start:]
    if fact in FACTS_BY_OWN_FACT:
        return with_error_token(FACTS_BY_OWN_FACT[fact], rest)
    if fact == "a number or a name must follow":
        following = rest[len(datum) - 2 :].lstrip()
        if datum == "`:`" or following.startswith(":"):
            return with_error_token("expression expected", following or rest)
        return with_error_token(OPERAND_EXPECTED, following or rest)
    if fact == "not part of an arithmetic expression":
        is_after_operand = bool(re.search(r"[\w)\]]\s*\Z", text[:start]))
        return with_error_token(INVALID_OPERATOR if is_after_operand else OPERAND_EXPECTED, rest)
    if fact == "not closed" and datum in FACTS_BY_OPENER:
        last = LAST_TOKEN.search(text)
        return with_error_token(FACTS_BY_OPENER[datum], last[0] if last else "")
    return f"{fact}: {datum}" if datum not in ("", text) else fact
