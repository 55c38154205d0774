"""Forward types: `State` and compiled bodies, for the modules that `State` itself is built from.

Those modules cannot import `State` without a cycle, so they accept anything here. Modules above
`State` use the exact types of closures.py.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeAlias

    AnyState: TypeAlias = Any
    AnyCall: TypeAlias = Any
    AnyBody: TypeAlias = Callable[[AnyState], int]
    AnyExpression: TypeAlias = Callable[[AnyState], Any]

    class NetworkRules(Protocol):
        """What a host allows over the network, as the commands ask for it."""

        @property
        def seconds(self) -> float: ...
        @property
        def most(self) -> int: ...
        @property
        def tls(self) -> Any: ...
        def refusal(self, method: str, host: str, port: int) -> str: ...
        def allows(self, address: str) -> bool: ...
