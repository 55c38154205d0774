"""Protocols: which of them a call may use, as --proto and its kin say."""

from __future__ import annotations

SUPPORTED_PROTOCOLS = frozenset({"http", "https"})


def parse_protocols(text: str, before: frozenset[str] = SUPPORTED_PROTOCOLS) -> frozenset[str]:
    """What a list leaves or adds: `=https` alone, `-http` not, `https` or `+https` too."""
    found = before
    for entry in text.split(","):
        mark, name = (entry[0], entry[1:]) if entry[:1] in ("=", "-", "+") else ("+", entry)
        named = SUPPORTED_PROTOCOLS if name == "all" else SUPPORTED_PROTOCOLS & {name.lower()}
        if mark == "=":
            found = named
        else:
            found = found - named if mark == "-" else found | named
    return found
