"""Whether a copy would replace its own source, as GNU's cp 9.1 decides it."""

from __future__ import annotations

from keysh.vfs.api import identity
from keysh.vfs.paths import last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.copy.rules import CopyRules
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

NOTHING_TO_DO = "neither"  # nothing to do, and no error


def compare_files(
    sh: Call, rules: CopyRules, names: tuple[str, str], stats: tuple[Stat, Stat]
) -> str:
    """Return "" for two different files, "same" for one file, or NOTHING_TO_DO.

    `names` and `stats` are those of the source and of what exists at the target.
    """
    source_stat, target_stat = stats
    never = rules.follow == "never"
    if rules.hard_link and identity(source_stat) == identity(target_stat):
        return NOTHING_TO_DO
    if never:
        if source_stat.is_link and target_stat.is_link:
            if identity(source_stat) != identity(target_stat):
                return ""
            if is_same_entry(sh, *names):
                return "same"
            return "" if rules.backups is not None else NOTHING_TO_DO
        from_link, to_link = source_stat, target_stat
    elif identity(source_stat) != identity(target_stat):
        return ""
    else:
        from_link, to_link = (sh.fs.stat(sh.path(name)) for name in names)
        if from_link.is_link and to_link.is_link and rules.remove_first:
            return ""
    is_same_file = identity(from_link) == identity(to_link)
    if rules.backups is not None:
        return compare_with_backup(sh, names, from_link, to_link, never=never)
    if rules.remove_first:
        is_other_name = is_same_file and to_link.links > 1 and not is_same_entry(sh, *names)
        if to_link.is_link or is_other_name:
            return ""
    has_link = from_link.is_link or to_link.is_link
    if not (has_link or is_same_file):
        return ""
    if to_link.is_link and (rules.symbolic_link or (rules.hard_link and never)):
        return ""
    if never and not lead_to_same_file(sh, *names):
        return ""
    return NOTHING_TO_DO if never and rules.hard_link else "same"


def compare_with_backup(
    sh: Call, names: tuple[str, str], from_link: Stat, to_link: Stat, *, never: bool
) -> str:
    """Compare as `compare_files`, for a target that is backed up first; the source must survive."""
    if identity(from_link) == identity(to_link):
        return "same" if is_same_entry(sh, *names) else ""
    # The backup would leave a dangling source link.
    return "same" if not never and from_link.is_link and not to_link.is_link else ""


def lead_to_same_file(sh: Call, source: str, target: str) -> bool:
    """Whether both paths lead to one file, following links."""
    from_end, to_end = sh.stat(source), sh.stat(target)
    return from_end is not None and to_end is not None and identity(from_end) == identity(to_end)


def is_same_entry(sh: Call, source: str, target: str) -> bool:
    """Whether both paths name one entry of one directory."""
    return directory_entry_of(sh, source) == directory_entry_of(sh, target)


def directory_entry_of(sh: Call, path: str) -> tuple[str, str]:
    """Return the real path of the directory that contains an entry, and its name."""
    full_path = sh.path(path)
    name = last_step(full_path)
    return sh.fs.resolve(without_slash(full_path)[: -len(name) or None]), name
