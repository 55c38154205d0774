"""What find does with a file: print, run, delete, prune, quit."""

from __future__ import annotations

import stat as kinds

from keysh.gnu.file_facts import blocks_of, file_row, halves, is_device
from keysh.gnu.owners import Owners
from keysh.interp.state.call import why
from keysh.text.chunks import encoded
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import formatted as formatted_time
from keysh.text.dates.time_zone import zone_named
from keysh.text.gnu_quoting import locale_quoted
from keysh.tools.find.format import reader
from keysh.tools.find.format import target as target_of
from keysh.tools.find.search import Quit
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.tools.find.output import Write
    from keysh.tools.find.search import Found, Judge, Search

HALF_A_YEAR = 31_556_952 * 10**9 // 2
LISTED = {
    "\\": "\\\\", "\n": "\\n", "\b": "\\b", "\r": "\\r", "\t": "\\t", "\f": "\\f", " ": "\\ ",
    '"': '\\"',
}  # fmt: skip
MOST_CHARACTERS = 128 * 1024  # of the paths in one run with `+`


def printing(write: Write, end: str) -> Judge:
    def act(found: Found) -> bool:
        write(found.path + end)
        return True

    return act


def telling(search: Search) -> Judge:
    """-print: a path, or with --json a row."""
    out, owners = search.sh.out, Owners(search.sh)

    def act(found: Found) -> bool:
        if not search.tells_rows:
            out.write(f"{found.path}\n")
            return True
        row: dict[str, object] = {"path": found.path, **file_row(owners, found.name, found.stat)}
        if found.kind == kinds.S_IFLNK:
            row["target"] = target_of(found)
        out.write_row(row, f"{json_of(row)}\n")
        return True

    return act


def formatted(search: Search, form: str, write: Write) -> Judge:
    text_for = reader(search, form)

    def act(found: Found) -> bool:
        write(text_for(found))
        return True

    return act


def pruning(search: Search) -> Judge:
    def act(found: Found) -> bool:
        found.is_pruned = True
        return True

    return act


def quitting(search: Search) -> Judge:
    def act(found: Found) -> bool:
        raise Quit

    return act


def deleting(search: Search) -> Judge:
    search.contents_first = True

    def act(found: Found) -> bool:
        path, fs = search.sh.path(found.path), search.sh.fs
        if found.path == ".":
            return True
        try:
            if fs.stat(path).is_directory:
                fs.remove_directory(path)
            else:
                fs.remove(path)
        except OSError as error:
            search.warn(f"cannot delete {locale_quoted(found.path)}: {why(error)}")
            return False
        return True

    return act


def listing(search: Search, write: Write) -> Judge:
    """-ls: a line as `ls -dils` has it; a column that was too narrow stays as wide as it got."""
    widths = [9, 6, 3, 8, 8, 8]  # of inode, blocks, links, user, group, size
    owners, zone = Owners(search.sh), zone_named(search.sh.env.get("TZ"))

    def act(found: Found) -> bool:
        stat = found.stat
        is_recent = search.sh.now() - HALF_A_YEAR < stat.modified <= search.sh.now()
        form = "%b %e %H:%M" if is_recent else "%b %e  %Y"
        user = owners.user(stat) or str(owners.user_number(stat))
        group = owners.group(stat) or str(owners.group_number(stat))
        target = f" -> {listed_name(target_of(found))}" if found.kind == kinds.S_IFLNK else ""
        blocks = -(-blocks_of(stat) // 2)
        time = formatted_time(form, Moment(stat.modified, zone))
        name = listed_name(found.path)
        size = str(stat.size)
        if is_device(stat):
            driver, own = halves(stat.special)
            size = f"{driver:3}, {own:3}"
        cells = (str(stat.inode), str(blocks), str(stat.links), user, group, size)
        widths[:] = map(max, widths, map(len, cells))
        inode, blocks_text, links, size = (cells[at].rjust(widths[at]) for at in (0, 1, 2, 5))
        write(
            f"{inode} {blocks_text} {kinds.filemode(stat.mode)} {links} "
            f"{user:<{widths[3]}} {group:<{widths[4]}} {size} {time} {name}{target}\n"
        )
        return True

    return act


def listed_name(name: str) -> str:
    """A name in a long listing: with escapes for all that is not plain ASCII."""
    return "".join(LISTED.get(chr(byte)) or listed_byte(byte) for byte in encoded(name))


def listed_byte(byte: int) -> str:
    return chr(byte) if 0x20 < byte < 0x7F else f"\\{byte:03o}"


def place_of(search: Search, found: Found) -> tuple[str, str]:
    """The real path of the directory that holds a file, and the file as seen from there."""
    sh, path = search.sh, found.path.rstrip("/") or "/"
    above, slash, name = path.rpartition("/")
    return sh.fs.resolve(sh.path(above or slash or ".")), f"./{name}" if name else "/"


def run_for_each(
    search: Search, words: Sequence[object], texts: Sequence[str], *, in_folder: bool, asks: bool
) -> Judge:
    """Words without `{}` are passed on as the parser made them."""

    def act(found: Found) -> bool:
        cwd, name = place_of(search, found) if in_folder else (None, found.path)
        made = [
            text.replace("{}", name) if "{}" in text else word
            for word, text in zip(words, texts, strict=True)
        ]
        if asks:
            search.sh.err.write(f"< {texts[0]} ... {found.path} > ? ")
            if search.sh.stdin.read_line()[:1] not in ("y", "Y"):
                return False
        return search.sh.run(made, cwd=cwd) == 0

    return act


def run_for_many(search: Search, words: Sequence[object], *, in_folder: bool) -> Judge:
    """All at once, as far as a command line reaches; with `in_folder`, those of one directory."""
    waiting: list[str] = []
    size, folder = 0, None

    def run() -> None:
        nonlocal size
        if waiting:
            made = [*words, *waiting]
            waiting.clear()
            size = 0
            if search.sh.run(made, cwd=folder):
                search.status = 1

    def act(found: Found) -> bool:
        nonlocal size, folder
        cwd, name = place_of(search, found) if in_folder else (None, found.path)
        if cwd != folder:
            run()
            folder = cwd
        waiting.append(name)
        size += len(name)
        if size > MOST_CHARACTERS:
            run()
        return True

    search.at_end.append(run)
    return act


ALONE = {
    "-print": telling,
    "-print0": lambda search: printing(search.sh.out.write, "\0"),
    "-prune": pruning,
    "-delete": deleting,
    "-quit": quitting,
    "-ls": lambda search: listing(search, search.sh.out.write),
}
# What writes to the file that it names first.
TO_FILE = {
    "-fprint": lambda search, write: printing(write, "\n"),
    "-fprint0": lambda search, write: printing(write, "\0"),
    "-fls": listing,
}
NAMES = {
    *TO_FILE,
    "-fprintf",
    "-print",
    "-print0",
    "-printf",
    "-exec",
    "-execdir",
    "-ok",
    "-okdir",
    "-delete",
    "-ls",
}
