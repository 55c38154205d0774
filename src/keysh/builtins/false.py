"""false - fail."""

from __future__ import annotations

from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(help=False)
def false(sh: Call, *words: Raw) -> int:
    """Fail, whatever the words.

    words ...  ignored
    """
    return 1
