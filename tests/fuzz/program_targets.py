"""Commands whose operand is a program or a form: awk, jq, sed, bc, sqlite3, printf, date."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fuzz import seeds
from fuzz.mutation import Mutator
from fuzz.runs import run
from keysh.text.chunks import bytes_of_text

LINES = "Amy  dev  70\nBob,ops\t50\n\n a: [1, 2.5]\nlast é line"
RECORDS = '{"a": [1, 2.5, null], "b": {"c": "é\\n"}}\n[true, "x", 1e3, -0]\n'


def maker_of(name: str) -> Callable[[Random], Callable[[], str]]:
    """Return the maker for the command that has a page of this name."""

    def maker(random: Random) -> Callable[[], str]:
        return Mutator(seeds.quoted(name), random).text

    return maker


def holder_of(script: str) -> Callable[[str], None]:
    """Return the property: the command with the input as its program ends in an ordinary way."""

    def holds(text: str) -> None:
        files = {
            "/program": bytes_of_text(text),
            "/lines": LINES.encode(),
            "/records": RECORDS.encode(),
        }
        run(script, files)

    return holds


SCRIPTS = {
    "awk": "awk -f /program /lines",
    "jq": "jq -f /program /records",
    "sed": "sed -E -f /program /lines; sed -n -f /program /lines",
    "bc": "bc -l /program < /dev/null; bc < /program",
    "sqlite3": "sqlite3 :memory: < /program",
    "printf": 'form=$(cat /program); printf "$form" 1 -2.5 x "" 0x1f \'"A\'; printf -- "$form"',
    "date": (
        'form=$(cat /program); date -u -d "$form"; date -u +"$form"; '
        'date -u -d "2024-02-29 12:00 $form" +%s'
    ),
    "patch": "cp /lines /a; patch -f /a < /program; patch -f -R -p0 < /program",
}
TARGETS = {name: (maker_of(name), holder_of(script)) for name, script in SCRIPTS.items()}
