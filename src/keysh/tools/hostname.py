"""hostname - the machine's name."""

from __future__ import annotations

from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

LOOPBACK_ADDRESS = "127.0.0.1"


@command(refusals=Refusals(usage_status=255))
def hostname(
    sh: Call,
    name: str = "",
    *,
    alias: bool = False,
    all_fqdns: bool = False,
    all_ip_addresses: bool = False,
    boot: bool = False,
    domain: bool = False,
    file: Path = "",
    fqdn: bool = False,
    ip_address: bool = False,
    short: bool = False,
    yp: bool = False,
) -> str:
    """Print the machine's name: $HOSTNAME, else `localhost`. The host's is not told.

    name                     a new name; always refused
    -a, --alias              other names, of which there are none
    -A, --all-fqdns          all whole names, of which there are none
    -b, --boot               ignored
    -d, --domain             only what stands behind the first dot
    -f, --fqdn, --long       the whole name, which is the default
    -F, --file FILE          take a new name from a file; always refused
    -i, --ip-address         the number of the machine
    -I, --all-ip-addresses   the numbers that others know, of which there are none
    -s, --short              only what stands before the first dot
    -y, --yp, --nis          the name of a domain of another kind, which is not set
    -h, --help               print this help
    -V, --version            print which keysh this is
    """
    del alias, all_fqdns, all_ip_addresses, boot, domain, fqdn, ip_address, short, yp
    if file:
        sh.open(file).close()
    if name or file:
        raise sh.fail("you must be root to change the host name")
    own = sh.machine.host_name
    first, _, rest = own.partition(".")
    ways = [option for option, value in sh.given if value and option != "boot"]
    way = ways[-1] if ways else ""
    if way == "yp":
        raise sh.fail("Local domain name not set")
    if way == "domain" and not rest:
        return ""
    shown = {
        "alias": "", "all_fqdns": "", "all_ip_addresses": "", "domain": rest,
        "ip_address": LOOPBACK_ADDRESS, "short": first,
    }  # fmt: skip
    return f"{shown.get(way, own)}\n"
