"""The output style of diff, chosen by several options."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

DEFAULT_CONTEXT_LINES = 3
OPTION_STYLES = {
    "normal": "normal", "unified": "unified", "unified_form": "unified",
    "unified_lines": "unified", "context": "context", "context_form": "context",
    "context_lines": "context", "side_by_side": "side by side", "ed": "ed",
    "forward_ed": "forward ed", "rcs": "rcs", "ifdef": "ifdef",
}  # fmt: skip


def output_style(sh: Call) -> tuple[str, int]:
    """Return the output style and the number of context lines."""
    # `context_lines` is the largest number of the style options, `around` that of -NUM.
    style, context_lines, around = "", -1, -1
    is_explicit = False
    for name, value in sh.given:
        if name == "around":
            around = value
        if name not in OPTION_STYLES or value is False:
            continue
        if style not in ("", OPTION_STYLES[name]):
            raise UsageFailure("conflicting output style options")
        style = OPTION_STYLES[name]
        lines = -1
        if isinstance(value, str) and style in ("unified", "context"):
            if value and not is_digits(value):
                raise UsageFailure(f"invalid context length '{value}'")
            lines, is_explicit = bounded_number(value), True
        elif style in ("unified", "context"):
            lines = DEFAULT_CONTEXT_LINES
        context_lines = max(context_lines, lines)
    if not style and any(name == "show_c_function" for name, _ in sh.given):
        style, context_lines = "context", -1 if around >= 0 else DEFAULT_CONTEXT_LINES
    if around > context_lines or (0 <= around < context_lines and not is_explicit):
        context_lines = around
    has_context = style in ("context", "unified")
    return style or "normal", max(context_lines, 0) if has_context else 0


def macro_name(sh: Call) -> str:
    """Return the name for -D, which may be repeated but not changed."""
    names = [value for name, value in sh.given if name == "ifdef" and value is not None]
    for name in names[1:]:
        if name != names[0]:
            # GNU diff shows the group format that -D stands for.
            group_format = f"#ifndef {name}\n%<#endif /* ! {name} */\n"
            raise UsageFailure(f"conflicting -D option value '{group_format}'")
    return names[0] if names else ""


def column_count(text: str, what: str, maximum: int) -> int:
    """Return a positive number of columns."""
    if is_digits(text) and 0 < bounded_number(text) <= maximum:
        return bounded_number(text)
    raise UsageFailure(f"invalid {what} '{text}'")
