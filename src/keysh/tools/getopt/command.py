"""getopt - parse the options of a script."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.tools.getopt.option_scanner import OptionScanner, long_options, short_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.interp.state.call import Call

MISUSE_STATUS, INVALID_STATUS, TEST_STATUS = 2, 1, 4
SH_SHELLS, CSH_SHELLS = ("sh", "bash"), ("csh", "tcsh")
CSH_ESCAPES = {"\\": "\\\\", "!": "'\\!'", "\n": "\\n"}


@command(
    compatible="util-linux 2.38.1",
    refusals=Refusals(usage_status=MISUSE_STATUS),
    style=OptionStyle(binds_by_key=False, options_first=True),
)
def getopt(
    sh: Call,
    *words: str,
    alternative: bool = False,
    longoptions: list[str] | None = None,
    name: str = "getopt",
    options: str | None = None,
    quiet: bool = False,
    quiet_output: bool = False,
    shell: str = "bash",
    test: bool = False,
    unquoted: bool = False,
) -> str | int:
    """Parse the options of a script: print them in order, quoted for `eval set --`.

    words ...                the letters of the options unless -o names them, then
                             the arguments to parse, which `--` may precede
    -a, --alternative        allow long options with one dash
    -l, --longoptions NAMES  long options, separated by commas; `:` after a name
                             says that it takes a value, `::` that the value is
                             optional
    -n, --name NAME          the name to report errors under
    -o, --options LETTERS    short options, followed by : or :: as for -l; + first
                             ends at the first operand, - first keeps operands in
                             place
    -q, --quiet              report no errors
    -Q, --quiet-output       print nothing
    -s, --shell SHELL        quote for sh, bash, csh or tcsh
    -T, --test               only exit with status 4
    -u, --unquoted           do not quote

    Without an option of its own, as in `getopt ab: "$@"`, nothing is quoted.
    """
    if test:
        return TEST_STATUS
    if shell not in (*SH_SHELLS, *CSH_SHELLS):
        raise UsageFailure("unknown shell after -s or --shell argument")
    is_old_form = not sh.given
    letters, arguments = options, list(words)
    if letters is None:
        if not arguments:
            raise UsageFailure("missing optstring argument")
        letters = arguments.pop(0)
        if is_old_form:
            letters = letters.lstrip("+-")
    if arguments[:1] == ["--"] and ("--", True) not in sh.given and not is_old_form:
        del arguments[0]
    ordering, letters = split_ordering(letters, sh.env)
    names: dict[str, str] = {}
    for text in longoptions or ():
        names |= long_options(text)
    scanner = OptionScanner(
        arguments,
        short_options(letters, sh.tick),
        names,
        sh.tick,
        ordering=ordering,
        is_alternative=alternative,
    )
    is_quoted = not (unquoted or is_old_form)

    def word_text(word: str) -> str:
        return f" {quoted_word(word, shell) if is_quoted else word}"

    output = []
    for option in scanner.options():
        if option.name:
            output.append(f" {option.name}")
        if option.value is not None:
            output.append(word_text(option.value))
    output += [" --", *map(word_text, scanner.operands), "\n"]
    if not quiet and letters[:1] != ":":
        for complaint in scanner.complaints:
            sh.err.write(f"{name}: {complaint}\n")
    if not quiet_output:
        sh.out.write("".join(output))
    return INVALID_STATUS if scanner.complaints else 0


def split_ordering(letters: str, env: Mapping[str, str]) -> tuple[str, str]:
    """Split off the `+` or `-` that says what becomes of operands."""
    if letters[:1] in ("+", "-"):
        return letters[0], letters[1:]
    return "+" if "POSIXLY_CORRECT" in env else "", letters


def quoted_word(word: str, shell: str) -> str:
    """Return a word in single quotes."""
    if shell in SH_SHELLS:
        return "'" + word.replace("'", "'\\''") + "'"
    return "'" + "".join(map(csh_character, word)) + "'"


def csh_character(character: str) -> str:
    """Return a character as it stands in csh's single quotes."""
    if character == "'":
        return "'\\''"
    if character in CSH_ESCAPES:
        return CSH_ESCAPES[character]
    return f"'\\{character}'" if character.isspace() else character
