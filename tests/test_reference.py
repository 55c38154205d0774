"""docs/reference.md: every public name, member and parameter is there, and described."""

from __future__ import annotations

import inspect

import pytest
from docs import reference_page

import keysh

pytestmark = pytest.mark.quick

NAMES = [name for names in reference_page.SECTIONS.values() for name in names]
CLASSES = [name for name in NAMES if isinstance(getattr(keysh, name), type)]
PAGE = reference_page.reference()


def test_every_public_name_has_its_place() -> None:
    assert sorted(NAMES) == sorted(keysh.HOMES.keys() - {"__version__"})


@pytest.mark.parametrize("name", CLASSES)
def test_every_member_and_parameter_is_described(name: str) -> None:
    assert not reference_page.undescribed(getattr(keysh, name))


@pytest.mark.parametrize("name", CLASSES)
def test_internal_attributes_exist(name: str) -> None:
    internal = reference_page.INTERNAL.get(name, frozenset())
    assert internal <= {
        *dir(getattr(keysh, name)),
        *reference_page.attribute_names(getattr(keysh, name)),
    }


@pytest.mark.parametrize("name", ["Shell", "Call", "FileSystem", "Result", "Limits", "Policy",
                                  "Rules", "Audit"])  # fmt: skip
def test_the_page_has_every_member(name: str) -> None:
    """By Python's own list of members, whatever the page is made of."""
    part = PAGE.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
    cls = getattr(keysh, name)
    internal = reference_page.INTERNAL.get(name, frozenset())
    members = {one for one in dir(cls) if not one.startswith("_")} - internal
    assert members
    for member in members:
        assert f"{name}.{member}\n" in part or f"`{member}`" in part, member
    if reference_page.is_made_by_hosts(cls):
        for parameter in [*inspect.signature(cls).parameters]:
            assert f" {parameter}: " in part or f"({parameter}" in part, parameter


def test_adapters_are_described() -> None:
    assert not reference_page.undescribed_adapters()
    for module in ("agent", "code", "mcp", "plugins", "subprocess_primitive"):
        assert f"### keysh.adapters.{module}\n" in PAGE
    assert "KeyshSession" in PAGE


def test_a_name_without_a_description_is_found() -> None:
    class Shape:
        """A shape.

        sides  how many
        """

        __module__ = "keysh"
        __slots__ = ("colour", "sides")

        def __init__(self, sides: int, colour: str, size: int) -> None: ...

        def turn(self) -> None: ...

    assert reference_page.undescribed(Shape) == ["colour", "turn()", "colour=", "size="]


def test_the_page_has_no_address() -> None:
    assert " at 0x" not in PAGE
