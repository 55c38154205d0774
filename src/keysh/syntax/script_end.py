"""Where a script of bash ends before its text does: an archive, or notes after `exit`.

Bash reads line by line and never sees what is behind. keysh parses a whole text first, so where
that fails it tries the part up to a line that certainly ends the script.
"""

from __future__ import annotations

import re

from keysh.diagnostics.source import Source
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Also `'''exec' … "$0"`, with which a script that is Python, too, begins.
ENDING_LINE = re.compile(
    r"^(?:exit|return|['\"]*exec['\"]*[ \t]+[^ \t<>&|;\n-])[^\n]*\n", re.MULTILINE
)
MAX_TRIES = 20


def shorter_sources(source: Source, first_error: int) -> Iterator[Source]:
    """Yield the text up to each line before an error that may end the script, last one first."""
    ends = [found.end() for found in ENDING_LINE.finditer(source.text[:first_error])]
    for end in reversed(ends[-MAX_TRIES:]):
        yield Source(source.text[:end], source.name, source.dialect)


def ends_script(script: ast.Script) -> bool:
    """Whether the last command of a script ends it whatever happens before."""
    last = script.body.commands[-1] if script.body is not None else None
    if not isinstance(last, ast.Simple) or not last.arguments:
        return False
    return constant_text(last.arguments[0]) in ("exit", "exec", "return")
