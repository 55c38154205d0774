"""Prompt text, with escapes such as `\\w`: `$PS4`, and `${x@P}` of the bash dialect."""

from __future__ import annotations

import re
from datetime import datetime

from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.specials import BASH_VERSION, NANOSECONDS_PER_SECOND
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State

PROMPT_ESCAPE = re.compile(r"\\(?:D\{([^}]*)\}|([0-7]{1,3})|(.))", re.DOTALL)
COMMAND_IN_TEXT = re.compile(r"(?<!\\)(?:\$\((?!\()|`)")
# What would begin an expansion in the text that an escape stands for.
ACTIVE_CHARACTER = re.compile(r"[$`\\]")
TIME_FORMATS = {
    "d": "%a %b %d", "t": "%H:%M:%S", "T": "%I:%M:%S", "@": "%I:%M %p", "A": "%H:%M",
}  # fmt: skip
CONTROL_CHARACTERS = {"a": "\a", "e": "\x1b", "n": "\n", "r": "\r"}


def prompt_text(state: State, text: str) -> str:
    """Return a text with its escapes and then its variables expanded; it runs no command."""
    if COMMAND_IN_TEXT.search(text):
        fact = "text is never run, and this prompt holds a command"
        fix = "run the command first, and put what it prints into the text"
        raise RuntimeDiagnostic("E208", fact, text, fix)
    return text_of(state.compiler.expanded_text(decoded_prompt(state, text))(state))


def decoded_prompt(state: State, text: str) -> str:
    """Return a text with its escapes replaced; what they stand for is not expanded later."""

    def replacement(match: re.Match[str]) -> str:
        time_format, octal, letter = match.groups()
        if octal is not None:
            return escape_active(chr(int(octal, 8) & 255))
        if time_format is not None:
            return escape_active(time_text(state, time_format or "%X"))
        stands_for = escape_text(state, letter)
        if stands_for is None:  # a backslash, which quotes what follows as in double quotes
            return "\\" if letter == "\\" else f"\\{letter}"
        return escape_active(stands_for)

    return PROMPT_ESCAPE.sub(replacement, text)


def escape_active(text: str) -> str:
    """Return text in which nothing is expanded."""
    return ACTIVE_CHARACTER.sub(r"\\\g<0>", text)


def escape_text(state: State, letter: str) -> str | None:
    """Return what an escape such as `\\w` stands for; None if it is unknown."""
    if letter in TIME_FORMATS:
        return time_text(state, TIME_FORMATS[letter])
    if letter in CONTROL_CHARACTERS:
        return CONTROL_CHARACTERS[letter]
    if letter in "wW":
        return directory_text(state, letter)
    host = text_of(state.variables.get("HOSTNAME"))
    texts = {
        "u": text_of(state.variables.get("USER")) or "user", "h": host.partition(".")[0],
        "H": host, "s": state.name.rpartition("/")[2], "j": str(len(state.session.jobs.jobs)),
        "v": "{}.{}".format(*BASH_VERSION), "V": "{}.{}.{}".format(*BASH_VERSION),
        "$": "$" if state.variables.get("EUID") else "#", "!": "1", "#": "1", "l": "tty",
        "[": "", "]": "",
    }  # fmt: skip
    return texts.get(letter)


def directory_text(state: State, letter: str) -> str:
    """Return the working directory, its home as `~`; of `\\W` the last part."""
    home = text_of(state.variables.get("HOME"))
    directory = state.cwd
    if home and (directory == home or directory.startswith(f"{home}/")):
        directory = "~" + directory.removeprefix(home)
    return directory.rpartition("/")[2] or "/" if letter == "W" else directory


def time_text(state: State, time_format: str) -> str:
    """Return the shell's time in a format."""
    seconds = state.session.clock() // NANOSECONDS_PER_SECOND
    return datetime.fromtimestamp(seconds).astimezone().strftime(time_format)
