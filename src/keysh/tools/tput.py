"""tput - print what makes a terminal do something."""

from __future__ import annotations

import os
import re

from keysh.schema.declare import OptionStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

USAGE_STATUS, UNKNOWN_TERMINAL_STATUS, UNKNOWN_NAME_STATUS = 2, 3, 4
USAGE_HINT = "Usage: tput [-T TERM] [-x] CAPABILITY..., or tput -S"
DEFAULT_SIZE = {"cols": 80, "lines": 24}
SIZE_VARIABLES = {"cols": "COLUMNS", "lines": "LINES"}
# The beginnings of the names of terminals that understand xterm's sequences.
KNOWN_TERMINALS = (
    "alacritty", "ansi", "foot", "gnome", "konsole", "linux", "rxvt", "screen", "st-", "tmux",
    "vt100", "vt102", "vt220", "vte", "xterm",
)  # fmt: skip
FEW_COLORS, MANY_COLORS = 8, 256
MANY_COLOR_TERMINALS = re.compile(r"256color|direct|^(alacritty|foot)")

# What xterm's entry of terminfo (ncurses 6.4) has; `{0}` is the first parameter, `{0+1}` one more.
SEQUENCES = {
    "bel": "\a", "blink": "\033[5m", "bold": "\033[1m", "cbt": "\033[Z",
    "civis": "\033[?25l", "cnorm": "\033[?12l\033[?25h", "cr": "\r",
    "csr": "\033[{0+1};{1+1}r", "cub": "\033[{0}D", "cub1": "\b", "cud": "\033[{0}B",
    "cud1": "\n", "cuf": "\033[{0}C", "cuf1": "\033[C", "cup": "\033[{0+1};{1+1}H",
    "cuu": "\033[{0}A", "cuu1": "\033[A", "cvvis": "\033[?12;25h", "dch": "\033[{0}P",
    "dch1": "\033[P", "dim": "\033[2m", "dl": "\033[{0}M", "dl1": "\033[M", "ech": "\033[{0}X",
    "ed": "\033[J", "el": "\033[K", "el1": "\033[1K", "flash": "\033[?5h\033[?5l",
    "home": "\033[H", "hpa": "\033[{0+1}G", "ht": "\t", "hts": "\033H", "ich": "\033[{0}@",
    "il": "\033[{0}L", "il1": "\033[L", "ind": "\n", "indn": "\033[{0}S", "invis": "\033[8m",
    "kbs": "\x7f", "kcub1": "\033OD", "kcud1": "\033OB", "kcuf1": "\033OC", "kcuu1": "\033OA",
    "kdch1": "\033[3~", "kend": "\033OF", "khome": "\033OH", "knp": "\033[6~", "kpp": "\033[5~",
    "nel": "\033E", "op": "\033[39;49m", "rc": "\0338", "rep": "{0:c}\033[{1-1}b",
    "rev": "\033[7m", "ri": "\033M", "rin": "\033[{0}T", "ritm": "\033[23m",
    "rmacs": "\033(B", "rmam": "\033[?7l", "rmcup": "\033[?1049l\033[23;0;0t",
    "rmir": "\033[4l", "rmkx": "\033[?1l\033>", "rmso": "\033[27m", "rmul": "\033[24m",
    "rmxx": "\033[29m", "rs1": "\033c", "sc": "\0337", "setab": "\033[4{0}m",
    "setaf": "\033[3{0}m", "sgr0": "\033(B\033[m", "sitm": "\033[3m", "smacs": "\033(0",
    "smam": "\033[?7h", "smcup": "\033[?1049h\033[22;0;0t", "smir": "\033[4h",
    "smkx": "\033[?1h\033=", "smso": "\033[7m", "smul": "\033[4m", "smxx": "\033[9m",
    "tbc": "\033[3g", "vpa": "\033[{0+1}d",
    "reset": "\033c\033[!p\033[?3;4l\033[4l\033>", "init": "\033[!p\033[?3;4l\033[4l\033>",
}  # fmt: skip
CLEAR_SCREEN, CLEAR_SCROLLBACK = "\033[H\033[2J", "\033[3J"
FLAG_CAPABILITIES = {
    "am": True,
    "bce": True,
    "bw": False,
    "hs": False,
    "km": True,
    "mir": True,
    "xenl": True,
}
PARAMETER = re.compile(r"\{(\d)(\+1|:c|-1)?\}")
TAB_COLUMNS = 8
ABSENT_STATUS = 1  # the terminal lacks the capability


