"""The warnings of -warn about questionable expressions, in GNU's words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.find.search import FindRun

# Options that apply to the whole run, wherever they are.
GLOBAL_OPTIONS = (
    "-maxdepth", "-mindepth", "-depth", "-d", "-xdev", "-mount", "-files0-from", "-noleaf",
    "-ignore_readdir_race", "-noignore_readdir_race",
)  # fmt: skip
POSITIONAL_OPTIONS = ("-daystart", "-follow", "-regextype", "-warn", "-nowarn")


def warn_global_option(search: FindRun, option: str, first_test: str) -> None:
    """Warn if a global option follows a test or an action."""
    if first_test:
        warn_if_enabled(
            search,
            f"you have specified the global option {option} after the argument {first_test}, but "
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
    """Warn about a slash in the pattern of -name."""
    if "/" in pattern:
        whole = option.replace("name", "wholename")
        warn_if_enabled(
            search,
            f"'{option}' matches against basenames only, but the given pattern contains a "
            "directory separator ('/'), thus the expression will evaluate to false all the time.  "
            f"Did you mean '{whole}'?",
        )


def warn_path_slash(search: FindRun, option: str, pattern: str) -> None:
    """Warn about a path pattern that ends with a slash."""
    if pattern.endswith("/"):
        warn_if_enabled(
            search, f"{option} {pattern} will not match anything because it ends with /."
        )


def warn_if_enabled(search: FindRun, text: str) -> None:
    if search.gives_advice:
        search.sh.complain(f"find: warning: {text}")
