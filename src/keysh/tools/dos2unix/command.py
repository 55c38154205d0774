"""dos2unix - convert line breaks to those of Unix; unix2dos converts them to those of DOS."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.chunks import text_of_bytes
from keysh.tools.dos2unix.line_breaks import BYTE_ORDER_MARK, TextContent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

MODES = ("ascii", "mac")
UNREADABLE_STATUS = 2  # the number of ENOENT
INFORMATION_FLAGS = "dumbtc"
DEFAULT_FLAGS = "dumbt"
MARK_OPTIONS = ("add_bom", "keep_bom", "remove_bom")
DEFAULT_MARKS = {"unix": "remove_bom", "dos": "keep_bom"}
FORMAT_NAMES = {"unix": "Unix", "dos": "DOS", "mac": "Mac"}


@command(
    compatible="dos2unix 7.4.3",
    refusals=Refusals(usage_hint="Try '{} --help' for more information."),
    style=OptionStyle(section_flags="newfile oldfile"),
    ignored="-s, --safe; -S, --skip-symlink",
    refused="-7, --seven-bit  only line breaks are converted; "
    "-u, --keep-utf16  UTF-16 becomes UTF-8; "
    "-R, --replace-symlink  links are not replaced",
)
def dos2unix(
    sh: Call,
    *files: Path,
    keep_bom: bool = False,
    convmode: str = "ascii",
    force: bool = False,
    info: str | bool = False,
    keepdate: bool = False,
    newline: bool = False,
    add_bom: bool = False,
    newfile: bool = False,
    oldfile: bool = False,
    quiet: bool = False,
    remove_bom: bool = False,
    follow_symlink: bool = False,
    verbose: bool = False,
) -> Iterator[str]:
    """Convert line breaks of files, CR LF to LF; unix2dos converts LF to CR LF.

    files ...             the files, converted in place; without any, standard
                          input is copied
    -b, --keep-bom        keep a byte order mark, as unix2dos does
    -c, --convmode MODE   ascii, or mac for line breaks that are a CR
    -f, --force           convert binary files, too, which are skipped otherwise
    -i, --info[=FLAGS]    convert nothing: print the line breaks of DOS, Unix and
                          Macs, the byte order mark and text or binary; FLAGS are
                          d u m b t for these, and c for the files to convert
    -k, --keepdate        keep the modification time
    -l, --newline         write each converted line break twice
    -m, --add-bom         add a byte order mark
    -n, --newfile         from here on operands are pairs: a file and its new copy
    -o, --oldfile         from here on operands are converted in place
    -q, --quiet           print no messages
    -r, --remove-bom      remove a byte order mark, as dos2unix does
    -F, --follow-symlink  convert the targets of links, which are skipped otherwise
    -v, --verbose         count the converted line breaks

    A file in UTF-16 with a byte order mark becomes UTF-8.
    """
    del newfile, oldfile
    if convmode not in MODES:
        raise sh.fail(f"invalid {convmode} conversion mode specified")
    direction = "dos" if sh.name == "unix2dos" else "unix"
    marks = [name for name, _ in sh.given if name in MARK_OPTIONS]
    converter = Converter(sh, direction, convmode, marks[-1] if marks else DEFAULT_MARKS[direction])
    converter.is_forced, converter.doubles, converter.keeps_date = force, newline, keepdate
    converter.follows_links, converter.is_quiet, converter.counts = follow_symlink, quiet, verbose
    if info is not False:
        flags = DEFAULT_FLAGS if info is True else str(info)
        for flag in flags:
            if flag not in INFORMATION_FLAGS:
                raise sh.fail(f"wrong flag '{flag}' for option -i or --info")
        for file in files or ("-",):
            yield from converter.information(file, flags)
        return
    if not files:
        content = TextContent(next(sh.inputs(["-"])).whole_data())
        if converter.report_binary(content, "binary file stdin"):
            content.cut_at_binary()
            sh.status = 1
        yield text_of_bytes(converter.converted_bytes(content))
    for old, new in file_pairs(sh, files):
        converter.convert_file(old, new)


def file_pairs(sh: Call, files: tuple[Path, ...]) -> Iterator[tuple[Path, Path]]:
    """Yield each file with the one to write: another one behind -n."""
    modes = {position: name for name, position in sh.given if name in ("newfile", "oldfile")}
    mode, position = "oldfile", 0
    while position < len(files):
        mode = modes.get(position, mode)
        if mode == "oldfile":
            yield files[position], files[position]
            position += 1
        elif position + 1 < len(files):
            yield files[position], files[position + 1]
            position += 2
        else:
            raise sh.fail(f"target of file {files[position]} not specified in new-file mode")


class Converter:
    """Converts files in one direction; each refusal is a message, and few are failures."""

    __slots__ = (
        "_direction", "_mark", "_mode", "_sh", "counts", "doubles", "follows_links", "is_forced",
        "is_quiet", "keeps_date",
    )  # fmt: skip

    def __init__(self, sh: Call, direction: str, mode: str, mark: str) -> None:
        self._sh, self._direction, self._mode, self._mark = sh, direction, mode, mark
        self.is_forced = self.doubles = self.keeps_date = self.follows_links = False
        self.is_quiet = self.counts = False

    def convert_file(self, old: str, new: str) -> None:
        """Convert a file, in place or into another one."""
        content = self._content_of(old)
        if content is None or self.report_binary(content, f"binary file {old}"):
            return
        try:
            stat = self._sh.fs.stat(self._sh.path(old))
            data = self.converted_bytes(content)
            to_mac = self._direction == "dos" and self._mode == "mac"
            target = FORMAT_NAMES["mac" if to_mac else self._direction]
            source = f"{content.mark_name} file {old}" if content.is_utf16 else f"file {old}"
            result = "" if old == new else f" to file {new}"
            into = (
                f"in{' UTF-8' if content.is_utf16 else ''}"
                if result
                else ("to UTF-8" if content.is_utf16 else "to")
            )
            self._note(f"converting {source}{result} {into} {target} format...")
            with self._sh.open(new, "w", stat.mode & 0o777) as stream:
                stream.write(data)
            if self.keeps_date:
                self._sh.fs.set_times(self._sh.path(new), stat.accessed, stat.modified)
        except OSError as error:
            self._sh.warn(f"{new}: {os_error_text(error)}", UNREADABLE_STATUS)

    def converted_bytes(self, content: TextContent) -> bytes:
        """Return the converted content, with the byte order mark that it is to have."""
        total = content.data.count(b"\r" if self._mode == "mac" else b"\n")
        count = content.convert(self._direction, self._mode, doubles=self.doubles)
        if self.counts:
            self._note(f"Converted {count} out of {total} line breaks.")
        has_mark = self._mark == "add_bom" or (self._mark == "keep_bom" and content.has_mark)
        return BYTE_ORDER_MARK * has_mark + content.data

    def report_binary(self, content: TextContent, title: str) -> bool:
        """Report a binary file, unless it is converted nevertheless; return whether it is one."""
        binary = None if self.is_forced else content.binary_character
        if binary is not None:
            self._note(f"Binary symbol 0x{binary[0]:02X} found at line {binary[1]}")
            self._note(f"Skipping {title}")
        return binary is not None

    def information(self, file: str, flags: str) -> Iterator[str]:
        """Yield the line about a file; with the flag c its name, if it is to be converted."""
        content = self._content_of(file)
        if content is None:
            return
        is_binary = content.binary_character is not None
        dos, unix, mac = content.counts()
        if "c" in flags:
            wanted = {"unix": dos, "dos": unix}[self._direction] if self._mode == "ascii" else mac
            if wanted and (self.is_forced or not is_binary):
                yield f"{file}\n"
            return
        columns = {
            "d": f"{dos:8}", "u": f"{unix:8}", "m": f"{mac:8}", "b": f"  {content.mark_name:<8}",
            "t": f"  {'binary' if is_binary else 'text':<6}",
        }  # fmt: skip
        line = "".join([text for flag, text in columns.items() if flag in flags])
        yield f"{line}\n" if file == "-" else f"{line}  {file}\n"

    def _content_of(self, file: str) -> TextContent | None:
        """Return the content of a regular file; None, with a message, if it is no such file."""
        sh = self._sh
        if file == "-":
            return TextContent(next(sh.inputs(["-"])).whole_data())
        stat = sh.stat(file, follow=False)
        if stat is not None and stat.is_link and not self.follows_links:
            self._note(f"Skipping symbolic link {file}.")
            return None
        try:
            stat = sh.fs.stat(sh.path(file))
            if stat.is_file:
                with sh.open_reader(file) as reader:
                    return TextContent(reader.whole_data())
        except OSError as error:
            self._note(f"{file}: {os_error_text(error)}")
            sh.status = sh.status if self.is_quiet else UNREADABLE_STATUS
        self._note(f"Skipping {file}, not a regular file.")
        return None

    def _note(self, message: str) -> None:
        if not self.is_quiet:
            self._sh.note(message)
