"""Which protocols may be used, by --proto and --proto-redir."""

from __future__ import annotations

SUPPORTED_PROTOCOLS = frozenset({"http", "https"})


def parse_protocols(text: str, initial: frozenset[str] = SUPPORTED_PROTOCOLS) -> frozenset[str]:
    """Apply a list of protocols: `=https` only, `-http` not, `https` or `+https` also."""
    protocols = initial
    for entry in text.split(","):
        mark, name = (entry[0], entry[1:]) if entry[:1] in ("=", "-", "+") else ("+", entry)
        named = SUPPORTED_PROTOCOLS if name == "all" else SUPPORTED_PROTOCOLS & {name.lower()}
        if mark == "=":
            protocols = named
        else:
            protocols = protocols - named if mark == "-" else protocols | named
    return protocols
