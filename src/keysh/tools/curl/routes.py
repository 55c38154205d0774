"""Other servers and addresses to connect to, by --resolve and --connect-to.

The policy checks each as if a URL named it.
"""

from __future__ import annotations

import re

from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PART_PATTERN = re.compile(r"\[([^\]]*)\]|([^:]*)")  # IPv6 addresses are in brackets
MAX_PORT_DIGITS = 5


class Routes:
    """Maps the host and port of a URL to the servers to connect to."""

    __slots__ = ("_resolved_hosts", "_replaced_targets")

    def __init__(self) -> None:
        self._resolved_hosts: dict[tuple[str, int], list[str]] = {}
        self._replaced_targets: list[tuple[str, str, str, str]] = []

    def add_resolve_entries(self, entries: Iterable[str]) -> str:
        """Add entries `HOST:PORT:ADDRESS[,ADDRESS]`. Return the first invalid one, if any."""
        for entry in entries:
            text = entry.removeprefix("+")
            if text.startswith("-"):
                host, _, port = text[1:].partition(":")
                self._resolved_hosts.pop((host.lower(), int(port) if is_port(port) else 0), None)
                continue
            host, _, rest = text.partition(":")
            port, colon, addresses = rest.partition(":")
            if not (host and colon and is_port(port) and addresses):
                return entry
            address_list = [address.strip("[]") for address in addresses.split(",")]
            self._resolved_hosts[host.lower(), int(port)] = address_list
        return ""

    def add_connect_to_entries(self, entries: Iterable[str]) -> str:
        """Add entries `HOST1:PORT1:HOST2:PORT2`, of which any part may be empty."""
        for entry in entries:
            parts: list[str] = []
            position = 0
            while (
                position <= len(entry)
                and (match := PART_PATTERN.match(entry, position)) is not None
            ):
                parts.append(match[1] if match[1] is not None else match[2])
                position = match.end() + 1
            if len(parts) != 4 or not all(port == "" or is_port(port) for port in parts[1::2]):
                return entry
            self._replaced_targets.append((parts[0].lower(), parts[1], parts[2], parts[3]))
        return ""

    def connect_targets(self, host: str, port: int) -> list[tuple[str, int]]:
        """Return the servers to connect to for a host and port."""
        for from_host, from_port, to_host, to_port in self._replaced_targets:
            if from_host in ("", host) and from_port in ("", str(port)):
                host, port = to_host or host, int(to_port) if to_port else port
                break
        for key in ((host, port), ("*", port)):
            if key in self._resolved_hosts:
                return [(address, port) for address in self._resolved_hosts[key]]
        return [(host, port)]


def is_port(text: str) -> bool:
    return is_digits(text) and len(text) <= MAX_PORT_DIGITS
