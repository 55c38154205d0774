"""Sources: the files that are to be put into an archive, found by their names."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.dates.time_zone import find_zone
from keysh.text.pattern import Pattern
from keysh.tools.unzip.members import modified_nanoseconds
from keysh.tools.zip.file import SourceFile
from keysh.vfs.api import identity
from keysh.vfs.paths import join, last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.zip.archive import ZipArchive
    from keysh.vfs.api import Stat

SECOND = 1_000_000_000
STDIN_NAME = "-"


class UnmatchedName(Exception):
    """A name that nothing was found for, and -MM."""


class SourceFinder:
    """Finds the files; `is_current` tells at the end that some were there, and none was newer."""

    def __init__(
        self, sh: Call, options: Mapping[str, Any], excluded: Sequence[str],
        included: Sequence[str], archive: ZipArchive,
    ) -> None:  # fmt: skip
        self.sh, self.options, self.archive = sh, options, archive
        self.excluded = [Pattern(text, extended=False) for text in excluded]
        self.included = [Pattern(text, extended=False) for text in included]
        self.zone = find_zone(sh.env.get("TZ"))
        self.is_current = False
        self.tree_patterns: list[tuple[Pattern, int]] = []  # of -R, and how many slashes each has
        self.stored_names: list[str] = []  # for -FS: the members that there are to be

    def files(self, names: Sequence[str]) -> Iterator[SourceFile]:
        """All files of these names, and with -r those in them."""
        for name in names:
            if name == STDIN_NAME:
                yield SourceFile(name, name, None)
                continue
            is_found = False
            for file in self._tree_files(name):
                is_found = True
                if self._is_wanted(file):
                    yield file
            if not is_found:
                self.archive.say(f"\tzip warning: name not matched: {name}\n")
                if self.options.get("must_match", 0) > 1:
                    raise UnmatchedName(name)

    def _tree_files(self, name: str) -> Iterator[SourceFile]:
        """What a name leads to; what is still to be looked at stands on a stack."""
        keeps_links = bool(self.options.get("symlinks"))
        stack: list[tuple[str, tuple[tuple[int, int], ...]]] = [(without_slash(name), ())]
        while stack:
            self.sh.tick()
            here, above = stack.pop()
            path = self.sh.path(here)
            try:
                found = self.sh.fs.stat(path, follow=not keeps_links)
            except OSError:
                continue
            if name.endswith("/") and here == without_slash(name) and not found.is_directory:
                continue
            which = identity(found)
            if which == self.archive.identity:
                continue
            stored = self._stored_name(here, found)
            if stored:
                yield SourceFile(here, stored, found)
            elif found.is_directory:
                yield SourceFile(here, "", found)
            recurses = self.options.get("recurse") or self.tree_patterns
            if found.is_directory and recurses and which not in above:
                inside = sorted(bytes_of_text(entry.name) for entry in self.sh.fs.list(path))
                inner = (*above, which)
                stack += [(join(here, text_of_bytes(entry)), inner) for entry in reversed(inside)]

    def _stored_name(self, path: str, found: Stat) -> str:
        """The name of a file's member; empty where it has none."""
        if found.is_directory and (self.options.get("no_dir_entries") or self._drops_directories):
            return ""
        steps = [step for step in path.split("/") if step not in ("", ".")]
        while steps and steps[0] == "..":
            steps.pop(0)
        if not steps:
            return ""
        name = last_step(path) if self._drops_directories else "/".join(steps)
        return f"{name}/" if found.is_directory else name

    @property
    def _drops_directories(self) -> bool:
        return bool(self.options.get("junk_paths"))

    def _is_wanted(self, file: SourceFile) -> bool:
        """Whether a file is to be put in."""
        found = file.found
        if not file.name or found is None or not (
            found.is_file or found.is_directory or found.is_link
        ):  # fmt: skip
            return False
        if any(pattern.matches(file.name) for pattern in self.excluded):
            return False
        if self.included and not any(pattern.matches(file.name) for pattern in self.included):
            return False
        tails = (
            (pattern, last_steps(file.name, slashes)) for pattern, slashes in self.tree_patterns
        )
        if self.tree_patterns and not any(pattern.matches(end) for pattern, end in tails):
            return False
        old = self.archive.member(file.name)
        if self.options.get("filesync"):
            self.stored_names.append(file.name)
            if old is not None and old.size == found.size * found.is_file:
                self.is_current = True
                return found.modified // SECOND != modified_nanoseconds(old, self.zone) // SECOND
            return True
        if self.options.get("freshen") and old is None:
            return False
        if old is not None and (self.options.get("freshen") or self.options.get("update")):
            self.is_current = True
            return found.modified // SECOND > modified_nanoseconds(old, self.zone) // SECOND
        return True


def last_steps(name: str, slashes: int) -> str:
    """The end of a name that has so many slashes."""
    return "/".join(name.split("/")[-slashes - 1 :])
