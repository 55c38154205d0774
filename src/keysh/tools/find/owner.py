"""The tests of find for the owners of files."""

from __future__ import annotations

from keysh.gnu.owners import Owners
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.find.number import is_satisfied, parse_comparison

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.find.search import FindRun, Predicate

MAX_ID = (1 << 32) - 2  # of users and groups


def id_test(option: str) -> Callable[[FindRun, str], Predicate]:
    """Return -uid or -gid."""

    def make(search: FindRun, text: str) -> Predicate:
        comparison, owners = parse_comparison(text), Owners(search.sh)
        if comparison is None:
            raise search.sh.fail(f"invalid argument `{text}' to `{option}'")
        sign, number = comparison
        owner = owners.user_number if option == "-uid" else owners.group_number
        return lambda file: is_satisfied(sign, owner(file.stat), number)

    return make


def user_test(search: FindRun, name: str) -> Predicate:
    """Return -user, which takes a name or a number."""
    owners = Owners(search.sh)
    if not name:
        raise search.sh.fail("The argument to -user should not be empty")
    number = resolve_id(search, name, owners.number_of_user(name), "a known user")
    return lambda file: owners.user_number(file.stat) == number


def group_test(search: FindRun, name: str) -> Predicate:
    """Return -group, which takes a name or a number."""
    owners = Owners(search.sh)
    if not name:
        raise search.sh.fail("argument to -group is empty, but should be a group name")
    number = resolve_id(search, name, owners.number_of_group(name), "an existing group")
    return lambda file: owners.group_number(file.stat) == number


def resolve_id(search: FindRun, name: str, id_of_name: int | None, expected: str) -> int:
    """Return the number of a name, or the number that it is."""
    if id_of_name is not None:
        return id_of_name
    if not is_digits(name):
        raise search.sh.fail(f"'{name}' is not the name of {expected}")
    number = bounded_number(name)
    if number > MAX_ID:
        raise search.sh.fail(f"{name}: Numerical result out of range")
    return number


def no_user_test(search: FindRun) -> Predicate:
    """Return -nouser: the owner has no name."""
    owners = Owners(search.sh)
    return lambda file: owners.user(file.stat) is None


def no_group_test(search: FindRun) -> Predicate:
    """Return -nogroup: the group has no name."""
    owners = Owners(search.sh)
    return lambda file: owners.group(file.stat) is None


OWNER_TESTS: dict[str, Callable[[FindRun, str], Predicate]] = {
    "-uid": id_test("-uid"),
    "-gid": id_test("-gid"),
    "-user": user_test,
    "-group": group_test,
}
