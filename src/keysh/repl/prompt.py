"""The standard prompt: two lines, with the directory, the branch and how the last command ended."""

from __future__ import annotations

from keysh.diagnostics.display import display_width, visible
from keysh.vfs.paths import join, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.router import Router

MAX_PARENT_DIRECTORIES = 64  # to search for `.git`
MAX_HEAD_BYTES = 4096
SHORT_COMMIT_DIGITS = 7


def branch(fs: Router, directory: str) -> str:
    """Return the git branch or commit of a directory, read from its files; empty if none."""
    for _ in range(MAX_PARENT_DIRECTORIES):
        head = first_line(fs, join(directory, ".git/HEAD"))
        if not head:
            link = first_line(fs, join(directory, ".git"))  # of a worktree or a submodule
            if link.startswith("gitdir: "):
                head = first_line(fs, join(join(directory, link[8:]), "HEAD"))
        if head:
            return (
                head.removeprefix("ref: refs/heads/")
                if head[:5] == "ref: "
                else head[:SHORT_COMMIT_DIGITS]
            )
        if directory == "/":
            break
        directory = parent(directory)
    return ""


def first_line(fs: Router, path: str) -> str:
    """Return the first line of a file; empty if it cannot be read."""
    try:
        with fs.open(path) as stream:
            return stream.read(MAX_HEAD_BYTES).decode("utf-8", "replace").partition("\n")[0]
    except OSError:
        return ""


SLOW_COMMAND_SECONDS = 1.0  # the prompt shows the duration of slower commands

RESET, BOLD, DIM = "\x1b[0m", "\x1b[1m", "\x1b[2m"
RED, GREEN, BLUE, YELLOW = "\x1b[31m", "\x1b[32m", "\x1b[34m", "\x1b[33m"


class PromptFacts:
    """The facts that a prompt may show."""

    __slots__ = (
        "branch", "cwd", "home", "is_root", "jobs", "seconds", "status", "width",
    )  # fmt: skip

    def __init__(
        self,
        *,
        cwd: str,
        home: str,
        status: int = 0,
        seconds: float = 0.0,
        jobs: int = 0,
        branch: str = "",
        width: int = 80,
        is_root: bool = False,
    ) -> None:
        self.cwd, self.home = cwd, home
        self.status, self.seconds, self.jobs, self.branch = status, seconds, jobs, branch
        self.width, self.is_root = width, is_root


def shown_directory(facts: PromptFacts) -> str:
    """Return the directory, with `~` for the home directory."""
    home = facts.home.rstrip("/")
    if home and (facts.cwd == home or facts.cwd.startswith(f"{home}/")):
        return visible(f"~{facts.cwd[len(home) :]}")
    return visible(facts.cwd)


def duration_text(seconds: float) -> str:
    """Format a duration: 1.5s, 2m05s, 1h02m."""
    if seconds < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes}m{rest:02}s"
    return f"{minutes // 60}h{minutes % 60:02}m"


def standard_prompt(facts: PromptFacts) -> str:
    """Return two lines: the directory with other facts, and the prompt sign."""
    parts = [(shown_directory(facts), BOLD + BLUE)]
    if facts.branch:
        parts.append((visible(facts.branch), GREEN))
    if facts.status:
        parts.append((str(facts.status), RED))
    if facts.seconds >= SLOW_COMMAND_SECONDS:
        parts.append((duration_text(facts.seconds), DIM))
    if facts.jobs:
        parts.append((f"{facts.jobs} job{'s' if facts.jobs > 1 else ''}", YELLOW))
    room = facts.width - 1
    shown: list[str] = []
    for text, color in parts:
        # The end of a path says more than its start.
        text = text if shown or display_width(text) <= room else "…" + text[-max(1, room - 1) :]
        if display_width(text) > room:
            break
        room -= display_width(text) + 1
        shown.append(f"{color}{text}{RESET}")
    sign = "#" if facts.is_root else "$"
    return f"{' '.join(shown)}\n{RED if facts.status else ''}{sign}{RESET} "
