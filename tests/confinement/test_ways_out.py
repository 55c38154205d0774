"""Ways out of a confined program: each is closed, and leads out of one that is not confined."""

from __future__ import annotations

import os
import re
import signal

import pytest

from confinement.conftest import HERE, PYTHON, Machine, confined, free, needs_kernel
from confinement.ways_out import WAYS

OUT, CLOSED = 0, 10

C_WAYS = re.findall(r"WAY\((\w+)\)[,;]", (HERE / "ways_out.c").read_text())
if os.uname().machine != "x86_64":
    C_WAYS = C_WAYS[:-4]
PYTHON_WAYS = list(WAYS)
PYTHON_PROGRAM = str(HERE / "ways_out.py")

# What some machines refuse by themselves: modules, kexec and x32 need a kernel that has them.
CLOSED_BY_SOME_MACHINES = {
    "use_netlink_pair", "use_crypto_socket", "use_vsock", "load_module", "load_module_file",
    "load_kernel", "use_ports", "call_as_x32", "call_as_32_bits", "use_io_uring", "use_bpf",
    "use_userfaultfd", "use_perf", "use_kernel_memory", "enter_cgroup", "set_segments",
    "use_keys", "add_keys", "dump_core", "change_attributes", "set_attribute", "add_swap",
    "account", "attach", "trace", "connect_multipath_tcp", "use_call_of_future", "open_terminals",
}  # fmt: skip

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can do all of it")


def is_closed(machine: Machine, *words: str) -> bool:
    result = confined(machine, *words)
    assert result.error is None
    assert result.code in (OUT, CLOSED, 128 + signal.SIGSYS), (result.code, result.stderr)
    return result.code != OUT


@needs_kernel
@pytest.mark.parametrize("way", C_WAYS)
def test_way_of_a_c_program_is_closed(machine: Machine, compiled_ways: str, way: str) -> None:
    with open(machine.outside / "secret") as file:
        os.set_inheritable(file.fileno(), True)
        assert is_closed(machine, compiled_ways, way, *machine.arguments())
    assert (machine.outside / "target").read_text() == "content\n"


@needs_kernel
@pytest.mark.parametrize("way", PYTHON_WAYS)
def test_way_of_a_python_program_is_closed(machine: Machine, compiled_ways: str, way: str) -> None:
    assert is_closed(machine, PYTHON, "-I", PYTHON_PROGRAM, way, *machine.arguments())
    assert (machine.outside / "target").read_text() == "content\n"


@needs_root
@pytest.mark.parametrize("way", sorted({*C_WAYS} - CLOSED_BY_SOME_MACHINES))
def test_way_of_a_c_program_leads_out_when_it_is_free(
    machine: Machine, compiled_ways: str, way: str
) -> None:
    try:
        assert free(machine, compiled_ways, way, *machine.arguments()) == OUT
    finally:
        machine.restore()


@needs_root
@pytest.mark.parametrize("way", sorted({*PYTHON_WAYS} - CLOSED_BY_SOME_MACHINES))
def test_way_of_a_python_program_leads_out_when_it_is_free(
    machine: Machine, compiled_ways: str, way: str
) -> None:
    words = (PYTHON, "-I", PYTHON_PROGRAM, way, *machine.arguments())
    try:
        assert free(machine, *words) == OUT
    finally:
        machine.restore()


def test_every_way_has_a_row_in_the_document() -> None:
    page = (HERE.parent.parent / "docs" / "confinement.md").read_text("utf-8")
    table = page.partition("## Ways out")[2].partition("\n## ")[0]
    assert sorted({*C_WAYS, *PYTHON_WAYS} - {*re.findall(r"`(\w+)`", table)}) == []


def test_there_are_sixty_ways_of_each_program() -> None:
    assert len(C_WAYS) >= 100
    assert len(PYTHON_WAYS) >= 60
