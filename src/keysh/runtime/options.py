"""Options: what `set -o` and `shopt` turn on and off, as bits of one integer."""

from __future__ import annotations

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
    ("nolog", "", False),
    ("notify", "b", False),
    ("physical", "P", False),
    ("emacs", "", False),
    ("vi", "", False),
    ("xpg_echo", "", False),
)
BITS = {name: 1 << at for at, (name, _, _) in enumerate(TABLE)}
LETTERS = {letter: name for name, letter, _ in TABLE if letter}
FIRST = sum(BITS[name] for name, _, is_on in TABLE if is_on)

# Names that `shopt` lists; all others are listed by `set -o`.
SHOPT = (
    "dotglob", "expand_aliases", "extglob", "failglob", "globstar", "inherit_errexit", "lastpipe",
    "nocaseglob", "nocasematch", "nullglob", "xpg_echo",
)  # fmt: skip

ALLEXPORT, ERREXIT, ERRTRACE = BITS["allexport"], BITS["errexit"], BITS["errtrace"]
FAILGLOB, NULLGLOB, NOGLOB, GLOBSTAR = (
    BITS["failglob"], BITS["nullglob"], BITS["noglob"], BITS["globstar"],
)  # fmt: skip
DOTGLOB, NOCASEGLOB, NOCASEMATCH = BITS["dotglob"], BITS["nocaseglob"], BITS["nocasematch"]
NOCLOBBER, NOEXEC, NOUNSET = BITS["noclobber"], BITS["noexec"], BITS["nounset"]
PIPEFAIL, XTRACE, VERBOSE = BITS["pipefail"], BITS["xtrace"], BITS["verbose"]
FUNCTRACE, MONITOR, INHERIT_ERREXIT = BITS["functrace"], BITS["monitor"], BITS["inherit_errexit"]
XPG_ECHO = BITS["xpg_echo"]

# What is no option, but is looked at wherever the options are: a trap that acts between commands,
# a host that is asked before each command, a function in place of a command that has a short way.
TRAPS_ERR, TRAPS_DEBUG, ASKS_HOST, SHADOWS = (1 << at for at in range(40, 44))
# With one of these a simple command takes no short way, with one of those its failure matters.
WATCHED = XTRACE | NOEXEC | TRAPS_DEBUG | ASKS_HOST | SHADOWS | XPG_ECHO
ENDS_ON_FAILURE = ERREXIT | TRAPS_ERR


def letters(flags: int) -> str:
    """What `$-` shows."""
    return "".join(letter for letter, name in sorted(LETTERS.items()) if flags & BITS[name])
