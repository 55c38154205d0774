"""zip - put files into a zip archive."""

from __future__ import annotations

from keysh.commands.zip.archive import Archive
from keysh.commands.zip.sources import Sources
from keysh.runtime.packing import level_of
from keysh.runtime.turns import in_turn, texts
from keysh.schema.declare import command, command_of
from keysh.schema.render import help_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from typing import Any

    from keysh.runtime.call import Call
    from keysh.schema.types import Pattern, Raw

USAGE, BROKEN, NOTHING = 16, 3, 12
LEVEL = 6


@command(usage=USAGE, names=False)
def zip_(
    sh: Call,
    *words: Raw,
    recurse: bool = False,
    junk_paths: bool = False,
    no_dir_entries: bool = False,
    symlinks: bool = False,
    update: bool = False,
    freshen: bool = False,
    delete: bool = False,
    move: bool = False,
    names_stdin: bool = False,
    exclude: list[Pattern] | None = None,
    include: list[Pattern] | None = None,
    no_extra: bool = False,
    grow: bool = False,
    quiet: bool = False,
    level_0: bool = False,
    fast: bool = False,
    level_2: bool = False,
    level_3: bool = False,
    level_4: bool = False,
    level_5: bool = False,
    level_6: bool = False,
    level_7: bool = False,
    level_8: bool = False,
    best: bool = False,
) -> Generator[str, None, int]:
    """Put files into a zip archive, new or there.

    words ...             the archive (.zip is added where its name has no end; - for standard
                          output), then the files; - for standard input
    -r, --recurse, --recurse-paths  directories with all that is in them
    -j, --junk-paths      without the directories in names
    -D, --no-dir-entries  no members for directories
    -y, --symlinks        links as links, not what they lead to
    -u, --update          only files that are newer than their members, or have none
    -f, --freshen         only files that are newer than their members
    -d, --delete          take the members out that match the words
    -m, --move            remove the files that have been put in
    -@, --names-stdin     the names of the files are lines of standard input
    -x, --exclude PATTERN  leave out what matches this, or one of the words up to the next option
    -i, --include PATTERN  only what matches one of these
    -X, --no-extra        without times of Unix
    -g, --grow            ignored: archives are made anew beside the old
    -q, --quiet           say nothing
    -0, --level-0         only stored
    -1, --fast            the fastest
    -2, --level-2         a little smaller, and so on
    -3, --level-3         smaller than -2
    -4, --level-4         smaller than -3
    -5, --level-5         smaller than -4
    -6, --level-6         smaller than -5; the default
    -7, --level-7         smaller than -6
    -8, --level-8         smaller than -7
    -9, --best            the smallest
    """
    declared = command_of(zip_)
    turns = [*in_turn(sh, declared, texts(words))]
    names, excluded, included, options = sorted_words(turns)
    if "help" in options or not names:
        yield help_text(declared)
        return 0
    target, names = names[0], names[1:]
    if options.get("names_stdin"):
        names = [line.removesuffix("\n") for line in sh.stdin.lines() if line != "\n"]
    archive = Archive(sh, target, options, level_of(turns, LEVEL))
    if target == "-" and sh.out.width:
        says = "Invalid command arguments (cannot write zip file to terminal)"
        archive.complain(f"\nzip error: {says}")
        return USAGE
    try:
        if not archive.read():
            return BROKEN
        return (yield from changed(sh, archive, names, excluded, included, options))
    finally:
        archive.close()


def changed(
    sh: Call,
    archive: Archive,
    names: list[str],
    excluded: list[str],
    included: list[str],
    options: dict[str, Any],
) -> Generator[str, None, int]:
    """Change the archive as the options say; the status."""
    if options.get("delete"):
        is_changed = archive.delete(names)
    else:
        if not names:
            is_all = bool(options.get("recurse"))
            names = archive.names() if options.get("freshen") else ["."] * is_all
        sources = Sources(sh, options, excluded, included, archive)
        is_changed = archive.add(sources.files(names))
        if not is_changed and sources.is_current:
            return NOTHING if options.get("freshen") else 0
    if not is_changed:
        archive.complain(f"\nzip error: Nothing to do! ({archive.shown})")
        return NOTHING
    yield from archive.written()
    if options.get("move"):
        archive.remove_sources()
    return archive.status


def sorted_words(
    turns: Iterable[tuple[str, Any]],
) -> tuple[list[str], list[str], list[str], dict[str, Any]]:
    """The archive and files, what is left out, what alone is put in, and the other options.

    `-x` and `-i` take all words up to the next option, or to `@`.
    """
    lists: dict[str, list[str]] = {"": [], "exclude": [], "include": []}
    options: dict[str, Any] = {}
    current = ""
    for option, value in turns:
        if option in ("exclude", "include"):
            lists[option] += value if isinstance(value, list) else [value]
            current = option
        elif option:
            options[option] = value
            current = ""
        elif current and value == "@":
            current = ""
        else:
            lists[current if lists[""] else ""].append(value)
    return lists[""], lists["exclude"], lists["include"], options
