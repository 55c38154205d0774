"""Advice: what -warn says of an expression that does otherwise than it looks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.find.search import FindRun

# The options that hold for the whole run, wherever they stand.
GLOBAL_OPTIONS = (
    "-maxdepth", "-mindepth", "-depth", "-d", "-xdev", "-mount", "-files0-from", "-noleaf",
    "-ignore_readdir_race", "-noignore_readdir_race",
)  # fmt: skip
POSITIONAL_OPTIONS = ("-daystart", "-follow", "-regextype", "-warn", "-nowarn")


def warn_global_option(search: FindRun, option: str, before: str) -> None:
    """An option for all that is judged stands behind a test or an action."""
    if before:
        warn_if_enabled(
            search,
            f"you have specified the global option {option} after the argument {before}, but "
            f"global options are not positional, i.e., {option} affects tests specified before it "
            "as well as those specified after it.  Please specify global options before other "
            "arguments.",
        )
    if option == "-d":
        warn_if_enabled(
            search,
            "the -d option is deprecated; please use -depth instead, because the latter is a "
            "POSIX-compliant feature.",
        )


def warn_name_slash(search: FindRun, option: str, pattern: str) -> None:
    """No name holds a slash."""
    if "/" in pattern:
        whole = option.replace("name", "wholename")
        warn_if_enabled(
            search,
            f"'{option}' matches against basenames only, but the given pattern contains a "
            "directory separator ('/'), thus the expression will evaluate to false all the time.  "
            f"Did you mean '{whole}'?",
        )


def warn_path_slash(search: FindRun, option: str, pattern: str) -> None:
    """No path ends in a slash, but those that are given so."""
    if pattern.endswith("/"):
        warn_if_enabled(
            search, f"{option} {pattern} will not match anything because it ends with /."
        )


def warn_if_enabled(search: FindRun, text: str) -> None:
    if search.gives_advice:
        search.sh.err.write(f"find: warning: {text}\n")
