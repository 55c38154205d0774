"""file - what kind of thing files hold."""

from __future__ import annotations

import stat as kinds

from keysh.runtime.call import why
from keysh.runtime.file_kinds import MOST, kind_of
from keysh.schema.declare import command
from keysh.text.lines import encoded
from keysh.text.width import display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.runtime.file_kinds import Kind
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
    mime_type: bool = False,
    json: bool = False,
    dereference: bool = False,
    no_dereference: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print what kind of thing each file holds: text and its coding, or what its first bytes say.

    files ...             the files, - for standard input (at least 1)
    -b, --brief           without the names
    -i, --mime-type       as a media type: text/plain
    --json                rows as JSON lines: name, kind, media
    -L, --dereference     follow links
    -h, --no-dereference  follow no links; the default
    """
    titles = ["/dev/stdin" if name == "-" else name for name in files]
    width = max(map(display_width, titles), default=0) + 1
    for name, title in zip(files, titles, strict=True):
        kind, media = described(sh, name, dereference)
        text = media if mime_type else kind
        if json:
            yield {"name": title, "kind": kind, "media": media}
        elif brief:
            yield f"{text}\n"
        else:
            yield f"{title}:{' ' * (width - display_width(title))}{text}\n"


def described(sh: Call, name: str, follows: bool) -> Kind:
    """What a file is, in words and as a media type."""
    if name == "-":
        data = b""
        for chunk in sh.stdin.chunks():
            data += encoded(chunk)
            if len(data) > MOST:
                break
        return kind_of(data[:MOST], is_whole=len(data) <= MOST)
    try:
        path = sh.path(name)
        found = sh.fs.stat(path, follow=follows)
        if found.is_link:
            target = sh.fs.read_link(path)
            try:
                sh.fs.stat(path, follow=True)
            except OSError:
                return f"broken symbolic link to {target}", "inode/symlink"
            return f"symbolic link to {target}", "inode/symlink"
        if not found.is_file:
            return SPECIAL.get(kinds.S_IFMT(found.mode), ("data", "application/octet-stream"))
        with sh.open(name) as stream:
            data = stream.read(MOST)
    except OSError as error:
        said = f"cannot open `{name}' ({why(error)})"
        return said, said
    return kind_of(data, is_whole=len(data) == found.size)
