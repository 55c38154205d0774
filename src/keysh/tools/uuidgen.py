"""uuidgen - create a UUID."""

from __future__ import annotations

from uuid import NAMESPACE_DNS, NAMESPACE_OID, NAMESPACE_URL, NAMESPACE_X500, UUID

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import command
from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

NAMESPACES = {
    "@dns": NAMESPACE_DNS, "@url": NAMESPACE_URL, "@oid": NAMESPACE_OID, "@x500": NAMESPACE_X500,
}  # fmt: skip
# 100 nanoseconds between the start of the Gregorian calendar and 1970 (RFC 4122, section 4.1.4)
GREGORIAN_OFFSET = 0x01B21DD213814000
MULTICAST_BIT = 1 << 40  # of a node that is no network card (RFC 4122, section 4.5)


@command(compatible="util-linux 2.38")
def uuidgen(
    sh: Call,
    *,
    random: bool = False,
    time: bool = False,
    namespace: str | None = None,
    name: str | None = None,
    md5: bool = False,
    sha1: bool = False,
    hex: bool = False,
) -> str:
    """Print a new UUID.

    -r, --random          a random one, which is the default
    -t, --time            one of the time, with a random node
    -n, --namespace NAME  for -m and -s: @dns, @url, @oid, @x500 or a UUID
    -N, --name TEXT       for -m and -s: the name in the namespace
    -m, --md5             the MD5 hash of the namespace and name
    -s, --sha1            the SHA1 hash of the namespace and name
    -x, --hex             the name is in hexadecimal digits

    A host that seeds the random numbers and fixes the time gets the same UUIDs
    again.
    """
    del random
    if problem := hash_problem(namespace, name, hashes=md5 or sha1):
        raise UsageFailure(problem)
    if namespace is None or name is None:
        return f"{time_uuid(sh) if time else UUID(int=sh.random.getrandbits(128), version=4)}\n"
    from hashlib import md5 as md5_of, sha1 as sha1_of  # noqa: I001, PLC0415 - few calls need them

    try:
        data = bytes.fromhex(name) if hex else bytes_of_text(name)
    except ValueError:
        raise UsageFailure("not a valid hex string") from None
    data = namespace_of(namespace).bytes + data
    if md5:
        return f"{UUID(bytes=md5_of(data, usedforsecurity=False).digest(), version=3)}\n"
    return f"{UUID(bytes=sha1_of(data, usedforsecurity=False).digest()[:16], version=5)}\n"


def hash_problem(namespace: str | None, name: str | None, *, hashes: bool) -> str:
    """Return which option for a hash is missing; empty if none is."""
    if namespace is not None:
        if name is None:
            return "--namespace requires --name argument"
        return "" if hashes else "--namespace requires --md5 or --sha1"
    if name is not None:
        return "--name requires --namespace argument"
    return "--md5 or --sha1 requires --namespace argument" if hashes else ""


def namespace_of(text: str) -> UUID:
    """Return a namespace that has a name, or is a UUID."""
    if text in NAMESPACES:
        return NAMESPACES[text]
    try:
        return UUID(text)
    except ValueError:
        raise UsageFailure(f"invalid uuid for namespace: '{text}'") from None


def time_uuid(sh: Call) -> UUID:
    """Return a UUID of the time (RFC 4122, version 1) with a random node."""
    stamp = sh.now() // 100 + GREGORIAN_OFFSET
    clock = sh.random.getrandbits(14)
    node = sh.random.getrandbits(48) | MULTICAST_BIT
    high = (stamp >> 48) & 0x0FFF
    fields = (stamp & 0xFFFFFFFF, (stamp >> 32) & 0xFFFF, high, clock >> 8, clock & 0xFF, node)
    return UUID(fields=fields, version=1)
