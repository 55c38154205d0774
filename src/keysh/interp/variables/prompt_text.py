"""Prompt text, with escapes such as `\\w`: `$PS1` and `$PS4`, and `${x@P}` of the bash dialect."""

from __future__ import annotations

import re
from datetime import datetime

from keysh.diagnostics.display import visible
from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.specials import BASH_VERSION, NANOSECONDS_PER_SECOND
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State

PROMPT_ESCAPE = re.compile(r"\\D\{([^}]*)\}?|((?:\\[0-7]{3}|\\[0-7]{1,2}\Z)+)|\\(.)", re.DOTALL)
# What would begin an expansion in the text that an escape stands for.
ACTIVE_CHARACTER = re.compile(r"[$`\\]")
TIME_FORMATS = {
    "d": "%a %b %d", "t": "%H:%M:%S", "T": "%I:%M:%S", "@": "%I:%M %p", "A": "%H:%M",
}  # fmt: skip
CONTROL_CHARACTERS = {"a": "\a", "e": "\x1b", "n": "\n", "r": "\r"}
CARET_FORMS = {code: f"^{chr(code ^ 64)}" for code in (*range(32), 127)}
ELLIPSIS = "..."


def prompt_text(state: State, text: str) -> str:
    """Return a text with its escapes and then its variables expanded; it runs no command."""
    decoded = decoded_prompt(state, text)
    try:
        return text_of(state.compiler.expanded_text(decoded, state, is_data=True)(state))
    except ScriptError as error:
        first = error.diagnostics[0]
        raise RuntimeDiagnostic(first.code, first.fact, text, first.fix) from None


def decoded_prompt(
    state: State, text: str, *, is_expanded: bool = True, entered_commands: int = 0
) -> str:
    """Return a text with its escapes replaced; an unknown one stays as it is.

    With `is_expanded` the text is expanded afterwards, and what an escape stands for, such as the
    name of a directory, must not be. As in bash the characters of `\\044HOME` are expanded.
    """

    length = 0  # of what escapes stand for

    def replacement(match: re.Match[str]) -> str:
        time_format, octals, letter = match.groups()
        if octals is not None:
            codes = [int(octal, 8) & 255 for octal in octals.split("\\")[1:]]
            return bytes(filter(None, codes)).decode("utf-8", "surrogateescape")
        if letter == "\\" or (letter == '"' and is_expanded):
            return letter
        stands_for = (
            time_text(state, time_format or "%X")
            if letter is None
            else escape_text(state, letter, entered_commands)
        )
        if stands_for is None:
            return match[0]
        nonlocal length
        length += len(stands_for)
        state.check_size(length)
        return ACTIVE_CHARACTER.sub(r"\\\g<0>", stands_for) if is_expanded else stands_for

    return PROMPT_ESCAPE.sub(replacement, text)


def escape_text(state: State, letter: str, entered_commands: int) -> str | None:
    """Return what an escape such as `\\w` stands for; None if it is unknown."""
    if letter in TIME_FORMATS:
        return time_text(state, TIME_FORMATS[letter])
    if letter in CONTROL_CHARACTERS:
        return CONTROL_CHARACTERS[letter]
    if letter in "wW":
        return directory_text(state, letter)
    variables = state.variables
    host = visible(text_of(variables.get("HOSTNAME")))
    user = text_of(variables.get("USER")) or text_of(variables.get("LOGNAME")) or "user"
    texts = {
        "u": visible(user), "h": host.partition(".")[0], "H": host,
        "s": visible(state.name.rpartition("/")[2]), "j": str(len(state.session.jobs.running())),
        "v": "{}.{}".format(*BASH_VERSION), "V": "{}.{}.{}".format(*BASH_VERSION),
        "$": "$" if variables.get("EUID") else "#", "!": str(entered_commands + 1),
        "#": str(entered_commands), "l": "tty", "[": "", "]": "",
    }  # fmt: skip
    return texts.get(letter)


def directory_text(state: State, letter: str) -> str:
    """Return the working directory, its home as `~`; of `\\W` the last part."""
    home = text_of(state.variables.get("HOME"))
    directory = state.cwd
    if len(home) > 1 and (directory == home or directory.startswith(f"{home}/")):
        directory = "~" + directory.removeprefix(home)
    if letter == "W":
        directory = directory.rpartition("/")[2] or "/"
    else:
        directory = trimmed_directory(directory, text_of(state.variables.get("PROMPT_DIRTRIM")))
    return visible(directory.translate(CARET_FORMS))


def trimmed_directory(directory: str, kept_parts: str) -> str:
    """Return a directory of which only the last parts are shown, as `$PROMPT_DIRTRIM` says."""
    count = bounded_number(kept_parts) if is_digits(kept_parts) else 0
    start = "~/" if directory.startswith("~/") else ""
    rest = directory.removeprefix(start)
    if not 0 < count <= rest.count("/"):
        return directory
    tail = "/" + "/".join(rest.rsplit("/", count)[1:])
    is_shorter = len(rest) - len(tail) > len(ELLIPSIS)
    return f"{start}{ELLIPSIS}{tail}" if is_shorter else directory


def time_text(state: State, time_format: str) -> str:
    """Return the shell's time in a format."""
    seconds = state.session.clock() // NANOSECONDS_PER_SECOND
    return datetime.fromtimestamp(seconds).astimezone().strftime(time_format)
