"""Shell options of `set -o` and `shopt`, as bits of one integer."""

from __future__ import annotations

from keysh.diagnostics.dialect import KEYSH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.dialect import Dialect

# Not options, but checked together with them before each command: ERR and DEBUG traps, a host that
# must be asked, a function that shadows a fast builtin, a pending signal.
TRAPS_ERR, TRAPS_DEBUG, ASKS_HOST, SHADOWS_BUILTIN, SIGNAL_PENDING = (1 << at for at in range(5))

# Name, letter of `set`, default.
OPTION_TABLE = (
    ("allexport", "a", False),
    ("braceexpand", "B", True),
    ("errexit", "e", False),
    ("errtrace", "E", False),
    ("failglob", "", False),
    ("functrace", "T", False),
    ("globstar", "", False),
    ("hashall", "h", True),
    ("monitor", "m", False),
    ("noclobber", "C", False),
    ("noexec", "n", False),
    ("noglob", "f", False),
    ("nounset", "u", False),
    ("nullglob", "", False),
    ("pipefail", "", False),
    ("verbose", "v", False),
    ("xtrace", "x", False),
    ("dotglob", "", False),
    ("nocaseglob", "", False),
    ("nocasematch", "", False),
    ("extglob", "", False),
    ("expand_aliases", "", False),
    ("inherit_errexit", "", False),
    ("lastpipe", "", False),
    ("shift_verbose", "", False),
    ("nolog", "", False),
    ("notify", "b", False),
    ("physical", "P", False),
    ("emacs", "", False),
    ("vi", "", False),
    ("xpg_echo", "", False),
    ("extquote", "", True),
    ("globskipdots", "", True),
    ("patsub_replacement", "", True),
    ("sourcepath", "", True),
    # Accepted without effect: in bash these concern the prompt.
    ("interactive-comments", "", True),
    *((name, "", True) for name in (
        "checkwinsize", "cmdhist", "complete_fullquote", "force_fignore", "globasciiranges",
        "hostcomplete", "interactive_comments", "progcomp", "promptvars",
    )),
    ("histexpand", "H", False),
    ("history", "", False),
    ("ignoreeof", "", False),
    ("privileged", "p", False),
    *((name, "", False) for name in (
        "assoc_expand_once", "autocd", "cdspell", "checkhash", "checkjobs", "direxpand", "dirspell",
        "gnu_errfmt", "histappend", "histreedit", "histverify", "huponexit", "lithist", "mailwarn",
        "no_empty_cmd_completion", "noexpand_translation", "progcomp_alias",
    )),
    # These cannot be turned on: syntax.bash_differences.NEVER_ON has the reasons.
    ("keyword", "k", False),
    ("onecmd", "t", False),
    ("posix", "", False),
    *((name, "", False) for name in (
        "cdable_vars", "compat31", "compat32", "compat40", "compat41", "compat42", "compat43",
        "compat44", "execfail", "extdebug", "localvar_inherit", "localvar_unset", "login_shell",
        "restricted_shell", "varredir_close",
    )),
)  # fmt: skip
OPTION_BITS = {name: 32 << at for at, (name, _, _) in enumerate(OPTION_TABLE)}
# Options that are on in keysh and off in bash, as long as no script has switched them: for these, a
# second bit says that one has turned them off.
DIALECT_OPTIONS = ("expand_aliases", "extglob", "failglob", "globstar", "lastpipe")
TURNED_OFF_BITS = {
    name: 32 << at for at, name in enumerate(DIALECT_OPTIONS, start=len(OPTION_TABLE))
}
# How the shell was called: letters of `$-` that no option switches.
FROM_COMMAND_STRING, FROM_STDIN = (
    32 << len(OPTION_TABLE) + len(DIALECT_OPTIONS) + at for at in range(2)
)
OPTION_LETTERS = {letter: name for name, letter, _ in OPTION_TABLE if letter}
DEFAULT_FLAGS = sum(OPTION_BITS[name] for name, _, is_on in OPTION_TABLE if is_on)

