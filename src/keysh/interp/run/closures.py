"""Bodies: what the texts of a script are compiled to. Each runs against a state."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from keysh.interp.state.state import State

    Body: TypeAlias = Callable[[State], int]
    Expression: TypeAlias = Callable[[State], Any]
