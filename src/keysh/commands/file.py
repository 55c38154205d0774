"""file - what kind of thing files hold."""

from __future__ import annotations

import stat as kinds

from keysh.runtime.call import why
from keysh.runtime.file_kinds import MOST, charset_of, kind_of
from keysh.schema.declare import command
from keysh.text.lines import encoded
from keysh.text.width import display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

SPECIAL = {
    kinds.S_IFDIR: ("directory", "inode/directory"),
    kinds.S_IFIFO: ("fifo (named pipe)", "inode/fifo"),
    kinds.S_IFSOCK: ("socket", "inode/socket"),
    kinds.S_IFCHR: ("character special", "inode/chardevice"),
    kinds.S_IFBLK: ("block special", "inode/blockdevice"),
}


@command
def file(
    sh: Call,
    *files: Path,
    brief: bool = False,
    mime: bool = False,
    mime_encoding: bool = False,
    mime_type: bool = False,
    json: bool = False,
    dereference: bool = False,
    no_dereference: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print what kind of thing each file holds: text and its coding, or what its first bytes say.

    files ...             the files, - for standard input (at least 1)
    -b, --brief           without the names
    -i, --mime            as a media type and a coding: text/plain; charset=us-ascii
    --mime-encoding       only the coding: us-ascii, utf-8, binary
    --mime-type           only the media type: text/plain
    --json                rows as JSON lines: name, kind, media, charset
    -L, --dereference     follow links
    -h, --no-dereference  follow no links; the default
    """
    titles = ["/dev/stdin" if name == "-" else name for name in files]
    width = max(map(display_width, titles), default=0) + 1
    for name, title in zip(files, titles, strict=True):
        kind, media, charset = described(sh, name, dereference)
        if json:
            yield {"name": title, "kind": kind, "media": media, "charset": charset}
            continue
        is_both = mime or (mime_type and mime_encoding)
        text = f"{media}; charset={charset}" if is_both else media if mime_type else kind
        text = charset if mime_encoding and not is_both else text
        # What cannot be opened has no type.
        text = kind if kind == media else text
        if brief:
            yield f"{text}\n"
        else:
            yield f"{title}:{' ' * (width - display_width(title))}{text}\n"


def described(sh: Call, name: str, follows: bool) -> tuple[str, str, str]:
    """What a file is, in words, as a media type, and in which coding."""
    if name == "-":
        data = b""
        for chunk in sh.stdin.chunks():
            data += encoded(chunk)
            if len(data) > MOST:
                break
        return judged(data[:MOST], is_whole=len(data) <= MOST)
    try:
        path = sh.path(name)
        found = sh.fs.stat(path, follow=follows)
        if found.is_link:
            return link_kind(sh, path), "inode/symlink", "binary"
        if not found.is_file:
            kind = SPECIAL.get(kinds.S_IFMT(found.mode), ("data", "application/octet-stream"))
            return *kind, "binary"
        with sh.open(name) as stream:
            data = stream.read(MOST)
    except OSError as error:
        said = f"cannot open `{name}' ({why(error)})"
        return said, said, ""
    return judged(data, is_whole=len(data) == found.size)


def judged(data: bytes, *, is_whole: bool) -> tuple[str, str, str]:
    """The same of a file's first bytes."""
    return *kind_of(data, is_whole=is_whole), charset_of(data, is_whole=is_whole)


def link_kind(sh: Call, path: str) -> str:
    """Where a link leads, and whether anything is there."""
    target = sh.fs.read_link(path)
    try:
        sh.fs.stat(path, follow=True)
    except OSError:
        return f"broken symbolic link to {target}"
    return f"symbolic link to {target}"
