"""The actions of find: print, run, delete, prune, quit."""

from __future__ import annotations

import stat as kinds

from keysh.gnu.file_facts import disk_blocks, file_row, is_device, major_minor
from keysh.gnu.owners import Owners
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.find.format import compile_format, link_target
from keysh.tools.find.search import QuitSearch
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.tools.find.output import Write
    from keysh.tools.find.search import FindRun, FoundFile, Predicate

HALF_YEAR_NANOSECONDS = 31_556_952 * 10**9 // 2
LS_ESCAPES = {
    "\\": "\\\\", "\n": "\\n", "\b": "\\b", "\r": "\\r", "\t": "\\t", "\f": "\\f", " ": "\\ ",
    '"': '\\"',
}  # fmt: skip
MAX_COMMAND_CHARACTERS = 128 * 1024  # of the paths in one command with `+`


def path_action(write: Write, terminator: str) -> Predicate:
    def evaluate(file: FoundFile) -> bool:
        write(file.path + terminator)
        return True

    return evaluate


def print_action(search: FindRun) -> Predicate:
    """Return -print, which prints a path, or with --json a row."""
    out, owners = search.sh.out, Owners(search.sh)

    def evaluate(file: FoundFile) -> bool:
        if not search.prints_rows:
            out.write(f"{file.path}\n")
            return True
        row: dict[str, object] = {"path": file.path, **file_row(owners, file.name, file.stat)}
        if file.type_bits == kinds.S_IFLNK:
            row["target"] = link_target(file)
        out.write_row(row, f"{json_of(row)}\n")
        return True

    return evaluate


def printf_action(search: FindRun, format_text: str, write: Write) -> Predicate:
    text_for = compile_format(search, format_text)

    def evaluate(file: FoundFile) -> bool:
        write(text_for(file))
        return True

    return evaluate


def prune_action(search: FindRun) -> Predicate:
    def evaluate(file: FoundFile) -> bool:
        file.is_pruned = True
        return True

    return evaluate


def quit_action(search: FindRun) -> Predicate:
    def evaluate(file: FoundFile) -> bool:
        raise QuitSearch

    return evaluate


def delete_action(search: FindRun) -> Predicate:
    search.contents_first = True

    def evaluate(file: FoundFile) -> bool:
        path, fs = search.sh.path(file.path), search.sh.fs
        if file.path == ".":
            return True
        try:
            if fs.stat(path).is_directory:
                fs.remove_directory(path)
            else:
                fs.remove(path)
        except OSError as error:
            search.warn(f"cannot delete {locale_quoted_text(file.path)}: {os_error_text(error)}")
            return False
        return True

    return evaluate


def ls_action(search: FindRun, write: Write) -> Predicate:
    """Return -ls, which prints lines like `ls -dils`; columns only grow wider."""
    widths = [9, 6, 3, 8, 8, 8]  # of inode, blocks, links, user, group, size
    owners, zone = Owners(search.sh), find_zone(search.sh.env.get("TZ"))

    def evaluate(file: FoundFile) -> bool:
        stat = file.stat
        is_recent = search.sh.now() - HALF_YEAR_NANOSECONDS < stat.modified <= search.sh.now()
        format_text = "%b %e %H:%M" if is_recent else "%b %e  %Y"
        user = owners.user(stat) or str(owners.user_number(stat))
        group = owners.group(stat) or str(owners.group_number(stat))
        target = f" -> {escaped_name(link_target(file))}" if file.type_bits == kinds.S_IFLNK else ""
        blocks = -(-disk_blocks(stat) // 2)
        time = format_moment(format_text, Moment(stat.modified, zone))
        name = escaped_name(file.path)
        size = str(stat.size)
        if is_device(stat):
            major, minor = major_minor(stat.special)
            size = f"{major:3}, {minor:3}"
        columns = (str(stat.inode), str(blocks), str(stat.links), user, group, size)
        widths[:] = map(max, widths, map(len, columns))
        inode, blocks_text, links, size = (columns[at].rjust(widths[at]) for at in (0, 1, 2, 5))
        write(
            f"{inode} {blocks_text} {kinds.filemode(stat.mode)} {links} "
            f"{user:<{widths[3]}} {group:<{widths[4]}} {size} {time} {name}{target}\n"
        )
        return True

    return evaluate


def escaped_name(name: str) -> str:
    """Return a name for -ls, with everything but plain ASCII escaped."""
    return "".join(LS_ESCAPES.get(chr(byte)) or escaped_byte(byte) for byte in bytes_of_text(name))


def escaped_byte(byte: int) -> str:
    return chr(byte) if 0x20 < byte < 0x7F else f"\\{byte:03o}"


def directory_and_name(search: FindRun, file: FoundFile) -> tuple[str, str]:
    """Return the real path of a file's directory, and the file relative to it."""
    sh, path = search.sh, file.path.rstrip("/") or "/"
    above, slash, name = path.rpartition("/")
    return sh.fs.resolve(sh.path(above or slash or ".")), f"./{name}" if name else "/"


def exec_action(
    search: FindRun,
    words: Sequence[object],
    texts: Sequence[str],
    *,
    in_directory: bool,
    asks: bool,
) -> Predicate:
    """Return -exec COMMAND ; words without `{}` are passed on as parsed."""

    def evaluate(file: FoundFile) -> bool:
        cwd, name = directory_and_name(search, file) if in_directory else (None, file.path)
        command_words = [
            text.replace("{}", name) if "{}" in text else word
            for word, text in zip(words, texts, strict=True)
        ]
        if asks:
            search.sh.err.write(f"< {texts[0]} ... {file.path} > ? ")
            if search.sh.stdin.read_line()[:1] not in ("y", "Y"):
                return False
        return search.sh.run(command_words, cwd=cwd, launch_error="find: {quoted}") == 0

    return evaluate


def batch_exec_action(search: FindRun, words: Sequence[object], *, in_directory: bool) -> Predicate:
    """Return -exec COMMAND {} + which runs for many files, or for those of one directory."""
    names: list[str] = []
    size, directory = 0, None

    def run() -> None:
        nonlocal size
        if names:
            command_words = [*words, *names]
            names.clear()
            size = 0
            if search.sh.run(command_words, cwd=directory, launch_error="find: {quoted}"):
                search.status = 1

    def evaluate(file: FoundFile) -> bool:
        nonlocal size, directory
        cwd, name = directory_and_name(search, file) if in_directory else (None, file.path)
        if cwd != directory:
            run()
            directory = cwd
        names.append(name)
        size += len(name)
        if size > MAX_COMMAND_CHARACTERS:
            run()
        return True

    search.at_end.append(run)
    return evaluate


SIMPLE_ACTIONS = {
    "-print": print_action,
    "-print0": lambda search: path_action(search.sh.out.write, "\0"),
    "-prune": prune_action,
    "-delete": delete_action,
    "-quit": quit_action,
    "-ls": lambda search: ls_action(search, search.sh.out.write),
}
# Actions that write to the file that they name first.
FILE_ACTIONS = {
    "-fprint": lambda search, write: path_action(write, "\n"),
    "-fprint0": lambda search, write: path_action(write, "\0"),
    "-fls": ls_action,
}
ACTION_NAMES = {
    *FILE_ACTIONS,
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
