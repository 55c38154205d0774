"""shopt - show or switch shell options."""

from __future__ import annotations

from keysh.interp.run.options import SET_OPTIONS, SHOPT_OPTIONS, is_option_on, with_option
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command
from keysh.syntax.bash_differences import option_refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2))
def shopt(
    sh: Call,
    *names: str,
    set: bool = False,
    unset: bool = False,
    options: bool = False,
    print: bool = False,
    quiet: bool = False,
) -> str:
    """Show shell options, or turn them on or off.

    names ...      the options (default: all)
    -s, --set      turn on; without names show the options that are on
    -u, --unset    turn off; without names show the options that are off
    -o, --options  the options of `set -o`
    -p, --print    show options as commands
    -q, --quiet    print nothing; succeed if all the options are on
    """
    state = state_of(sh)
    if set and unset:
        raise sh.fail("cannot set and unset shell options simultaneously")
    valid_names = SET_OPTIONS if options else SHOPT_OPTIONS
    if names and (set or unset):
        for name in names:
            if name not in valid_names:
                refuse_name(sh, name, options)
                continue
            if refused := option_refusal(name, set, state.dialect):
                sh.warn(refused)
            state.flags = with_option(state.flags, name, set, state.dialect)
        return ""
    for name in names or valid_names:
        if name not in valid_names:
            refuse_name(sh, name, options)
            continue
        is_on = is_option_on(state.flags, name, state.dialect)
        if names and not is_on:
            sh.status = 1
        if quiet or (set and not is_on) or (unset and is_on):
            continue
        if not print:
            sh.out.write(f"{name:<15}\t{'on' if is_on else 'off'}\n")
        elif options:
            sh.out.write(f"set {'-' if is_on else '+'}o {name}\n")
        else:
            sh.out.write(f"shopt -{'s' if is_on else 'u'} {name}\n")
    return ""


def refuse_name(sh: Call, name: str, is_set_option: bool) -> None:
    """Report an option that does not exist."""
    sh.warn(f"{name}: invalid {'' if is_set_option else 'shell '}option name")
