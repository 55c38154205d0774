"""Extract, list or compare the members of an archive (-x, -t, -d).

Nothing is created outside the target directory: names lose what leads out of it, members with
`..` are refused, and links that could lead out are created last, so that no member is written
through one.
"""

from __future__ import annotations

from keysh.archive import tar_reader as tar
from keysh.archive.byte_source import DamagedData
from keysh.archive.tar_reader import TarReader
from keysh.text.chunks import bytes_of_text, decode_chunks
from keysh.tools.tar.archive_stream import ArchiveInput
from keysh.tools.tar.compare import Comparison
from keysh.tools.tar.files import FileExtractor
from keysh.tools.tar.listing import MemberListing, name_text
from keysh.tools.tar.name_patterns import Exclusion, Selection
from keysh.tools.tar.safe_names import (
    FATAL_STATUS,
    TARGETS,
    SafeNames,
    fatal_error,
    shown_name,
    without_steps,
)
from keysh.tools.tar.settings import check_folder
from keysh.tools.tar.totals import ByteTotals
from keysh.tools.tar.transform import HARD_LINK_SCOPE, MEMBER_SCOPE, SYMLINK_SCOPE, transformed_name
from keysh.vfs.paths import join, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.archive.tar_reader import TarMember
    from keysh.interp.state.call import Call
    from keysh.tools.tar.settings import TarSettings

GLOB_CHARACTERS = "*?["


class Extractor:
    """One run of -x, -t or -d."""

    def __init__(self, sh: Call, settings: TarSettings) -> None:
        self.sh, self.settings = sh, settings
        self.safety = SafeNames(sh, is_off=settings.has("absolute_names"))
        self.exclusion = Exclusion(settings.excluded)
        self.listing = MemberListing(sh, settings, self.safety)
        self.selection = Selection(settings.operands)
        self.files = FileExtractor(sh, settings, self.safety)
        self.comparison = Comparison(sh, settings, self.safety)
        self.steps = settings.options.get("strip_components", 0)

    def run(self) -> Iterator[object]:
        """List, compare, print or extract each selected member; yield the output."""
        if self.settings.mode == "x":
            for folder in {operand.folder for operand in self.settings.operands} or {
                self.settings.folder
            }:
                check_folder(self.sh, self.settings, folder)
        totals = ByteTotals(self.sh)
        archive = ArchiveInput(self.sh, self.settings)
        reader = TarReader(archive.source, ignores_zeros=self.settings.has("ignore_zeros"))
        try:
            for member in reader.members():
                self.sh.tick()
                self.report_warnings(reader)
                yield from self.process_member(reader, member)
            self.report_warnings(reader)
            archive.read_to_end()
        except DamagedData as damaged:
            self.report_warnings(reader)
            is_end = damaged.fault == "end"
            message = "Unexpected EOF in archive" if is_end else "Malformed header in archive"
            self.files.finish()
            raise fatal_error(self.sh, message) from None
        finally:
            archive.close()
        self.files.finish()
        self.report_missing()
        if self.settings.has("totals"):
            size, record = archive.source.count, self.settings.record_size
            totals.size = size + -size % record
            totals.report("read")

    def report_warnings(self, reader: TarReader) -> None:
        """Print the reader's warnings."""
        for message, is_failure in reader.warnings:
            if is_failure:
                self.sh.warn(message, FATAL_STATUS)
            else:
                self.sh.note(message)
        reader.warnings.clear()

    def process_member(self, reader: TarReader, member: TarMember) -> Iterator[object]:
        name = name_text(member.name)
        if member.is_directory and not name.endswith("/"):
            name += "/"
        folder = self.folder_of(member, name)
        if folder is None:
            return
        original, name = name, self.transform_member(member, name)
        shown = name if self.settings.has("show_transformed_names") else original
        if self.settings.mode == "t":
            yield from self.list_member(member, shown)
            return
        if self.settings.mode == "d":
            if self.settings.verbosity:
                yield self.listing.line(member, shown, is_long=self.settings.verbosity > 1)
            safe_name = self.name_below_top(
                without_steps(self.safety.inside(without_slash(name)), self.steps)
            )
            yield from self.comparison.lines(member, safe_name, folder, reader)
            return
        safe_name = self.safety.inside(without_slash(name))
        if member.kind == tar.LINK:
            self.safety.inside(name_text(member.link), TARGETS)
        if self.safety.refuses(original):
            return
        target = without_steps(safe_name, self.steps)
        if not target:
            return
        target = self.name_below_top(target)
        if self.settings.verbosity:
            to_stdout = self.settings.has("to_stdout")
            out = self.sh.err if to_stdout else self.sh.out
            out.write(self.listing.line(member, shown, is_long=self.settings.verbosity > 1))
        if member.is_sparse:
            self.sh.warn(f"{shown_name(name)}: sparse members are not extracted", FATAL_STATUS)
        elif self.settings.has("to_stdout"):
            if member.is_file:
                data = reader.data(member)
                yield from decode_chunks(lambda size: next(data, b""))
        else:
            self.files.make(member, target, folder, reader)

    def name_below_top(self, name: str) -> str:
        """Return a member's name below the directory of --one-top-level."""
        top = self.settings.top
        if not top or is_in_directory(name, top):
            return name
        while name.startswith("./"):
            name = name[2:].lstrip("/")
        return join(top, name) if name != "." else top

    def folder_of(self, member: TarMember, name: str) -> str | None:
        """Return the directory for a member; None if it was not selected."""
        folder: str | None = self.settings.folder
        if self.selection.operands:
            folder = self.selection.folder_of(name)
        newer = self.settings.newer_than
        if newer is not None and member.modified < newer:
            return None
        return None if folder is None or self.exclusion.covers(name) else folder

    def transform_member(self, member: TarMember, name: str) -> str:
        """Return the name that --transform makes, and change a link's target too."""
        transforms = self.settings.transforms
        scope = {tar.SYMLINK: SYMLINK_SCOPE, tar.LINK: HARD_LINK_SCOPE}.get(member.kind)
        if scope and transforms:
            link = transformed_name(self.sh, transforms, name_text(member.link), scope)
            member.link = bytes_of_text(link)
        slash = "/" if name.endswith("/") else ""
        return transformed_name(self.sh, transforms, name.removesuffix("/"), MEMBER_SCOPE) + slash

    def list_member(self, member: TarMember, name: str) -> Iterator[object]:
        """Yield a line or row of -t."""
        self.safety.inside(without_slash(name))
        if self.settings.has("json"):
            yield self.listing.row(member, name)
        elif self.settings.has("to_stdout"):  # standard output is for the members' data
            self.sh.err.write(self.listing.line(member, name, is_long=self.settings.verbosity > 0))
        else:
            yield self.listing.line(member, name, is_long=self.settings.verbosity > 0)

    def report_missing(self) -> None:
        """Report the names that were not in the archive."""
        is_explained = self.settings.match_style.wild is not None
        for name in self.selection.missing():
            if not is_explained and any(char in name for char in GLOB_CHARACTERS):
                is_explained = True
                self.sh.note("Pattern matching characters used in file names")
                self.sh.note(
                    "Use --wildcards to enable pattern matching, "
                    "or --no-wildcards to suppress this warning"
                )
            self.sh.warn(f"{shown_name(name)}: Not found in archive", FATAL_STATUS)


def is_in_directory(name: str, folder: str) -> bool:
    """Whether a name is `folder` itself or something below it."""
    name = name.removeprefix("./")
    return name.startswith(f"{folder}/") or name == folder
