"""Random runs: commands that change files, and commands that change the state of a shell."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "d", "d/x", "d/y", "e", "e/z"])
VARIABLES = st.sampled_from(["v", "w", "list"])
NUMBERS = st.integers(0, 99)

# `%` stands for a name, `@` for a variable, `#` for a number.
FILE_COMMANDS = (
    "echo # > %", "echo # >> %", "rm -rf %", "mkdir %", "mkdir -p %", "mv % %", "cp -r % %",
    "ln % %", "ln -s % %", "chmod 6# %", "chmod 7## %", "touch %", "touch -d @1# %", "rmdir %",
    "truncate -s # %", ": > %", "sed -i s/1/#/ %", "tee % <<< #", "cp % %", "rm %",
    "head -c 100000 /dev/zero > %", "echo # > % && mv % % && echo # > %", "rm -r * ",
)  # fmt: skip
STATE_COMMANDS = (
    "@=#", "@=(# #)", "@=[#, #]", "@[0]=#", "@+=(#)", "unset @", "export @=#", "declare -i @=#",
    "f() { echo #; }", "unset -f f", "alias g='echo #'", "unalias -a", "set -u", "set +u", "set -f",
    "set +f", "trap 'echo #' USR1", "trap '' TERM", "trap - USR1 TERM", "cd d", "cd /work",
    "pushd d", "popd", "umask 0#", "set -- # #", "shift", "RANDOM=#", "ulimit -n 1#", "local @=#",
    "declare -A @; @[#]=#", "@=#; (@=#)", "echo @ | read @", "getopts ab x -a -b", "cat *",
)  # fmt: skip


@st.composite
def scripts(draw: st.DrawFn, known: tuple[str, ...] = FILE_COMMANDS + STATE_COMMANDS) -> str:
    """Return a script of some commands; many of them fail, which is part of it."""
    commands = draw(st.lists(st.sampled_from(known), min_size=1, max_size=4))
    pieces = []
    for character in "; ".join(commands):
        if character == "%":
            character = draw(NAMES)
        elif character == "@":
            character = draw(VARIABLES)
        elif character == "#":
            character = str(draw(NUMBERS))
        pieces.append(character)
    return "".join(pieces)
