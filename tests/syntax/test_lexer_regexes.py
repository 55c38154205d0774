"""The regular expressions of the scanner."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules

import pytest

from keysh.syntax import lexer as modes
from keysh.syntax.lexer.lexeme import Lexeme
from keysh.syntax.lexer.scanner import MODE_MODULES, MODES, MODULE_MODES

MODULES = [import_module(f"{modes.__name__}.{one.name}") for one in iter_modules(modes.__path__)]
LEXEMES = [value for module in MODULES for value in vars(module).values()
           if isinstance(value, Lexeme)]  # fmt: skip


def test_each_module_defines_the_modes_listed_for_it() -> None:
    defined = {
        module.__name__.rpartition(".")[2]: tuple(mode.name for mode in module.MODES)
        for module in MODULES
        if isinstance(vars(module).get("MODES"), list)
    }
    assert defined == MODULE_MODES


@pytest.mark.parametrize(
    "lexeme", [*(MODES[name] for name in MODE_MODULES), *LEXEMES], ids=lambda one: one.pattern[:30]
)
def test_no_group_is_possessive(lexeme: Lexeme) -> None:
    """Before Python 3.11.5 such a group ends after an iteration that has failed halfway."""
    assert re.search(r"(?<!\\)\)(?:[*+?]|\{[^}]*\})\+", lexeme.pattern) is None
