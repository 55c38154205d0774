"""What find asks about the owners of files."""

from __future__ import annotations

from keysh.gnu.owners import Owners
from keysh.text.shell_numbers import is_digits, known_number
from keysh.tools.find.number import compared, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.find.search import Judge, Search

MOST = (1 << 32) - 2  # that a user's or a group's number may be


def on_number(option: str) -> Callable[[Search, str], Judge]:
    """-uid, -gid."""

    def make(search: Search, text: str) -> Judge:
        given, owners = compared(text), Owners(search.sh)
        if given is None:
            raise search.sh.fail(f"invalid argument `{text}' to `{option}'")
        sign, number = given
        owner = owners.user_number if option == "-uid" else owners.group_number
        return lambda found: holds(sign, owner(found.stat), number)

    return make


def on_user(search: Search, name: str) -> Judge:
    """-user: by name or number."""
    owners = Owners(search.sh)
    if not name:
        raise search.sh.fail("The argument to -user should not be empty")
    number = number_of(search, name, owners.number_of_user(name), "a known user")
    return lambda found: owners.user_number(found.stat) == number


def on_group(search: Search, name: str) -> Judge:
    """-group: by name or number."""
    owners = Owners(search.sh)
    if not name:
        raise search.sh.fail("argument to -group is empty, but should be a group name")
    number = number_of(search, name, owners.number_of_group(name), "an existing group")
    return lambda found: owners.group_number(found.stat) == number


def number_of(search: Search, name: str, known: int | None, what: str) -> int:
    """The number that a name has, or is."""
    if known is not None:
        return known
    if not is_digits(name):
        raise search.sh.fail(f"'{name}' is not the name of {what}")
    number = known_number(name)
    if number > MOST:
        raise search.sh.fail(f"{name}: Numerical result out of range")
    return number


def without_user(search: Search) -> Judge:
    """-nouser: the owner's number has no name."""
    owners = Owners(search.sh)
    return lambda found: owners.user(found.stat) is None


def without_group(search: Search) -> Judge:
    """-nogroup: the group's number has no name."""
    owners = Owners(search.sh)
    return lambda found: owners.group(found.stat) is None


WITH_OPERAND: dict[str, Callable[[Search, str], Judge]] = {
    "-uid": on_number("-uid"),
    "-gid": on_number("-gid"),
    "-user": on_user,
    "-group": on_group,
}
