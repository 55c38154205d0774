"""false - fail."""

from __future__ import annotations

from keysh.schema.declare import OptionStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(style=OptionStyle(has_help=False))
def false(sh: Call, *words: Raw) -> int:
    """Do nothing and fail.

    words ...  ignored
    """
    return 1
