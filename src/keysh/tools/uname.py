"""uname - print system information."""

from __future__ import annotations

from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(compatible="GNU coreutils 9.1")
def uname(
    sh: Call,
    *,
    all: bool = False,
    kernel_name: bool = False,
    nodename: bool = False,
    kernel_release: bool = False,
    kernel_version: bool = False,
    machine: bool = False,
    processor: bool = False,
    hardware_platform: bool = False,
    operating_system: bool = False,
    json: bool = False,
) -> str | dict[str, str]:
    """Print system information, which is the same on every host.

    -a, --all                all except unknown values
    -s, --kernel-name        the kernel name (default)
    -n, --nodename           the machine's name, as printed by hostname
    -r, --kernel-release     the kernel release
    -v, --kernel-version     the kernel version
    -m, --machine            the hardware name
    -p, --processor          the processor type, which is unknown
    -i, --hardware-platform  the hardware platform, which is unknown
    -o, --operating-system   the operating system
    --json                   all as a record: kernel_name, nodename, kernel_release,
                             kernel_version, machine, operating_system
    """
    here = sh.machine
    if json:
        return {
            "kernel_name": here.system_name, "nodename": sh.machine.host_name,
            "kernel_release": here.release, "kernel_version": here.version,
            "machine": here.processor, "operating_system": here.operating_system,
        }  # fmt: skip
    parts = [
        (kernel_name or all, here.system_name),
        (nodename or all, here.host_name),
        (kernel_release or all, here.release),
        (kernel_version or all, here.version),
        (machine or all, here.processor),
        (processor and not all, "unknown"),
        (hardware_platform and not all, "unknown"),
        (operating_system or all, here.operating_system),
    ]
    return (" ".join(text for is_selected, text in parts if is_selected) or here.system_name) + "\n"
