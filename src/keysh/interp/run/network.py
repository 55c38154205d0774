"""Network: the hosts and methods that scripts may use. Without a `Network` they reach nothing.

    Shell(network=Network(["api.example.com", "*.example.org:8443"], methods=["GET", "POST"]))

The name is checked first, then the address it resolves to. The connection goes to the address that
was checked, so DNS rebinding gains nothing. Every redirect is checked again.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from keysh.rules.host_pattern import address_of, embedded_ipv4, host_matches, parse_host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from ssl import SSLContext

    from keysh.rules.host_pattern import Address

READ_METHODS = ("GET", "HEAD")


class Network:
    """What scripts may reach.

    hosts      names, `*.example.org`, `*` or addresses, each optionally with `:PORT` or `:*`;
               without a port 80 and 443 are allowed
    methods    HTTP methods; `*` allows all
    addresses  networks that are allowed although they are not public: `10.0.0.0/8`, `127.0.0.1`.
               Addresses among the hosts are allowed too.
    seconds    maximum duration of one transfer
    most       maximum size of one response in bytes
    tls        an SSL context, if certificates are not to be checked in the default way
    """

    __module__ = "keysh"
    __slots__ = ("_addresses", "_hosts", "_methods", "most", "seconds", "tls")

    def __init__(
        self,
        hosts: Iterable[str] = (),
        methods: Iterable[str] = READ_METHODS,
        *,
        addresses: Iterable[str] = (),
        seconds: float = 60.0,
        most: int = 64 << 20,
        tls: SSLContext | None = None,
    ) -> None:
        if isinstance(hosts, str) or isinstance(methods, str) or isinstance(addresses, str):
            raise TypeError("hosts, methods and addresses must be lists")
        self._hosts = tuple(parse_host(host) for host in hosts)
        self._methods = frozenset(method.upper() for method in methods)
        named = [host for host, _ in self._hosts if address_of(host) is not None]
        self._addresses = tuple(ip_network(one) for one in (*addresses, *named))
        self.seconds, self.most, self.tls = seconds, most, tls

    def refusal(self, method: str, host: str, port: int) -> str:
        """Return why a request is forbidden; empty if it is allowed."""
        if not any(host_matches(host, pattern) and port in ports for pattern, ports in self._hosts):
            return f"{host}:{port} is not among the hosts that may be reached"
        if method not in self._methods and "*" not in self._methods:
            return f"{method} is not among the methods that may be used"
        return ""

    def allows(self, address: str) -> bool:
        """Whether an address may be connected to: it is public or listed."""
        resolved = ip_address(address)
        plain = embedded_ipv4(resolved)
        return is_public(plain) or any(
            one in network
            for one in (resolved, plain)
            for network in self._addresses
            if network.version == one.version
        )


def network_of(network: object) -> Network | None:
    """Return the Network for an argument of Shell: a Network, True for everything, or None."""
    if network is None or network is False:
        return None
    if network is True:
        return Network(["*:*"], ["*"], addresses=["0.0.0.0/0", "::/0"])
    if isinstance(network, Network):
        return network
    raise TypeError(f"network must be None, True or a Network, but is {network!r}")


def is_public(address: Address) -> bool:
    """Whether an address is on the public internet."""
    if isinstance(address, IPv6Address) and address.is_site_local:
        return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_loopback or address.is_link_local
    )
