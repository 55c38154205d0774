"""file: print the type of files."""

from __future__ import annotations

import stat as kinds

from keysh.diagnostics.display import display_width
from keysh.diagnostics.width import is_printed
from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import command
from keysh.text.chunks import bytes_of_text
from keysh.tools.file.contents import MAX_READ_BYTES, FileContents
from keysh.tools.file.decompress import beginning_inside
from keysh.tools.file.kind import file_kind
from keysh.tools.file.text_form import text_form
from keysh.vfs.real_paths import is_access_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat

SPECIAL_TYPES = {
    kinds.S_IFDIR: ("directory", "inode/directory"),
    kinds.S_IFIFO: ("fifo (named pipe)", "inode/fifo"),
    kinds.S_IFSOCK: ("socket", "inode/socket"),
    kinds.S_IFCHR: ("character special", "inode/chardevice"),
    kinds.S_IFBLK: ("block special", "inode/blockdevice"),
}
MODE_BIT_NAMES = {kinds.S_ISUID: "setuid", kinds.S_ISGID: "setgid", kinds.S_ISVTX: "sticky"}


@command(
    compatible="file 5.44", ignored="-n, --no-buffer; -p, --preserve-date; -s, --special-files"
)
def file(
    sh: Call,
    *files: Path,
    brief: bool = False,
    separator: str = ":",
    files_from: list[Path] | None = None,
    mime: bool = False,
    mime_encoding: bool = False,
    mime_type: bool = False,
    no_pad: bool = False,
    print0: bool = False,
    json: bool = False,
    dereference: bool = False,
    no_dereference: bool = False,
    raw: bool = False,
    uncompress: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print the type of each file, from its contents.

    files ...              the files; - for standard input
    -b, --brief            omit the names
    -F, --separator STRING  print STRING after each name, not a colon
    -f, --files-from FILE  first process the names in FILE, one per line
    -i, --mime             print the media type and encoding:
                           text/plain; charset=us-ascii
    --mime-encoding        print only the encoding: us-ascii, utf-8, binary
    --mime-type            print only the media type: text/plain
    -N, --no-pad           do not align the output
    -0, --print0           print a NUL after each name; given twice, print one in
                           place of the separator and the newline as well
    --json                 print rows: name, kind, media, charset, packed
    -L, --dereference      follow symbolic links
    -h, --no-dereference   do not follow symbolic links (the default)
    -r, --raw              print unprintable characters as they are, not in octal
    -z, --uncompress       look inside compressed files
    """
    if not files and not files_from:
        raise UsageFailure("missing operand")
    nul_count = sum(name == "print0" and value is True for name, value in sh.given)
    gap, end = (separator, "\n") if nul_count < 2 else ("", "\0")
    field = "mime" if mime or (mime_type and mime_encoding) else ""
    field = field or ("media" if mime_type else "charset" if mime_encoding else "kind")
    for names in (*(names_in(sh, path) for path in files_from or ()), files):
        printable = names if raw else [*map(printable_name, names)]
        titles = ["/dev/stdin" if name == "-" else name for name in printable]
        width = 0 if no_pad else max(map(display_width, titles), default=0)
        for name, title in zip(names, titles, strict=True):
            sh.tick()
            kind, media, charset, *packed = describe_file(
                sh, name, follows=dereference, looks_inside=uncompress, is_raw=raw or json
            )
            if json:
                row: dict[str, object] = {
                    "name": title if name == "-" else name,
                    "kind": kind,
                    "media": media,
                }
                yield {**row, "charset": charset, **dict(zip(["packed"], packed, strict=False))}
                continue
            mime_text = f"{media}; charset={charset}" if charset else media
            mime_text += "".join(
                f" compressed-encoding={media_type}; charset=binary" for media_type in packed
            )
            texts = {"kind": kind, "media": media, "charset": charset, "mime": mime_text}
            text = kind if kind == media else texts[field]  # for a file that cannot be opened
            blanks = " " * (max(width - display_width(title), 0) + 1) if nul_count < 2 else ""
            front = "" if brief else title + ("\0" if nul_count else "") + gap + blanks
            yield f"{front}{text}{end}"


def printable_name(name: str) -> str:
    """Return a name with unprintable characters in octal."""
    return "".join(
        char if is_printed(char) else "".join(f"\\{byte:03o}" for byte in bytes_of_text(char))
        for char in name
    )


def names_in(sh: Call, path: str) -> list[str]:
    """Return the names in a file, one per line."""
    try:
        with InputFile(sh, path) as reader:
            return [line.removesuffix("\n") for line in reader.lines()]
    except OSError as error:
        raise sh.fail(f"Cannot open `{path}' ({os_error_text(error)})") from None


def describe_file(
    sh: Call, name: str, *, follows: bool, looks_inside: bool, is_raw: bool
) -> tuple[str, ...]:
    """Return the description, media type and encoding of a file.

    With `looks_inside`, a compressed file also has the media type of the compression.
    """
    if name == "-":
        data = b""
        for chunk in sh.stdin.chunks():
            data += bytes_of_text(chunk)
            if len(data) > MAX_READ_BYTES:
                break
        size = len(data) if len(data) <= MAX_READ_BYTES else -1
        return describe_contents(
            FileContents(data[:MAX_READ_BYTES], size), looks_inside=looks_inside
        )
    try:
        path = sh.path(name)
        status = sh.fs.stat(path, follow=follows)
        if status.is_link:
            kind, media, charset = link_kind(sh, path)
            return kind if is_raw else printable_name(kind), media, charset
        bits = ", ".join(word for bit, word in MODE_BIT_NAMES.items() if status.mode & bit)
        if not status.is_file:
            default = ("data", "application/octet-stream")
            kind, media = SPECIAL_TYPES.get(kinds.S_IFMT(status.mode), default)
            return ", ".join(filter(None, [bits, kind])), media, "binary"
        try:
            stream = sh.open(name)
        except PermissionError:
            description = f"{access_words(sh, path, status)}regular file, no read permission"
            return description, description, ""
        with stream:
            contents = FileContents(stream.read(MAX_READ_BYTES), status.size, stream)
            kind, *others = describe_contents(contents, looks_inside=looks_inside)
    except OSError as error:
        description = (
            f"cannot open `{name if is_raw else printable_name(name)}' ({os_error_text(error)})"
        )
        return description, description, ""
    return add_mode_bits(bits, kind, contents), *others


def add_mode_bits(bits: str, kind: str, contents: FileContents) -> str:
    """Add the special mode bits to a description, with the punctuation of file 5.44."""
    if not bits:
        return kind
    form = text_form(contents.head)
    is_plain = form is not None and kind == form.description()
    return f"{bits} , {kind}" if is_plain else f"{bits}{', ' if not contents.head else ' '}{kind}"


def access_words(sh: Call, path: str, status: Stat) -> str:
    """Return the access that an unreadable file permits."""
    words = {2: "writable, ", 1: "executable, "}
    return "".join(
        word for bit, word in words.items() if is_access_allowed(sh.fs, path, status, bit)
    )


def describe_contents(contents: FileContents, *, looks_inside: bool) -> tuple[str, ...]:
    """Return the description, media type and encoding of contents."""
    head = contents.head
    inside = beginning_inside(head) if looks_inside else None
    if inside is not None:
        packing, packed = file_kind(FileContents(head, -1))
        size = len(inside) if len(inside) < MAX_READ_BYTES else -1
        kind, media, charset = describe_contents(FileContents(inside, size), looks_inside=False)
        return f"{kind} ({packing})", media, charset, packed
    form = text_form(head) if len(head) > 1 else None
    return *file_kind(contents), form.charset if form else "binary"


def link_kind(sh: Call, path: str) -> tuple[str, str, str]:
    """Describe a symbolic link; a broken one has no encoding."""
    target = sh.fs.read_link(path)
    try:
        sh.fs.stat(path, follow=True)
    except OSError:
        return f"broken symbolic link to {target}", "inode/symlink", ""
    return f"symbolic link to {target}", "inode/symlink", "binary"
