"""Forward types: `State` and compiled bodies, for the modules that `State` itself is built from.

Those modules cannot import `State` without a cycle, so they accept anything here. Modules above
`State` use the exact types of closures.py.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    AnyState: TypeAlias = Any
    AnyCall: TypeAlias = Any
    AnyBody: TypeAlias = Callable[[AnyState], int]
    AnyExpression: TypeAlias = Callable[[AnyState], Any]
