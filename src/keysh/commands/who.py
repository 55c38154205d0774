"""who - who has logged in, and since when."""

from __future__ import annotations

from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call


@command
def who(
    sh: Call, *words: str, count: bool = False, heading: bool = False, json: bool = False
) -> Iterator[str]:
    """Print who has logged in: nobody does, in a shell inside a program.

    words ...      ignored, as in `who am i`
    -q, --count    only names, and how many
    -H, --heading  print a line of headings
    --json         rows as JSON lines, of which there are none
    """
    if json:
        return
    if count:
        yield "\n# users=0\n"
    elif heading:
        yield "NAME     LINE         TIME             COMMENT\n"
