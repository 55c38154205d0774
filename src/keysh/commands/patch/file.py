"""The file that a patch is about: which it is, its lines, and what becomes of it."""

from __future__ import annotations

from keysh.runtime.call import shown, why
from keysh.runtime.streams import reader_of
from keysh.text.lines import encoded
from keysh.vfs.paths import parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.commands.patch.applying import Target
    from keysh.commands.patch.reading import FilePatch, Hunk
    from keysh.runtime.call import Call

TROUBLE = 2
NOWHERE = "/dev/null"
RULE = "-" * 26


class PatchedFile:
    """One file and the patch for it."""

    __slots__ = (
        "_base", "_patch", "_sh", "_strip", "is_dry", "is_forced", "is_forward", "is_new",
        "is_reversed", "is_silent", "keeps", "keeps_mismatch", "lines", "name", "output",
        "rejects", "removes_empty",
    )  # fmt: skip

    def __init__(self, sh: Call, patch: FilePatch, name: str | None, strip: int, base: str) -> None:
        self._sh, self._patch, self._strip, self._base = sh, patch, strip, base
        self.name = name or ""
        self.lines: list[str] = []
        self.output: str | None = None
        self.rejects: str | None = None
        self.is_new = self.is_dry = self.is_silent = self.is_forward = self.is_forced = False
        self.is_reversed = False
        self.keeps = self.keeps_mismatch = self.removes_empty = False

    # ------------------------------------------------------------ which file

    def find(self) -> bool:
        """Find the file and read it; whether there is one to change."""
        names = self._patch.names
        creates = names.get("old") == NOWHERE or self._is_for_nothing()
        if not self.name:
            self.name = self._chosen(creates)
        if not self.name:
            self._tell_lost()
            return False
        try:
            reader = reader_of(self._sh.open(self._base + self.name))
            self.lines = lines_of(reader.read())
            reader.close()
        except FileNotFoundError:
            self.is_new = True
        except OSError as error:
            says = f"**** Can't open file {shown(self.name)} : {why(error)}"
            raise self._sh.fail(says, TROUBLE) from None
        return True

    def _is_for_nothing(self) -> bool:
        """Whether the only hunk looks for no lines at the start of a file."""
        hunks = self._patch.hunks
        return len(hunks) == 1 and not hunks[0].old and hunks[0].old_start <= 1

    def _chosen(self, creates: bool) -> str:
        """The best of the names that the patch gives: of those that exist, the shortest.

        Without one that exists, the file is made only by a patch that makes one.
        """
        found: list[str] = []
        for side in ("old", "new", "index"):
            name = self._patch.names.get(side, NOWHERE)
            stripped = self._stripped(name) if name != NOWHERE else ""
            if stripped:
                found.append(stripped)
        present = [name for name in found if self._is_there(name)]
        if present:
            return min(present, key=lambda name: (name.count("/"), len(base_of(name)), len(name)))
        return found[-1] if found and creates else ""

    def _stripped(self, name: str) -> str:
        """A name without its first directories, or where no number is given, without any."""
        if self._strip < 0:
            return base_of(name)
        parts = [part for part in name.split("/") if part] if self._strip else [name]
        if name.startswith("/") and self._strip:
            parts.insert(0, "")
        return "/".join(parts[self._strip :])

    def _is_there(self, name: str) -> bool:
        try:
            self._sh.fs.stat(self._sh.path(self._base + name), follow=True)
        except OSError:
            return False
        return True

    def _tell_lost(self) -> None:
        """Say that the patch is for no file that is there."""
        sh, count = self._sh, len(self._patch.hunks)
        what = "used the wrong" if self._strip >= 0 else "should have used the"
        titles = "".join(
            f"|{mark} {self._patch.titles[side]}\n"
            for mark, side in (("---", "old"), ("+++", "new"))
            if side in self._patch.titles
        )
        sh.out.write(
            f"can't find file to patch\nPerhaps you {what} -p or --strip option?\n"
            f"The text leading up to this was:\n{RULE}\n{titles}{RULE}\n"
            f"No file to patch.  Skipping patch.\n{count} out of {count} {hunks(count)} ignored\n"
        )
        sh.status = max(sh.status, 1)

    # ------------------------------------------------------------ changing it

    def change(self, target: Target) -> None:
        """Apply the hunks, tell of them, and write what has come of it."""
        sh, patch = self._sh, self._patch
        if not self.is_silent:
            verb = "checking" if self.is_dry else "patching"
            renamed = f"{self.output} (read from {shown(self.name)})" if self.output else ""
            self._say(f"{verb} file {renamed or shown(self.name)}\n")
        if not self.is_forced and self._is_applied(target):
            self._skip()
            return
        failed: list[tuple[Hunk, int]] = []  # each with how far the result is ahead of the file
        is_exact = True
        for number, hunk in enumerate(patch.hunks, 1):
            sh.tick()
            fit = target.apply(hunk)
            if not fit.line:
                failed.append((hunk, target.ahead))
                if not self.is_silent:
                    self._say(f"Hunk #{number} FAILED at {hunk.old_start + target.ahead}.\n")
                continue
            is_exact = is_exact and not (fit.fuzz or fit.offset)
            if (fit.fuzz or fit.offset) and not self.is_silent:
                fuzz = f" with fuzz {fit.fuzz}" if fit.fuzz else ""
                lines = "line" if fit.offset == 1 else "lines"
                offset = f" (offset {fit.offset} {lines})" if fit.offset else ""
                self._say(f"Hunk #{number} succeeded at {fit.line}{fuzz}{offset}.\n")
        if not self.is_new or len(failed) < len(patch.hunks):
            self._write(target.finished(), is_exact and not failed)
        if failed:
            self._reject(failed, f"{len(failed)} out of {len(patch.hunks)} "
                                 f"{hunks(len(patch.hunks))} FAILED")  # fmt: skip

    def _say(self, text: str) -> None:
        """Print what is done, beside the file where that is printed itself."""
        (self._sh.err if self.output == "-" else self._sh.out).write(text)

    def _is_applied(self, target: Target) -> bool:
        """Whether the first hunk fits nowhere, but taken back it would."""
        first = self._patch.hunks[0]
        if target.fits(first):
            return False
        return target.fits(first.reversed())

    def _skip(self) -> None:
        """Leave out a patch that is applied already: nobody can be asked."""
        count = len(self._patch.hunks)
        what = "Unreversed" if self.is_reversed else "Reversed (or previously applied)"
        asks = "Ignore" if self.is_reversed else "Assume"
        says = f"{what} patch detected!  "
        rest = f"{asks} -R? [n] \nApply anyway? [n] \nSkipping patch.\n"
        if self.is_forward:
            rest = "Skipping patch.\n"
        self._say(says + rest)
        self._reject(
            [(hunk, 0) for hunk in self._patch.hunks],
            f"{count} out of {count} {hunks(count)} ignored",
        )

    def _write(self, lines: list[str], is_exact: bool) -> None:
        """Write the file, or take it away where nothing is left of it."""
        if self.is_dry:
            return
        sh, path = self._sh, self._base + self.name
        data = encoded("".join(lines))
        if self.output is not None:
            if self.output == "-":
                sh.out.write("".join(lines))
            else:
                write(sh, self._base + self.output, data)
            return
        is_kept = self.keeps or (self.keeps_mismatch and not is_exact)
        if is_kept:
            write(sh, f"{path}.orig", encoded("".join(self.lines)))
        is_removed = self.removes_empty or self._patch.names.get("new") == NOWHERE
        if not data and is_removed and not self.is_new:
            sh.fs.remove(sh.path(path))
            return
        if self.is_new:
            make_folders(sh, parent(sh.path(path)))
        write(sh, path, data)

    def _reject(self, failed: list[tuple[Hunk, int]], says: str) -> None:
        """Tell of the hunks that fit nowhere and write them to a file of their own."""
        sh = self._sh
        sh.status = max(sh.status, 1)
        name = self.rejects or f"{self.output or self.name}.rej"
        if self.is_dry or name == "-":
            self._say(f"{says}\n")
            return
        self._say(f"{says} -- saving rejects to file {shown(name)}\n")
        titles = self._patch.titles
        text = [f"--- {titles.get('old', self.name)}\n", f"+++ {titles.get('new', self.name)}\n"]
        for hunk, ahead in failed:
            old = span(hunk.old_start + ahead, len(hunk.old))
            new = span(hunk.new_start + ahead, len(hunk.new))
            text.append(f"@@ -{old} +{new} @@\n")
            for mark, line in hunk.lines:
                text.append(mark + line)
                if not line.endswith("\n"):
                    text.append("\n\\ No newline at end of file\n")
        write(sh, self._base + name, encoded("".join(text)))


def lines_of(text: str) -> list[str]:
    """The lines of a text, with their newlines."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])


def base_of(name: str) -> str:
    """The last step of a name."""
    return name.rpartition("/")[2]


def hunks(count: int) -> str:
    """The word for so many of them."""
    return "hunk" if count == 1 else "hunks"


def span(start: int, count: int) -> str:
    """The number of the first line of a hunk and how many there are."""
    return str(start) if count == 1 else f"{start - (not count)},{count}"


def make_folders(sh: Call, path: str) -> None:
    """Make a directory and those above it that are missing."""
    missing = []
    while path != "/":
        try:
            sh.fs.stat(path, follow=True)
            break
        except FileNotFoundError:
            missing.append(path)
            path = parent(path)
    for one in reversed(missing):
        sh.fs.make_directory(one)


def write(sh: Call, path: str, data: bytes) -> None:
    """Write a file."""
    with sh.open(path, "w") as stream:
        stream.write(data)
