"""tree - directories drawn as a tree."""

from __future__ import annotations

import stat as kinds

from keysh.commands.ls.names import sign_of
from keysh.runtime.human_size import human
from keysh.schema.declare import command
from keysh.text.lines import encoded
from keysh.text.pattern import Pattern as ShellPattern
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path, Pattern
    from keysh.vfs.api import Stat

BRANCH, LAST, THROUGH, BLANK = "├── ", "└── ", "│\xa0\xa0 ", "    "
KINDS = {kinds.S_IFREG: "file", kinds.S_IFDIR: "directory", kinds.S_IFLNK: "link"}


@command
def tree(
    sh: Call,
    *folders: Path,
    all: bool = False,
    directories: bool = False,
    dirsfirst: bool = False,
    full: bool = False,
    classify: bool = False,
    human_readable: bool = False,
    no_indent: bool = False,
    ignore: list[Pattern] | None = None,
    json: bool = False,
    level: int | None = None,
    no_report: bool = False,
    mode: bool = False,
    pattern: list[Pattern] | None = None,
    quote: bool = False,
    reverse: bool = False,
    size: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Draw directories and what is in them as a tree.

    folders ...               the directories; the current one where none are given
    -a, --all                 names that begin with a dot too
    -d, --directories         only directories
    --dirsfirst               directories before files
    -f, --full                whole paths
    -F, --classify            a sign behind names: / * | =
    -h, --human-readable      sizes as 4.0K
    -i, --no-indent           no lines and no indentation
    -I, --ignore PATTERN      leave out names that match; `a|b` are two patterns
    -J, --json                rows as JSON lines: path, name, type, depth, size, mode, target
    -L, --level DEPTH         no deeper than this
    --no-report, --noreport   no count at the end
    -p, --mode                each mode in letters
    -P, --pattern PATTERN     only files whose names match, and directories
    -Q, --quote               names in double quotes
    -r, --reverse             in the other order
    -s, --size                each size in bytes
    """
    if level is not None and level < 1:
        raise sh.fail("Invalid level, must be greater than 0.")
    drawing = Drawing(sh)
    drawing.flags = {name for name, value in sh.given if value is True}
    drawing.deepest = level
    drawing.wanted = alternatives(pattern)
    drawing.ignored = alternatives(ignore)
    for folder in folders or (".",):
        yield from drawing.draw(folder)
    if not (no_report or json):
        yield drawing.report()


def alternatives(patterns: list[str] | None) -> list[ShellPattern]:
    """Patterns, with those that `|` separates each by itself."""
    texts = [text for given in patterns or () for text in given.split("|")]
    return [ShellPattern(text, extended=False) for text in texts]


class Drawing:
    """A run, and what it has counted."""

    __slots__ = ("_files", "_folders", "_sh", "deepest", "flags", "ignored", "wanted")

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._files = self._folders = 0
        self.flags: set[str] = set()
        self.deepest: int | None = None
        self.ignored: list[ShellPattern] = []
        self.wanted: list[ShellPattern] = []

    def draw(self, top: str) -> Iterator[str | dict[str, object]]:
        """One directory and all below it. What is left to draw stands on a stack."""
        try:
            found = self._sh.fs.stat(self._sh.path(top), follow=True)
            inside = self._inside(top, 0) if found.is_directory else None
        except OSError:
            found, inside = None, None
        if found is None or inside is None:
            if found is None:
                self._sh.status = 2
            else:
                self._files += 1
            text = f'"{top}"' if "quote" in self.flags else top
            yield f"{self._facts(top)}{text}  [error opening dir]\n"
            return
        self._folders += bool(inside)
        yield self._shown(top, top, self._sh.fs.stat(self._sh.path(top)), "", 0)
        stack = [("", inside[::-1], top)]
        while stack:
            self._sh.tick()
            indent, left, above = stack[-1]
            if not left:
                stack.pop()
                continue
            name, found = left.pop()
            path = join(above, name)
            branch = LAST if not left else BRANCH
            yield self._shown(name, path, found, indent + branch, len(stack))
            if self._counts_as_folder(path, found):
                self._folders += 1
            else:
                self._files += 1
            if found.is_directory and (self.deepest is None or len(stack) < self.deepest):
                deeper = indent + (BLANK if not left else THROUGH)
                stack.append((deeper, self._inside(path, len(stack))[::-1], path))

    def report(self) -> str:
        """The counts."""
        folders = f"{self._folders} director{'y' if self._folders == 1 else 'ies'}"
        files = f", {self._files} file{'' if self._files == 1 else 's'}"
        return f"\n{folders}{'' if 'directories' in self.flags else files}\n"

    def _inside(self, path: str, depth: int) -> list[tuple[str, Stat]]:
        """What is drawn of a directory, in order."""
        found = []
        for entry in self._sh.fs.list(self._sh.path(path)):
            name = entry.name
            if name.startswith(".") and "all" not in self.flags:
                continue
            try:
                stat = self._sh.fs.stat(self._sh.path(join(path, name)))
            except OSError:
                continue
            if self._is_wanted(name, join(path, name), stat):
                found.append((name, stat))
        found.sort(key=lambda pair: encoded(pair[0]), reverse="reverse" in self.flags)
        if "dirsfirst" in self.flags:
            found.sort(key=lambda pair: not pair[1].is_directory)
        return found

    def _is_wanted(self, name: str, path: str, found: Stat) -> bool:
        if any(pattern.matches(name) for pattern in self.ignored):
            return False
        if self._counts_as_folder(path, found):
            return True
        if "directories" in self.flags:
            return False
        return not self.wanted or any(pattern.matches(name) for pattern in self.wanted)

    def _counts_as_folder(self, path: str, found: Stat) -> bool:
        """Whether it is a directory, or a link to one."""
        if not found.is_link:
            return found.is_directory
        try:
            return self._sh.fs.stat(self._sh.path(path), follow=True).is_directory
        except OSError:
            return False

    def _shown(
        self, name: str, path: str, found: Stat, lines: str, depth: int
    ) -> str | dict[str, object]:
        flags = self.flags
        target = self._sh.fs.read_link(self._sh.path(path)) if found.is_link and depth else ""
        if "json" in flags:
            return self._row(name, path, found, target, depth)
        text = path if "full" in flags else name
        if "quote" in flags:
            text, target = f'"{text}"', f'"{target}"' if target else ""
        if "classify" in flags and not (found.is_link and not depth):
            target += self._sign(path)
        behind = f" -> {target}" if found.is_link and depth else target
        front = self._facts(path)
        return f"{'' if 'no_indent' in flags else lines}{front}{text}{behind}\n"

    def _sign(self, path: str) -> str:
        """The sign of what a path leads to; where all are directories, there is none."""
        if "directories" in self.flags:
            return ""
        try:
            return sign_of(self._sh.fs.stat(self._sh.path(path), follow=True).mode, "classify")
        except OSError:
            return ""

    def _facts(self, path: str) -> str:
        """The mode and the size of what is at a path, where they are asked for."""
        try:
            found = self._sh.fs.stat(self._sh.path(path))
        except OSError:
            return ""
        facts = []
        if "mode" in self.flags:
            facts.append(kinds.filemode(found.mode))
        if "human_readable" in self.flags:
            facts.append(human(found.size).rjust(4))
        elif "size" in self.flags:
            facts.append(str(found.size).rjust(11))
        return f"[{' '.join(facts)}]  " if facts else ""

    def _row(self, name: str, path: str, found: Stat, target: str, depth: int) -> dict[str, object]:
        row: dict[str, object] = {
            "path": path,
            "name": name,
            "type": KINDS.get(kinds.S_IFMT(found.mode), "other"),
            "depth": depth,
            "size": found.size,
            "mode": f"{found.mode & 0o7777:04o}",
        }
        if target:
            row["target"] = target
        return row
