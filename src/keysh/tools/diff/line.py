"""Output lines with their marks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.tools.diff.rules import DiffOptions


def marked_lines(
    mark: str, lines: Iterable[str], rules: DiffOptions, gap: str = ""
) -> Iterator[str]:
    """Yield lines behind a mark and a gap, which --initial-tab replaces with a tab."""
    for line in lines:
        if rules.suppress_blank and line == "\n":
            start = mark.rstrip(" ")
        else:
            start = mark + ("\t" if rules.initial_tab else gap)
        if rules.expand_tabs:
            line = line.expandtabs(rules.tab_size)
        yield start + line
        if not line.endswith("\n"):
            yield "\n\\ No newline at end of file\n"
