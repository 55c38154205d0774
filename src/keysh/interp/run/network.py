"""Network: the hosts and methods that scripts may use. Without a `Network` they reach nothing.

    Shell(network=Network(["api.example.com", "*.example.org:8443"], methods=["GET", "POST"]))

The name is checked first, then the address it resolves to. The connection goes to the address that
was checked, so DNS rebinding gains nothing. Every redirect is checked again.
"""

from __future__ import annotations

import re
from copy import copy
from ipaddress import IPv6Address, ip_address, ip_network

from keysh.diagnostics.exceptions import refuse
from keysh.rules.host_pattern import (
    RuleHost,
    address_of,
    host_matches,
    parse_host,
    reached_address,
)
from keysh.rules.rule_set import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from ssl import SSLContext
    from typing import Protocol

    from keysh.rules.host_pattern import Address

    class Permissions(Protocol):
        """What judges requests; implemented in keysh.shell, above this layer."""

        def judge_request(
            self, method: str, scheme: str, host: str, port: int, path: str, rules: Rules | None
        ) -> None: ...
        def judge_address(
            self, method: str, address: str, port: int, path: str, rules: Rules | None
        ) -> None: ...


HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # a token of RFC 9110, section 5.6.2
HEADER_VALUE = re.compile(r"[!-~]([ \t!-~]*[!-~])?")  # visible ASCII, section 5.5
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
    credentials  headers for hosts, put in after all has been judged and never seen by the script:
               `{"api.example.com": {"Authorization": "…"}}`. They are sent by https only, unless
               the host is written `http://host:port`, and never to another host or by another way

    rules      the keysh.Rules that stand instead of hosts: they then decide alone about hosts and
               methods
    """

    __module__ = "keysh"
    __slots__ = (
        "_addresses", "_credentials", "_hosts", "_methods", "_permissions", "hosts", "most",
        "rules", "seconds", "tls",
    )  # fmt: skip

    def __init__(
        self,
        hosts: Iterable[str] | Rules = (),
        methods: Iterable[str] | None = None,
        *,
        addresses: Iterable[str] = (),
        seconds: float = 60.0,
        most: int = 64 << 20,
        tls: SSLContext | None = None,
        credentials: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.rules: Rules | None = None
        self._permissions: Permissions | None = None  # of the shell, for its own copy of this
        if isinstance(hosts, Rules):
            if methods is not None:
                raise TypeError("methods must stand in the rules")
            self.rules, hosts, methods = hosts, ("*:*",), ("*",)
        methods = READ_METHODS if methods is None else methods
        self._credentials = [
            host_credentials(host, headers) for host, headers in (credentials or {}).items()
        ]
        for name, texts in (("hosts", hosts), ("methods", methods), ("addresses", addresses)):
            if isinstance(texts, str) or not hasattr(texts, "__iter__"):
                refuse(name, "a list of strings", texts, f"{name}=['example.org']")
        hosts = tuple(hosts)
        for host in hosts:
            if not isinstance(host, str):
                refuse("a host", "a str", host, "hosts=['example.org']")
        self.hosts, self._hosts = hosts, tuple(parse_host(host) for host in hosts)
        self._methods = frozenset(method.upper() for method in methods)
        named = [host for host, _ in self._hosts if address_of(host) is not None]
        self._addresses = tuple(ip_network(one) for one in (*addresses, *named))
        self.seconds, self.most, self.tls = seconds, most, tls

    @property
    def methods(self) -> list[str]:
        """The methods that may be used, sorted."""
        return sorted(self._methods)

    def refusal(self, method: str, host: str, port: int) -> str:
        """Return why a request is forbidden; empty if it is allowed."""
        if not any(host_matches(host, pattern) and port in ports for pattern, ports in self._hosts):
            return f"{host}:{port} is not among the hosts that may be reached"
        if method not in self._methods and "*" not in self._methods:
            return f"{method} is not among the methods that may be used"
        return ""

    def end_request(self, status: int, received_bytes: int) -> None:
        """A request that was allowed is over; its status is 0 if no response came."""

    def judged_by(self, permissions: Permissions) -> Network:
        """Return the same network, for a shell whose host judges each request."""
        judged = copy(self)
        judged._permissions = permissions
        return judged

    def judge_request(self, method: str, scheme: str, host: str, port: int, path: str) -> None:
        """Let the host judge a request; an exception if it may not be sent."""
        if self._permissions is not None:
            self._permissions.judge_request(method, scheme, host, port, path, self.rules)

    def judge_address(self, method: str, address: str, port: int, path: str) -> None:
        """Let the host judge a request again, by an address that the host has."""
        if self._permissions is not None:
            self._permissions.judge_address(method, address, port, path, self.rules)

    def credentials_for(self, scheme: str, host: str, port: int) -> list[tuple[str, str]]:
        """Return the headers that the script must not see."""
        found: dict[str, tuple[str, str]] = {}
        for its_scheme, pattern, headers in self._credentials:
            if scheme == its_scheme and pattern.matches(host, port):
                found |= {name.lower(): (name, value) for name, value in headers}
        return [*found.values()]

    def allows(self, address: str) -> bool:
        """Whether an address may be connected to: it is public or listed."""
        resolved = ip_address(address)
        plain = reached_address(resolved)
        return is_public(plain) or any(
            one in network
            for one in (resolved, plain)
            for network in self._addresses
            if network.version == one.version
        )


def host_credentials(
    entry: str, headers: Mapping[str, str]
) -> tuple[str, RuleHost, tuple[tuple[str, str], ...]]:
    """Return the scheme, the host and the headers of an entry of `credentials`."""
    scheme, mark, rest = entry.partition("://")
    if not mark:
        scheme, rest = "https", entry
    if scheme not in ("http", "https") or "*" in rest or "/" in rest:
        raise ValueError(f"credentials must be for one host, but are for {entry!r}")
    for name, value in headers.items():
        if not HEADER_NAME.fullmatch(name) or not HEADER_VALUE.fullmatch(value):
            raise ValueError(
                f"credentials for {entry!r} have a header that cannot be sent: {name!r}"
            )
    return scheme, RuleHost(rest, is_folded=False), tuple(headers.items())


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
