"""Hosts as rules and `Network` name them: `example.org`, `*.example.org:8443`, `10.0.0.0/8`."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Address: TypeAlias = IPv4Address | IPv6Address

DEFAULT_PORTS = (80, 443)  # for entries without a port
NAT64_NETWORK = IPv6Network("64:ff9b::/96")  # IPv4 behind NAT64, RFC 6052
LOOPBACK: dict[int, Address] = {4: IPv4Address("127.0.0.1"), 6: IPv6Address("::1")}


class AllPorts:
    """All ports, for `:*`."""

    __slots__ = ()

    def __contains__(self, port: object) -> bool:
        return True


def parse_host(entry: str) -> tuple[str, tuple[int, ...] | AllPorts]:
    """Parse an entry of `hosts`; return the host pattern and its ports."""
    host, ports = entry.lower(), ""
    if host.startswith("["):
        host, _, ports = host[1:].partition("]")
        ports = ports.removeprefix(":")
    elif host.count(":") == 1:
        host, _, ports = host.partition(":")
    host = host.removesuffix(".")  # of the root of all names, as `host_matches` takes hosts
    if not host or ("*" in host and not (host == "*" or "*" not in host.removeprefix("*."))):
        raise ValueError(f"a host must be a name, an address, * or *.name, but is {entry!r}")
    if not ports:
        return host, DEFAULT_PORTS
    if ports == "*":
        return host, AllPorts()
    if not (is_digits(ports) and 0 < int(ports) < 65536):
        raise ValueError(
            f"a port must be a number up to 65535, or *, but is {ports!r} in {entry!r}"
        )
    return host, (int(ports),)


def host_matches(host: str, pattern: str) -> bool:
    """Whether a host matches the pattern of an entry."""
    host = host.lower().removesuffix(".")
    if pattern == "*":
        return True
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern


def address_of(host: str) -> Address | None:
    """Return the IP address if the host is one; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def reached_address(address: Address) -> Address:
    """Return the address that a connection to an address reaches.

    That is the IPv4 address embedded in an IPv6 address, and the machine itself for the unspecified
    one, `0.0.0.0` or `::`.
    """
    if isinstance(address, IPv6Address):
        if address in NAT64_NETWORK:
            address = IPv4Address(int(address) & 0xFFFFFFFF)
        else:
            inner = address.ipv4_mapped or address.sixtofour
            if inner is None and address.teredo is not None:
                inner = address.teredo[1]
            address = inner or address
    if address.is_unspecified:
        return LOOPBACK[address.version]
    return address


class RuleHost:
    """An entry of a rule's `hosts`. Without a port it means 80 and 443 if the rule allows.

    For a rule that asks or denies, it means every port.
    """

    __slots__ = ("_name", "_networks", "_ports")

    def __init__(self, entry: str, *, is_folded: bool) -> None:
        host, ports = parse_host(entry)
        self._ports = AllPorts() if ports is DEFAULT_PORTS and is_folded else ports
        self._name, self._networks = "", None
        if "/" in host:
            self._networks = ip_network(host)
            return
        if not host.isascii():
            host = host.encode("idna").decode()
        self._name = host
        address = address_of(host)
        if address is not None:
            self._networks = ip_network(address)

    @property
    def is_address(self) -> bool:
        """Whether it names addresses and no host."""
        return self._networks is not None

    def matches(self, host: str, port: int) -> bool:
        """Whether a host or an address matches."""
        if port not in self._ports:
            return False
        if self._networks is None:
            return host_matches(host, self._name)
        address = address_of(host.partition("%")[0])
        if address is None:
            return False
        return any(
            one in self._networks
            for one in (address, reached_address(address))
            if one.version == self._networks.version
        )
