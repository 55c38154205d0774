"""Find the files to put into an archive."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.dates.time_zone import find_zone
from keysh.text.pattern import name_matcher
from keysh.tools.unzip.members import modified_nanoseconds
from keysh.tools.zip.file import SourceFile
from keysh.vfs.api import identity
from keysh.vfs.paths import join, last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.text.pattern import NameMatcher
    from keysh.tools.zip.archive import ZipArchive
    from keysh.vfs.api import Stat

SECOND = 1_000_000_000
STDIN_NAME = "-"


class UnmatchedName(Exception):
    """A name matched no file, and -MM was given."""


class SourceFinder:
    """Finds the files. `is_current` is set if some exist and none is newer than its member."""

    def __init__(
        self, sh: Call, options: Mapping[str, Any], excluded: Sequence[str],
        included: Sequence[str], archive: ZipArchive,
    ) -> None:  # fmt: skip
        self.sh, self.options, self.archive = sh, options, archive
        self.excluded = [name_matcher(text, sh.tick) for text in excluded]
        self.included = [name_matcher(text, sh.tick) for text in included]
        self.zone = find_zone(sh.env.get("TZ"))
        self.is_current = False
        self.tree_patterns: list[tuple[NameMatcher, int]] = []  # of -R, with the number of slashes
        self.stored_names: list[str] = []  # for -FS: the members to keep

    def files(self, names: Sequence[str]) -> Iterator[SourceFile]:
        """Yield the files of these names, and with -r all below them."""
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
        """Yield the files of a name, walked with a stack."""
        keeps_links = bool(self.options.get("symlinks"))
        stack: list[tuple[str, tuple[tuple[int, int], ...]]] = [(without_slash(name), ())]
        while stack:
            self.sh.tick()
            current, parents = stack.pop()
            path = self.sh.path(current)
            try:
                stat = self.sh.fs.stat(path, follow=not keeps_links)
            except OSError:
                continue
            if name.endswith("/") and current == without_slash(name) and not stat.is_directory:
                continue
            file_identity = identity(stat)
            if file_identity == self.archive.identity:
                continue
            stored = self._stored_name(current, stat)
            if stored:
                yield SourceFile(current, stored, stat)
            elif stat.is_directory:
                yield SourceFile(current, "", stat)
            recurses = self.options.get("recurse") or self.tree_patterns
            if stat.is_directory and recurses and file_identity not in parents:
                names = sorted(bytes_of_text(entry.name) for entry in self.sh.fs.list(path))
                ancestors = (*parents, file_identity)
                stack += [
                    (join(current, text_of_bytes(entry)), ancestors) for entry in reversed(names)
                ]

    def _stored_name(self, path: str, stat: Stat) -> str:
        """Return the name of a file's member; empty if it has none."""
        if stat.is_directory and (self.options.get("no_dir_entries") or self._drops_directories):
            return ""
        steps = [step for step in path.split("/") if step not in ("", ".")]
        while steps and steps[0] == "..":
            steps.pop(0)
        if not steps:
            return ""
        name = last_step(path) if self._drops_directories else "/".join(steps)
        return f"{name}/" if stat.is_directory else name

    @property
    def _drops_directories(self) -> bool:
        return bool(self.options.get("junk_paths"))

    def _is_wanted(self, file: SourceFile) -> bool:
        """Whether the options select a file."""
        stat = file.stat
        if not file.name or stat is None or not (
            stat.is_file or stat.is_directory or stat.is_link
        ):  # fmt: skip
            return False
        if any(matches(file.name) for matches in self.excluded):
            return False
        if self.included and not any(matches(file.name) for matches in self.included):
            return False
        tails = (
            (matches, last_steps(file.name, slashes)) for matches, slashes in self.tree_patterns
        )
        if self.tree_patterns and not any(matches(end) for matches, end in tails):
            return False
        old_entry = self.archive.member(file.name)
        if self.options.get("filesync"):
            self.stored_names.append(file.name)
            if old_entry is not None and old_entry.size == stat.size * stat.is_file:
                self.is_current = True
                return (
                    stat.modified // SECOND != modified_nanoseconds(old_entry, self.zone) // SECOND
                )
            return True
        if self.options.get("freshen") and old_entry is None:
            return False
        if old_entry is not None and (self.options.get("freshen") or self.options.get("update")):
            self.is_current = True
            return stat.modified // SECOND > modified_nanoseconds(old_entry, self.zone) // SECOND
        return True


def last_steps(name: str, slashes: int) -> str:
    """Return the last components of a name, with `slashes` slashes."""
    return "/".join(name.split("/")[-slashes - 1 :])
