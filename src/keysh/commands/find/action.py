"""What find does with a file: print, run, delete, prune, quit."""

from __future__ import annotations

from keysh.commands.find.format import reader
from keysh.commands.find.search import escaped
from keysh.runtime.call import why

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.commands.find.search import Found, Judge, Search

MOST_CHARACTERS = 128 * 1024  # of the paths in one run with `+`


def printing(search: Search, end: str) -> Judge:
    def act(found: Found) -> bool:
        search.sh.out.write(found.path + end)
        return True

    return act


def formatted(search: Search, form: str) -> Judge:
    text_for = reader(search, form)

    def act(found: Found) -> bool:
        search.sh.out.write(text_for(found))
        return True

    return act


def pruning(search: Search) -> Judge:
    def act(found: Found) -> bool:
        found.is_pruned = True
        return True

    return act


def quitting(search: Search) -> Judge:
    def act(found: Found) -> bool:
        search.has_quit = True
        return True

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
            search.warn(f"cannot delete '{escaped(found.path)}': {why(error)}")
            return False
        return True

    return act


def run_for_each(search: Search, words: Sequence[object], texts: Sequence[str]) -> Judge:
    """Words without `{}` are passed on as the parser made them."""

    def act(found: Found) -> bool:
        made = [
            text.replace("{}", found.path) if "{}" in text else word
            for word, text in zip(words, texts, strict=True)
        ]
        return search.sh.run(made) == 0

    return act


def run_for_many(search: Search, words: Sequence[object]) -> Judge:
    waiting: list[str] = []
    size = 0

    def run() -> None:
        nonlocal size
        if waiting:
            made = [*words, *waiting]
            waiting.clear()
            size = 0
            if search.sh.run(made):
                search.status = 1

    def act(found: Found) -> bool:
        nonlocal size
        waiting.append(found.path)
        size += len(found.path)
        if size > MOST_CHARACTERS:
            run()
        return True

    search.at_end.append(run)
    return act


ALONE = {
    "-print": lambda search: printing(search, "\n"),
    "-print0": lambda search: printing(search, "\0"),
    "-prune": pruning,
    "-delete": deleting,
    "-quit": quitting,
}
NAMES = {"-print", "-print0", "-printf", "-exec", "-delete"}
