"""Options: what `set -o` and `shopt` turn on and off, as bits of one integer."""

from __future__ import annotations

from keysh.syntax.bash_differences import refusal

# What is no option, but is looked at wherever the options are: a trap that acts between commands,
# a host that is asked before each command, a function in place of a command that has a short way, a
# signal that has come from elsewhere.
TRAPS_ERR, TRAPS_DEBUG, ASKS_HOST, SHADOWS, SIGNALLED = (1 << at for at in range(5))

# Name, letter of `set`, and whether it is on at first.
TABLE = (
    ("allexport", "a", False),
    ("braceexpand", "B", True),
    ("errexit", "e", False),
    ("errtrace", "E", False),
    ("failglob", "", True),
    ("functrace", "T", False),
    ("globstar", "", True),
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
    ("extglob", "", True),
    ("expand_aliases", "", True),
    ("inherit_errexit", "", False),
    ("lastpipe", "", True),
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
    # From here on what a prompt of bash looks at, or nothing: they can be turned on and off.
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
    # And what stays off, as NEVER_ON tells.
    ("keyword", "k", False),
    ("onecmd", "t", False),
    ("posix", "", False),
    *((name, "", False) for name in (
        "cdable_vars", "compat31", "compat32", "compat40", "compat41", "compat42", "compat43",
        "compat44", "execfail", "extdebug", "localvar_inherit", "localvar_unset", "login_shell",
        "restricted_shell", "varredir_close",
    )),
)  # fmt: skip
BITS = {name: 32 << at for at, (name, _, _) in enumerate(TABLE)}
LETTERS = {letter: name for name, letter, _ in TABLE if letter}
FIRST = sum(BITS[name] for name, _, is_on in TABLE if is_on)

# Names that `set -o` lists, and those that `shopt` lists, in bash's order.
SET = (
    "allexport", "braceexpand", "emacs", "errexit", "errtrace", "functrace", "hashall",
    "histexpand", "history", "ignoreeof", "interactive-comments", "keyword", "monitor", "noclobber",
    "noexec", "noglob", "nolog", "notify", "nounset", "onecmd", "physical", "pipefail", "posix",
    "privileged", "verbose", "vi", "xtrace",
)  # fmt: skip
SHOPT = ("autocd", *sorted({name for name, _, _ in TABLE} - {"autocd", *SET}))

ALLEXPORT, ERREXIT, ERRTRACE = BITS["allexport"], BITS["errexit"], BITS["errtrace"]
FAILGLOB, NULLGLOB, NOGLOB, GLOBSTAR = (
    BITS["failglob"], BITS["nullglob"], BITS["noglob"], BITS["globstar"],
)  # fmt: skip
DOTGLOB, NOCASEGLOB, NOCASEMATCH = BITS["dotglob"], BITS["nocaseglob"], BITS["nocasematch"]
NOCLOBBER, NOEXEC, NOUNSET = BITS["noclobber"], BITS["noexec"], BITS["nounset"]
PIPEFAIL, XTRACE, VERBOSE = BITS["pipefail"], BITS["xtrace"], BITS["verbose"]
FUNCTRACE, INHERIT_ERREXIT = BITS["functrace"], BITS["inherit_errexit"]
XPG_ECHO, SHIFT_VERBOSE = BITS["xpg_echo"], BITS["shift_verbose"]

# With one of these a simple command takes no short way, with one of those its failure matters.
WATCHED = XTRACE | NOEXEC | TRAPS_DEBUG | ASKS_HOST | SHADOWS | SIGNALLED | XPG_ECHO
ENDS_ON_FAILURE = ERREXIT | TRAPS_ERR


def letters(flags: int) -> str:
    """What `$-` shows, small letters first."""
    found = (letter for letter, name in LETTERS.items() if flags & BITS[name])
    return "".join(sorted(found, key=str.swapcase))


def switched(flags: int, name: str, is_on: bool) -> int:
    """The flags with an option turned on or off; those that cannot be stay as they are."""
    if refusal(name, is_on):
        return flags
    return flags | BITS[name] if is_on else flags & ~BITS[name]
