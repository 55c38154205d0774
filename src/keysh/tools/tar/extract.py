"""Extract: the members of an archive are listed, compared, printed, or become files.

Nothing is made outside of the directory: names lose what leads out of it, those with `..` are
refused, and links that could lead out are made last, so that no member is written through one.
"""

from __future__ import annotations

from keysh.archive import tar_reader as tar
from keysh.archive.byte_source import Damaged
from keysh.archive.tar_reader import Reader
from keysh.text.chunks import decoded, encoded
from keysh.tools.tar.carrier import Unpacking
from keysh.tools.tar.compare import Comparison
from keysh.tools.tar.files import Files
from keysh.tools.tar.listing import Listing, decoded_name
from keysh.tools.tar.matching import Exclusion, Selection
from keysh.tools.tar.names import FATAL, TARGETS, Safety, fatal, shown_name, without_steps
from keysh.tools.tar.settings import see_folder
from keysh.tools.tar.totals import Totals
from keysh.tools.tar.transform import LINKS, NAMES, SYMLINKS, transformed
from keysh.vfs.paths import bare, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.archive.tar_reader import Member
    from keysh.interp.state.call import Call
    from keysh.tools.tar.settings import Settings

GLOB = "*?["


class Extractor:
    """One run of -x, -t or -d."""

    def __init__(self, sh: Call, settings: Settings) -> None:
        self.sh, self.settings = sh, settings
        self.safety = Safety(sh, is_off=settings.has("absolute_names"))
        self.excluded = Exclusion(settings.excluded, sh.tick)
        self.listing = Listing(sh, settings, self.safety)
        self.selection = Selection(settings.operands, sh.tick)
        self.files = Files(sh, settings, self.safety)
        self.comparison = Comparison(sh, settings, self.safety)
        self.steps = settings.options.get("strip_components", 0)

    def run(self) -> Iterator[object]:
        """List, compare, print or make each member that is asked for; what is printed."""
        if self.settings.mode == "x":
            for folder in {operand.folder for operand in self.settings.operands} or {
                self.settings.folder
            }:
                see_folder(self.sh, self.settings, folder)
        totals = Totals(self.sh)
        archive = Unpacking(self.sh, self.settings)
        reader = Reader(archive.source, ignores_zeros=self.settings.has("ignore_zeros"))
        try:
            for member in reader.members():
                self.sh.tick()
                self.say(reader)
                yield from self.one(reader, member)
            self.say(reader)
            archive.read_up()
        except Damaged as damaged:
            self.say(reader)
            is_end = damaged.fault == "end"
            says = "Unexpected EOF in archive" if is_end else "Malformed header in archive"
            self.files.finish()
            raise fatal(self.sh, says) from None
        finally:
            archive.close()
        self.files.finish()
        self.tell_missing()
        if self.settings.has("totals"):
            size, record = archive.source.count, self.settings.record
            totals.size = size + -size % record
            totals.tell("read")

    def say(self, reader: Reader) -> None:
        """Print what the reader has noted."""
        for message, is_failure in reader.warnings:
            if is_failure:
                self.sh.warn(message, FATAL)
            else:
                self.sh.note(message)
        reader.warnings.clear()

    def one(self, reader: Reader, member: Member) -> Iterator[object]:
        name = decoded_name(member.name)
        if member.is_directory and not name.endswith("/"):
            name += "/"
        folder = self.folder_of(member, name)
        if folder is None:
            return
        original, name = name, self.changed(member, name)
        shown = name if self.settings.has("show_transformed_names") else original
        if self.settings.mode == "t":
            yield from self.listed(member, shown)
            return
        if self.settings.mode == "d":
            if self.settings.verbosity:
                yield self.listing.line(member, shown, is_long=self.settings.verbosity > 1)
            inside = self.below_top(without_steps(self.safety.inside(bare(name)), self.steps))
            yield from self.comparison.lines(member, inside, folder, reader)
            return
        inside = self.safety.inside(bare(name))
        if member.kind == tar.LINK:
            self.safety.inside(decoded_name(member.link), TARGETS)
        if not self.safety.is_off and ".." in original.split("/"):
            self.sh.warn(f"{shown_name(original)}: Member name contains '..'", FATAL)
            return
        target = without_steps(inside, self.steps)
        if not target:
            return
        target = self.below_top(target)
        if self.settings.verbosity:
            to_stdout = self.settings.has("to_stdout")
            out = self.sh.err if to_stdout else self.sh.out
            out.write(self.listing.line(member, shown, is_long=self.settings.verbosity > 1))
        if member.is_sparse:
            self.sh.warn(f"{shown_name(name)}: sparse members are not extracted", FATAL)
        elif self.settings.has("to_stdout"):
            if member.is_file:
                data = reader.data(member)
                yield from decoded(lambda size: next(data, b""))
        else:
            self.files.make(member, target, folder, reader)

    def below_top(self, name: str) -> str:
        """A name where --one-top-level wants it."""
        top = self.settings.top
        if not top or is_below(name, top):
            return name
        while name.startswith("./"):
            name = name[2:].lstrip("/")
        return join(top, name) if name != "." else top

    def folder_of(self, member: Member, name: str) -> str | None:
        """The directory that a member is seen from; None where it is not asked for."""
        folder: str | None = self.settings.folder
        if self.selection.wanted:
            folder = self.selection.folder_of(name)
        newer = self.settings.newer
        if newer is not None and member.modified < newer:
            return None
        return None if folder is None or self.excluded.covers(name) else folder

    def changed(self, member: Member, name: str) -> str:
        """The name as --transform changes it, and with it what a link leads to."""
        transforms = self.settings.transforms
        scope = {tar.SYMLINK: SYMLINKS, tar.LINK: LINKS}.get(member.kind)
        if scope and transforms:
            link = transformed(self.sh, transforms, decoded_name(member.link), scope)
            member.link = encoded(link)
        slash = "/" if name.endswith("/") else ""
        return transformed(self.sh, transforms, name.removesuffix("/"), NAMES) + slash

    def listed(self, member: Member, name: str) -> Iterator[object]:
        """A line or row of -t."""
        self.safety.inside(bare(name))
        if self.settings.has("json"):
            yield self.listing.row(member, name)
        elif self.settings.has("to_stdout"):  # whose own output is for what members hold
            self.sh.err.write(self.listing.line(member, name, is_long=self.settings.verbosity > 0))
        else:
            yield self.listing.line(member, name, is_long=self.settings.verbosity > 0)

    def tell_missing(self) -> None:
        """Tell of the names that were not in the archive."""
        is_told = self.settings.manner.wild is not None
        for name in self.selection.missing():
            if not is_told and any(char in name for char in GLOB):
                is_told = True
                write = self.sh.err.write
                write(f"{self.sh.name}: Pattern matching characters used in file names\n")
                write(
                    f"{self.sh.name}: Use --wildcards to enable pattern matching, "
                    "or --no-wildcards to suppress this warning\n"
                )
            self.sh.warn(f"{shown_name(name)}: Not found in archive", FATAL)


def is_below(name: str, folder: str) -> bool:
    """Whether a name is that of a directory, or of what is in it."""
    name = name.removeprefix("./")
    return name.startswith(f"{folder}/") or name == folder
