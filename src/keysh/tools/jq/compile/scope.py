"""Scopes: the names visible in a part of a program, and their place in the environment."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.tools.jq.compile.code import Env, Filter
    from keysh.tools.jq.parse.syntax import JqNode


class JqFunction:
    """A function defined by a program; `code` is None while it is being compiled."""

    __slots__ = ("body", "code", "name", "parameters", "scope")

    def __init__(self, name: str, parameters: list[str], body: JqNode, scope: JqScope) -> None:
        self.name, self.parameters, self.body = name, parameters, body
        self.scope = scope  # the scope of the body, without the parameters
        self.code: Filter | None = None

    @property
    def key(self) -> str:
        """The name and arity: `name/2`."""
        return f"{self.name}/{len(self.parameters)}"


class JqScope:
    """Adds one name to `outer`. Functions have no place in the environment."""

    __slots__ = ("depth", "function", "name", "outer")

    def __init__(
        self, outer: JqScope | None, name: str, function: JqFunction | None = None
    ) -> None:
        self.outer, self.name, self.function = outer, name, function
        before = 0 if outer is None else outer.depth
        self.depth: int = before + (outer is not None and function is None)

    def find(self, name: str) -> JqScope | None:
        """Return the nearest scope that adds a name: `$x`, `*label`, `f/0`."""
        for scope in self.chain():
            if scope.name == name:
                return scope
        return None

    def chain(self) -> Iterator[JqScope]:
        """Yield this scope and the enclosing ones."""
        scope: JqScope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


def value_getter(distance: int) -> Callable[[Env], Any]:
    """Return a function that gets the value `distance` links out in an environment."""
    if distance == 0:
        return lambda env: env[0]
    if distance == 1:
        return lambda env: env[1][0]
    if distance == 2:
        return lambda env: env[1][1][0]

    def far(env: Env) -> Any:
        for _ in range(distance):
            env = env[1]
        return env[0]

    return far


def outer_environment(env: Env, distance: int) -> Env:
    """Return the environment `distance` links out."""
    for _ in range(distance):
        env = env[1]
    return env
