"""Closure types: a compiled command (`Body`) and a compiled word or expression (`Expression`)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from keysh.interp.state.state import State

    Body: TypeAlias = Callable[[State], int]
    Expression: TypeAlias = Callable[[State], Any]
