"""The State, and what runs against it, as the modules name them that State is made of.

A state holds functions whose bodies run against it, and a session whose doors are handed it. If
these modules imported State, none of them could be understood without all others: they take
anything for one. What stands upon State says what it means, by `Body` of interp/run/closures.py.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    AnyState: TypeAlias = Any
    AnyBody: TypeAlias = Callable[[AnyState], int]
    AnyExpression: TypeAlias = Callable[[AnyState], Any]
