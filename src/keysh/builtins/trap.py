"""trap - run code on exit, failure or a signal."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.engine.traps import STATUS_USAGE, TRAP_FLAGS, compiled_trap, function_depth
from keysh.interp.run.options import ERRTRACE, FUNCTRACE
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.shell_numbers import is_digits
from keysh.text.shell_quoting import single_quoted_text
from keysh.text.signal_names import SIGNAL_NAMES, SIGNAL_NUMBERS, signal_table, trap_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keysh.interp.engine.traps import Trap
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.types import Raw

# The options by which functions inherit a trap; these traps are listed after the signals.
INHERITING_OPTIONS = {"DEBUG": FUNCTRACE, "ERR": ERRTRACE, "RETURN": FUNCTRACE}


@command(refusals=Refusals(usage_status=2), style=OptionStyle(binds_by_key=False))
def trap(sh: Call, *words: Raw, list: bool = False, print: bool = False) -> str:
    """Run code when the shell exits, a command fails or a signal arrives.

    words ...    the code, then EXIT, ERR, DEBUG, RETURN or signals such as INT and
                 TERM; empty code ignores the signals; - or no code resets them
    -l, --list   list the signals
    -p, --print  show traps as commands, like `trap` alone
    """
    if list:
        return signal_table()
    state = state_of(sh)
    texts = expanded_texts(words)
    if print or not texts:
        return trap_lines(sh, state, texts)
    is_reset = len(texts) == 1 or is_digits(texts[0])
    code, names = ("-", texts) if is_reset else (texts[0], texts[1:])
    if len(texts) == 1 and trap_name(code := texts[0]) is None:
        raise sh.fail("usage: trap [-lp] [[arg] signal_spec ...]", STATUS_USAGE)
    set_traps(sh, state, "-" if is_reset else code, names)
    return ""


def trap_lines(sh: Call, state: State, names: Sequence[str]) -> str:
    """Return traps as commands: those named, or all."""
    selected = [found for name in names if (found := trap_name_or_warn(sh, name)) is not None]
    traps = {**(state.traps_above or {}), **state.traps}
    order = selected or sorted(traps, key=lambda name: SIGNAL_NUMBERS.get(name, len(SIGNAL_NAMES)))
    lines = []
    for name in order if selected or not names else ():
        if name in traps and is_visible_here(state, name, traps[name]):
            code = traps[name]
            prefix = "" if name == "EXIT" or name in INHERITING_OPTIONS else "SIG"
            lines.append(
                f"trap -- {single_quoted_text(code.text if code else '')} {prefix}{name}\n"
            )
    return "".join(lines)


def is_visible_here(state: State, name: str, trap: Trap | None) -> bool:
    """Whether a trap is visible in the current function."""
    return (
        trap is None
        or name not in INHERITING_OPTIONS
        or trap.is_active(state, INHERITING_OPTIONS[name])
    )


def trap_name_or_warn(sh: Call, text: str) -> str | None:
    """Return the canonical name of a trap; warn if the name is invalid."""
    name = trap_name(text)
    if name is None:
        sh.warn(f"{text}: invalid signal specification")
    return name


def set_traps(sh: Call, state: State, code: str, names: Iterable[str]) -> None:
    """Set or reset traps."""
    trap = None
    if code not in ("", "-"):
        try:
            trap = compiled_trap(state, code, state.dialect, function_depth(state))
        except ScriptError as error:
            message = f"the code is not a valid script\n{error}"
            raise sh.fail(message, STATUS_USAGE) from None
    state.traps_above = None
    for text in names:
        name = trap_name_or_warn(sh, text)
        if name is None:
            continue
        flag = TRAP_FLAGS.get(name, 0)
        if code == "-":
            state.traps.pop(name, None)
            state.flags &= ~flag
        else:
            state.traps[name] = trap
            state.flags |= flag
