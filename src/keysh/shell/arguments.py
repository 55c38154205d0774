"""Given: what a host passes to a shell and to a run. What is of another kind is refused at once."""

from __future__ import annotations

from keysh.interp.run.limits import Cancel, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def refuse_settings(cwd: object, env: object, args: object, limits: object) -> None:
    """Raise TypeError for what no shell can be made with."""
    if not isinstance(cwd, str):
        refuse("cwd", "a str", cwd)
    if env is not None:
        refuse_environment(env)
    if isinstance(args, str | bytes) or not hasattr(args, "__iter__"):
        refuse("args", "a list of words", args, "args=['word']")
    if limits is not None and not isinstance(limits, Limits):
        refuse("limits", "Limits", limits, "Limits(seconds=5)")


def refuse_options(
    env: object, cwd: object, timeout: object, cancel: object, on_output: object
) -> None:
    """Raise TypeError for what no script can be run with."""
    if env is not None:
        refuse_environment(env)
    if cwd is not None and not isinstance(cwd, str):
        refuse("cwd", "a str", cwd)
    if timeout is not None:
        if not isinstance(timeout, int | float):
            refuse("timeout", "a number of seconds", timeout, "timeout=5")
        if timeout != timeout:  # nothing is over after so long
            raise ValueError("timeout must be a number of seconds, but is nan")
    if cancel is not None and not isinstance(cancel, Cancel):
        refuse("cancel", "a Cancel", cancel, "cancel=keysh.Cancel()")
    if on_output is not None and not callable(on_output):
        refuse("on_output", "a function", on_output, "on_output=lambda stream, text: …")


def refuse_environment(env: object) -> None:
    """Raise TypeError for variables that have no names."""
    if not hasattr(env, "items"):
        refuse("env", "a mapping", env, "env={'NAME': 'value'}")


def refuse_text(text: object) -> None:
    """Raise TypeError for a script that is no text."""
    if not isinstance(text, str):
        fix = "text.decode()" if isinstance(text, bytes | bytearray) else ""
        refuse("text", "a str", text, fix)


def refuse(name: str, wanted: str, given: object, fix: str = "") -> NoReturn:
    """Raise the TypeError that says what must be given instead."""
    hint = f"; write {fix}" if fix else ""
    raise TypeError(f"{name} must be {wanted}, but is {given!r:.60}{hint}")
