"""Prompt text: the standard prompt, and what the escapes of `PS1` stand for."""

from __future__ import annotations

import socket
from time import localtime, strftime

from keysh.diagnostics.display import display_width, visible
from keysh.vfs.paths import join, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.router import Router


# The branch of the git repository that a directory is in, read from its files.

DEPTH = 64  # directories that are looked through
MAX_HEAD_BYTES = 4096  # bytes of a file
SHOWN = 7  # digits of a commit


def branch(fs: Router, folder: str) -> str:
    """The branch, or the beginning of the commit; empty outside of a repository."""
    for _ in range(DEPTH):
        head = first_line(fs, join(folder, ".git/HEAD"))
        if not head:
            link = first_line(fs, join(folder, ".git"))  # of a worktree or a submodule
            if link.startswith("gitdir: "):
                head = first_line(fs, join(join(folder, link[8:]), "HEAD"))
        if head:
            return head.removeprefix("ref: refs/heads/") if head[:5] == "ref: " else head[:SHOWN]
        if folder == "/":
            break
        folder = parent(folder)
    return ""


def first_line(fs: Router, path: str) -> str:
    """The first line of a small file; empty where there is none."""
    try:
        with fs.open(path) as stream:
            return stream.read(MAX_HEAD_BYTES).decode("utf-8", "replace").partition("\n")[0]
    except OSError:
        return ""


SLOW = 1.0  # seconds from which on it is told how long a command took
MAX_PROMPT_CHARACTERS = 4000  # characters of PS1 that are looked at

RESET, BOLD, DIM = "\x1b[0m", "\x1b[1m", "\x1b[2m"
RED, GREEN, BLUE, YELLOW = "\x1b[31m", "\x1b[32m", "\x1b[34m", "\x1b[33m"


class Facts:
    """What a prompt can tell."""

    __slots__ = (
        "branch", "cwd", "home", "is_root", "jobs", "now", "seconds", "status", "user", "width",
    )  # fmt: skip

    def __init__(
        self,
        *,
        cwd: str,
        home: str,
        user: str = "",
        status: int = 0,
        seconds: float = 0.0,
        jobs: int = 0,
        branch: str = "",
        width: int = 80,
        is_root: bool = False,
        now: float = 0.0,
    ) -> None:
        self.cwd, self.home, self.user = cwd, home, user
        self.status, self.seconds, self.jobs, self.branch = status, seconds, jobs, branch
        self.width, self.is_root, self.now = width, is_root, now


def place(facts: Facts) -> str:
    """The directory, with `~` for the user's own."""
    home = facts.home.rstrip("/")
    if home and (facts.cwd == home or facts.cwd.startswith(f"{home}/")):
        return visible(f"~{facts.cwd[len(home) :]}")
    return visible(facts.cwd)


def lasted(seconds: float) -> str:
    """How long something took: 1.5s, 2m05s, 1h02m."""
    if seconds < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes}m{rest:02}s"
    return f"{minutes // 60}h{minutes % 60:02}m"


def standard(facts: Facts) -> str:
    """Two lines: the directory with what is worth telling, and the sign before what is written."""
    parts = [(place(facts), BOLD + BLUE)]
    if facts.branch:
        parts.append((visible(facts.branch), GREEN))
    if facts.status:
        parts.append((str(facts.status), RED))
    if facts.seconds >= SLOW:
        parts.append((lasted(facts.seconds), DIM))
    if facts.jobs:
        parts.append((f"{facts.jobs} job{'s' if facts.jobs > 1 else ''}", YELLOW))
    room = facts.width - 1
    shown: list[str] = []
    for text, colour in parts:
        # The end of a path tells more than its beginning.
        text = text if shown or display_width(text) <= room else "…" + text[-max(1, room - 1) :]
        if display_width(text) > room:
            break
        room -= display_width(text) + 1
        shown.append(f"{colour}{text}{RESET}")
    sign = "#" if facts.is_root else "$"
    return f"{' '.join(shown)}\n{RED if facts.status else ''}{sign}{RESET} "


def from_ps1(text: str, facts: Facts) -> str:
    """What bash's escapes make of a text; others stay as they are."""
    made: list[str] = []
    at = 0
    text = text[:MAX_PROMPT_CHARACTERS]
    while at < len(text):
        char = text[at]
        at += 1
        if char != "\\" or at >= len(text):
            made.append(char)
            continue
        char = text[at]
        at += 1
        digits = text[at - 1 : at + 2]
        if len(digits) == 3 and all(digit in "01234567" for digit in digits):
            made.append(chr(int(digits, 8)))
            at += 2
        else:
            made.append(escape(char, facts))
    return "".join(made)


def escape(char: str, facts: Facts) -> str:
    """What a backslash and a character mean."""
    plain = {"n": "\n", "a": "\a", "r": "\r", "e": "\x1b", "\\": "\\", "[": "", "]": ""}
    if char in plain:
        return plain[char]
    clocks = {"t": "%H:%M:%S", "T": "%I:%M:%S", "@": "%I:%M %p", "A": "%H:%M", "d": "%a %b %d"}
    if char in clocks:
        return strftime(clocks[char], localtime(facts.now))
    match char:
        case "w":
            return place(facts)
        case "W":
            shown = place(facts)
            return shown.rpartition("/")[2] or shown
        case "u":
            return visible(facts.user)
        case "h":
            return visible(socket.gethostname().partition(".")[0])
        case "H":
            return visible(socket.gethostname())
        case "$":
            return "#" if facts.is_root else "$"
        case "j":
            return str(facts.jobs)
        case "s":
            return "keysh"
    return f"\\{char}"
