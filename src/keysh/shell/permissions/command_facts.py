"""What a host is told about a command that asks: its place, its files, the plan of its script."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State


def place_of(site: Site | None) -> tuple[str, int, int]:
    """Return the script, line and column of a command."""
    if site is None:
        return "", 0, 0
    line, column = site.source.position(site.node.start)
    return site.source.name, line, column


def plan_maker(site: Site | None) -> Callable[[], Any] | None:
    """Return what makes the plan of the script that a command stands in."""
    if site is None:
        return None
    source = site.source

    def plan() -> Any:
        from keysh.shell.plan import Plan  # noqa: PLC0415 - only if the host looks at it
        from keysh.syntax.parser import parse  # noqa: PLC0415 - as above

        return Plan(parse(source))

    return plan


def files_among(state: State, arguments: Sequence[str]) -> list[str]:
    """Return the arguments that are files, as paths without links."""
    from keysh.vfs.paths import join  # noqa: PLC0415 - only where a host is asked

    files = []
    for argument in arguments:
        path = join(state.cwd, argument)
        if argument and not argument.startswith("-") and state.fs.stat_or_none(path) is not None:
            files.append(state.fs.resolve(path))
    return files
