"""basename - the last component of paths."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.vfs.paths import last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call


@command(compatible="GNU coreutils 9.1", style=OptionStyle(options_first=True))
def basename(
    sh: Call, *names: str, multiple: bool = False, suffix: str | None = None, zero: bool = False
) -> Iterator[str]:
    """Print the last component of a path, optionally without a suffix.

    names ...            a path and a suffix; with -a or -s, any number of paths (at
                         least 1)
    -a, --multiple       treat every operand as a path
    -s, --suffix SUFFIX  remove a trailing SUFFIX; implies -a
    -z, --zero           end each line with NUL, not with a newline
    """
    if not multiple and suffix is None:
        if len(names) > 2:
            raise UsageFailure(f"extra operand {locale_quoted_text(names[2])}")
        names, suffix = names[:1], "".join(names[1:])
    end = "\0" if zero else "\n"
    for path in names:
        name = last_step(path) or without_slash(path)
        yield (name if name == suffix else name.removesuffix(suffix or "")) + end