@command(
    compatible="ncurses 6.4",
    refusals=Refusals(usage_status=USAGE_STATUS, usage_hint=USAGE_HINT),
    style=OptionStyle(binds_by_key=False),
)
def tput(
    sh: Call, *words: str, from_input: bool = False, term: str | None = None, keep: bool = False
) -> int:
    """Print what makes a terminal do something, such as `setaf 1` for red text.

    words ...          capabilities by their terminfo names, each with its numbers:
                       cols, lines, colors, bold, dim, smul, rev, sgr0, setaf,
                       setab, cup, clear, el, ed, civis, cnorm, smcup, rmcup ...
    -S, --from-input   read capabilities from standard input, one a line
    -T, --term NAME    the terminal, instead of $TERM
    -x, --keep         let `clear` keep what was scrolled away

    Every terminal but `dumb` has xterm's sequences, with 256 colors if its name
    says so. The size is $COLUMNS and $LINES, else the terminal's, else 80 and 24.
    """
    name = sh.env.get("TERM", "") if term is None else term
    if not name:
        raise sh.fail("No value for $TERM and no -T specified", USAGE_STATUS)
    if name != "dumb" and not name.startswith(KNOWN_TERMINALS):
        raise sh.fail(f'unknown terminal "{name}"', UNKNOWN_TERMINAL_STATUS)
    terminal = Terminal(sh, name, keep)
    if from_input:
        lines = [line.split() for line in sh.stdin.lines()]
    elif words:
        lines = [list(words)]
    else:
        sh.err.write(f"{USAGE_HINT}\n")
        return USAGE_STATUS
    for line in lines:
        for text, status in terminal.outputs(line):
            sh.out.write(text)
            if status:
                return status
    return 0


class Terminal:
    """What a kind of terminal understands."""

    __slots__ = ("_colors", "_is_dumb", "_keeps_scrollback", "_sh", "_title")

    def __init__(self, sh: Call, name: str, keeps_scrollback: bool) -> None:
        self._sh, self._title, self._is_dumb = sh, name, name == "dumb"
        self._keeps_scrollback = keeps_scrollback
        self._colors = MANY_COLORS if MANY_COLOR_TERMINALS.search(name) else FEW_COLORS

    def outputs(self, words: list[str]) -> Iterator[tuple[str, int]]:
        """Yield the text and status of each capability among the words."""
        while words:
            name, *words = words
            number = self._number(name)
            if number is not None:
                yield f"{number}\n", 0
            elif name in FLAG_CAPABILITIES:
                yield "", 0 if FLAG_CAPABILITIES[name] and not self._is_dumb else ABSENT_STATUS
            elif name == "longname":
                yield self._title, 0
            elif name == "clear":
                kept = "" if self._keeps_scrollback else CLEAR_SCROLLBACK
                yield self._sequence(CLEAR_SCREEN + kept, [])
            elif name in SEQUENCES:
                sequence = SEQUENCES[name]
                count = len({found[1] for found in PARAMETER.finditer(sequence)})
                if name in ("setaf", "setab") and words:
                    sequence = self._color_sequence(sequence, whole_number(words[0]))
                yield self._sequence(sequence, words[:count])
                words = words[count:]
            else:
                message = f"unknown terminfo capability '{name}'"
                raise self._sh.fail(message, UNKNOWN_NAME_STATUS)

    def _number(self, name: str) -> int | None:
        """Return the value of a numeric capability."""
        if name in SIZE_VARIABLES:
            given = self._sh.env.get(SIZE_VARIABLES[name], "")
            if given.isdecimal() and int(given):
                return int(given)
            return screen_size(self._sh, name)
        if name == "colors":
            return -1 if self._is_dumb else self._colors
        if name == "pairs":
            return -1 if self._is_dumb else self._colors * self._colors
        if name == "it":
            return -1 if self._is_dumb else TAB_COLUMNS
        return None

    def _sequence(self, sequence: str, parameters: list[str]) -> tuple[str, int]:
        if self._is_dumb and sequence not in ("\a", "\r", "\n"):
            return "", ABSENT_STATUS

        def parameter_text(found: re.Match[str]) -> str:
            index, change = int(found[1]), found[2]
            value = parameters[index] if index < len(parameters) else "0"
            if change == ":c":
                return value
            return str(whole_number(value) + {None: 0, "+1": 1, "-1": -1}[change])

        return PARAMETER.sub(parameter_text, sequence), 0

    def _color_sequence(self, sequence: str, number: int) -> str:
        """Return the sequence of a color, which has another form if its number is large."""
        if self._colors == FEW_COLORS or number < 8:
            return sequence
        is_background = sequence.startswith("\033[4")
        if number < 16:
            return f"\033[{10 if is_background else 9}{number - 8}m"
        return f"\033[{4 if is_background else 3}8;5;{{0}}m"


def whole_number(text: str) -> int:
    """Return the number that a text begins with; 0 if there is none."""
    found = re.match(r"\s*[+-]?\d{1,9}", text)
    return int(found[0]) if found else 0


def screen_size(sh: Call, name: str) -> int:
    """Return the columns or lines of the terminal, or else 80 and 24."""
    for writer in (sh.out, sh.err):
        if writer.width and writer.fd >= 0:
            try:
                size = os.get_terminal_size(writer.fd)
            except OSError:
                continue
            return (size.columns if name == "cols" else size.lines) or DEFAULT_SIZE[name]
    return DEFAULT_SIZE[name]
