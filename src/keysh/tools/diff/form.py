"""The form of what diff prints: which options ask for one, and what they say of it."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.text.ls_colors import BadColors
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.diff.color import Palette
from keysh.tools.diff.formats import GROUP_KINDS, LINE_KINDS, Formats, ifdef
from keysh.tools.diff.group_format import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

EXIT_TROUBLE = 2
DEFAULT_CONTEXT_LINES = 3  # lines around a change
OPTION_STYLES = {
    "normal": "normal", "unified": "unified", "unified_form": "unified",
    "unified_lines": "unified", "context": "context", "context_form": "context",
    "context_lines": "context", "side_by_side": "side by side", "ed": "ed",
    "forward_ed": "forward ed", "rcs": "rcs", "ifdef": "merged", "line_format": "merged",
    **{f"{kind}_line_format": "merged" for kind in LINE_KINDS},
    **{f"{kind}_group_format": "merged" for kind in GROUP_KINDS},
}  # fmt: skip


def output_style(sh: Call) -> tuple[str, int]:
    """The form that is asked for, and how many lines stand around a change."""
    form, around, asked = "", -1, -1
    is_explicit = False
    for name, value in sh.given:
        if name == "around":
            asked = value
        if name not in OPTION_STYLES or value is False:
            continue
        if form not in ("", OPTION_STYLES[name]):
            raise UsageFailure("conflicting output style options")
        form = OPTION_STYLES[name]
        lines = -1
        if isinstance(value, str) and form in ("unified", "context"):
            if value and not is_digits(value):
                raise UsageFailure(f"invalid context length '{value}'")
            lines, is_explicit = bounded_number(value), True
        elif form in ("unified", "context"):
            lines = DEFAULT_CONTEXT_LINES
        around = max(around, lines)
    if not form and any(name == "show_c_function" for name, _ in sh.given):
        form, around = "context", -1 if asked >= 0 else DEFAULT_CONTEXT_LINES
    if asked > around or (0 <= asked < around and not is_explicit):
        around = asked
    return form or "normal", max(around, 0) if form in ("context", "unified") else 0


def formats_of(sh: Call) -> Formats:
    """The formats of the merged form."""
    groups: dict[str, str] = {}
    lines: dict[str, str] = {}
    for name, value in sh.given:
        option = "-D" if name == "ifdef" else f"--{name.replace('_', '-')}"
        kind, _, what = name.partition("_")
        if name == "ifdef":
            settle(groups, ifdef(value), option)
        elif name == "line_format":
            settle(lines, dict.fromkeys(LINE_KINDS, value), option)
        elif what == "line_format":
            settle(lines, {kind: value}, option)
        elif what == "group_format":
            settle(groups, {kind: value}, option)
    try:
        return Formats(groups, lines)
    except FormatError as error:
        raise sh.fail(str(error), EXIT_TROUBLE) from None


def settle(known: dict[str, str], given: dict[str, str], option: str) -> None:
    """Take formats that an option gives; what is known already is not to be another."""
    for kind, value in given.items():
        if known.setdefault(kind, value) != value:
            raise UsageFailure(f"conflicting {option} option value '{value}'")


def palette_of(sh: Call, text: str) -> Palette | None:
    """The colors; of a palette that cannot be read there are none, and that is no failure."""
    try:
        return Palette(text)
    except BadColors as error:
        for says in filter(None, (str(error), "unparsable value for --palette")):
            sh.note(says)
        return None


def column_count(text: str, what: str, most: int) -> int:
    """A number of columns, which is not 0."""
    if is_digits(text) and 0 < bounded_number(text) <= most:
        return bounded_number(text)
    raise UsageFailure(f"invalid {what} '{text}'")
