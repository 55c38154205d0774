"""User names and passwords by host, from a .netrc file."""

from __future__ import annotations

from contextlib import closing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call

NETRC_KEYS = ("login", "password", "account")


class Netrc:
    """The entries of a file. The first that matches a host counts."""

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: list[tuple[str | None, dict[str, str]]] = []  # None for any server

    def credentials(self, host: str) -> str | None:
        """Return `name:password` for a host."""
        for name, entry in self._entries:
            if name in (None, host):
                return f"{entry.get('login', '')}:{entry.get('password', '')}"
        return None

    def load(self, lines: Iterable[str]) -> None:
        """Add the entries of a file. Macros are skipped."""
        tokens = netrc_tokens(lines)
        for token in tokens:
            if token in ("machine", "default"):
                name = next(tokens, "") if token == "machine" else None
                self._entries.append((name, {}))
            elif token in NETRC_KEYS and self._entries:
                self._entries[-1][1].setdefault(token, next(tokens, ""))


def netrc_tokens(lines: Iterable[str]) -> Iterator[str]:
    """Yield the words of a file, which may be quoted."""
    is_macro = False
    for line in lines:
        text = line.strip()
        is_macro = bool(text) and (is_macro or text.startswith("macdef"))
        if is_macro or text.startswith("#"):
            continue
        while text:
            if text[0] == '"':
                word, _, text = text[1:].partition('"')
            else:
                word, *rest = text.split(None, 1)
                text = rest[0] if rest else ""
            text = text.lstrip()
            yield word


def load_netrc(sh: Call, path: str | None) -> Netrc:
    """Load a file, by default `~/.netrc`. A missing file is empty."""
    netrc = Netrc()
    try:
        with closing(sh.open_reader(path or f"{sh.env.get('HOME') or ''}/.netrc")) as reader:
            netrc.load(reader.lines())
    except OSError:
        pass  # as curl does
    return netrc