# The names listed by `set -o` and by `shopt`, in bash's order.
SET_OPTIONS = (
    "allexport", "braceexpand", "emacs", "errexit", "errtrace", "functrace", "hashall",
    "histexpand", "history", "ignoreeof", "interactive-comments", "keyword", "monitor", "noclobber",
    "noexec", "noglob", "nolog", "notify", "nounset", "onecmd", "physical", "pipefail", "posix",
    "privileged", "verbose", "vi", "xtrace",
)  # fmt: skip
SHOPT_OPTIONS = (
    "autocd",
    *sorted({name for name, _, _ in OPTION_TABLE} - {"autocd", *SET_OPTIONS}),
)

ALLEXPORT, ERREXIT, ERRTRACE = (
    OPTION_BITS["allexport"],
    OPTION_BITS["errexit"],
    OPTION_BITS["errtrace"],
)
FAILGLOB, NULLGLOB, NOGLOB = (
    OPTION_BITS["failglob"],
    OPTION_BITS["nullglob"],
    OPTION_BITS["noglob"],
)
FAILGLOB_OFF = TURNED_OFF_BITS["failglob"]
EXPAND_ALIASES, EXTGLOB, LASTPIPE = (
    OPTION_BITS["expand_aliases"],
    OPTION_BITS["extglob"],
    OPTION_BITS["lastpipe"],
)
DOTGLOB, NOCASEGLOB, NOCASEMATCH = (
    OPTION_BITS["dotglob"],
    OPTION_BITS["nocaseglob"],
    OPTION_BITS["nocasematch"],
)
NOCLOBBER, NOEXEC, NOUNSET = OPTION_BITS["noclobber"], OPTION_BITS["noexec"], OPTION_BITS["nounset"]
PIPEFAIL, XTRACE, VERBOSE = OPTION_BITS["pipefail"], OPTION_BITS["xtrace"], OPTION_BITS["verbose"]
FUNCTRACE, INHERIT_ERREXIT = OPTION_BITS["functrace"], OPTION_BITS["inherit_errexit"]
XPG_ECHO, SHIFT_VERBOSE = OPTION_BITS["xpg_echo"], OPTION_BITS["shift_verbose"]
HASHALL = OPTION_BITS["hashall"]

# Flags that rule out the fast path of a simple command, and flags that make its failure matter.
WATCHED_FLAGS = (
    XTRACE | NOEXEC | TRAPS_DEBUG | ASKS_HOST | SHADOWS_BUILTIN | SIGNAL_PENDING | XPG_ECHO
)
ENDS_ON_FAILURE = ERREXIT | TRAPS_ERR


def flag_letters(flags: int) -> str:
    """Return the value of `$-`, lower case letters first."""
    letters = (letter for letter, name in OPTION_LETTERS.items() if flags & OPTION_BITS[name])
    source = "c" * bool(flags & FROM_COMMAND_STRING) + "s" * bool(flags & FROM_STDIN)
    return "".join(sorted(letters, key=str.swapcase)) + source


def is_option_on(flags: int, name: str, dialect: Dialect) -> bool:
    """Whether an option is on for a text of a dialect."""
    if flags & OPTION_BITS[name]:
        return True
    return dialect is KEYSH and name in TURNED_OFF_BITS and not flags & TURNED_OFF_BITS[name]


def with_option(flags: int, name: str, is_on: bool, dialect: Dialect) -> int:
    """Return the flags with an option switched; unchanged if it cannot be switched."""
    from keysh.syntax.bash_differences import option_refusal  # noqa: PLC0415 - few scripts set options

    if option_refusal(name, is_on, dialect):
        return flags
    off = TURNED_OFF_BITS.get(name, 0)
    return (flags | OPTION_BITS[name]) & ~off if is_on else flags & ~OPTION_BITS[name] | off
