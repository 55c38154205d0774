"""hostname - print the machine's name."""

from __future__ import annotations

from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

LOOPBACK_ADDRESS = "127.0.0.1"


@command(refusals=Refusals(usage_status=255), ignored="-b, --boot")
def hostname(
    sh: Call,
    name: str = "",
    *,
    alias: bool = False,
    all_fqdns: bool = False,
    all_ip_addresses: bool = False,
    domain: bool = False,
    file: Path = "",
    fqdn: bool = False,
    ip_address: bool = False,
    short: bool = False,
    yp: bool = False,
) -> str:
    """Print the machine's name: $HOSTNAME or `localhost`, never that of the host.

    name                    a new name; always refused
    -a, --alias             alias names, of which there are none
    -A, --all-fqdns         all fully qualified names, of which there are none
    -d, --domain            the part after the first dot
    -f, --fqdn, --long      the fully qualified name (default)
    -F, --file FILE         read a new name from FILE; always refused
    -i, --ip-address        the loopback address
    -I, --all-ip-addresses  all network addresses, of which there are none
    -s, --short             the part before the first dot
    -y, --yp, --nis         the NIS domain name, which is not set
    -h, --help              print this help
    -V, --version           print the version of keysh
    """
    del alias, all_fqdns, all_ip_addresses, domain, fqdn, ip_address, short, yp
    if file:
        sh.open(file).close()
    if name or file:
        raise sh.fail("you must be root to change the host name")
    full_name = sh.machine.host_name
    first, _, rest = full_name.partition(".")
    modes = [option for option, value in sh.given if value]
    mode = modes[-1] if modes else ""
    if mode == "yp":
        raise sh.fail("Local domain name not set")
    if mode == "domain" and not rest:
        return ""
    answers = {
        "alias": "", "all_fqdns": "", "all_ip_addresses": "", "domain": rest,
        "ip_address": LOOPBACK_ADDRESS, "short": first,
    }  # fmt: skip
    return f"{answers.get(mode, full_name)}\n"
