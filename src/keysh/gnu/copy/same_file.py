"""Same file: whether a copy would be what it is made of, as GNU's cp 9.1 judges it."""

from __future__ import annotations

from keysh.vfs.api import identity
from keysh.vfs.paths import last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.copy.rules import CopyRules
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

NOTHING_TO_DO = "neither"  # nothing is to be done, and nothing is wrong


def compare_files(
    sh: Call, rules: CopyRules, names: tuple[str, str], stats: tuple[Stat, Stat]
) -> str:
    """ "" where source and target are two files, "same" where not, or "neither".

    `names` and `stats` are of the source and of what is at the target.
    """
    found, there = stats
    never = rules.follow == "never"
    if rules.hard_link and identity(found) == identity(there):
        return NOTHING_TO_DO
    if never:
        if found.is_link and there.is_link:
            if identity(found) != identity(there):
                return ""
            if is_same_entry(sh, *names):
                return "same"
            return "" if rules.backups is not None else NOTHING_TO_DO
        from_link, to_link = found, there
    elif identity(found) != identity(there):
        return ""
    else:
        from_link, to_link = (sh.fs.stat(sh.path(name)) for name in names)
        if from_link.is_link and to_link.is_link and rules.remove_first:
            return ""
    is_one = identity(from_link) == identity(to_link)
    if rules.backups is not None:
        return compare_with_backup(sh, names, from_link, to_link, never=never)
    if rules.remove_first:
        is_other_name = is_one and to_link.links > 1 and not is_same_entry(sh, *names)
        if to_link.is_link or is_other_name:
            return ""
    has_link = from_link.is_link or to_link.is_link
    if not (has_link or is_one):
        return ""
    if to_link.is_link and (rules.symbolic_link or (rules.hard_link and never)):
        return ""
    if never and not lead_to_same_file(sh, *names):
        return ""
    return NOTHING_TO_DO if never and rules.hard_link else "same"


def compare_with_backup(
    sh: Call, names: tuple[str, str], from_link: Stat, to_link: Stat, *, never: bool
) -> str:
    """What `judged_same` says of a target that is put aside first; the source must stay."""
    if identity(from_link) == identity(to_link):
        return "same" if is_same_entry(sh, *names) else ""
    # Behind the link there would be nothing left to read.
    return "same" if not never and from_link.is_link and not to_link.is_link else ""


def lead_to_same_file(sh: Call, source: str, target: str) -> bool:
    """Whether both lead to one file, links followed."""
    from_end, to_end = sh.stat(source), sh.stat(target)
    return from_end is not None and to_end is not None and identity(from_end) == identity(to_end)


def is_same_entry(sh: Call, source: str, target: str) -> bool:
    """Whether both are one entry of one directory, by whatever way."""
    return directory_entry_of(sh, source) == directory_entry_of(sh, target)


def directory_entry_of(sh: Call, path: str) -> tuple[str, str]:
    """The real path of the directory that a name stands in, and the name."""
    whole = sh.path(path)
    step = last_step(whole)
    return sh.fs.resolve(without_slash(whole)[: -len(step) or None]), step
