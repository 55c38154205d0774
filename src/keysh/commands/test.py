"""test, [ - judge a condition by its status: 0 true, 1 false, 2 not understood."""

from __future__ import annotations

import os
import stat as kinds

from keysh.schema.arguments import written
from keysh.schema.declare import command
from keysh.text.lines import encoded
from keysh.vfs.access import may

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from keysh.runtime.call import Call
    from keysh.schema.types import Raw
    from keysh.vfs.api import Stat

MOST_DEPTH = 100  # of parentheses

# -o, -v and -R of bash ask for options and variables of the shell, which no command sees.
KINDS = {
    "-b": kinds.S_IFBLK, "-c": kinds.S_IFCHR, "-d": kinds.S_IFDIR, "-f": kinds.S_IFREG,
    "-p": kinds.S_IFIFO, "-S": kinds.S_IFSOCK,
}  # fmt: skip
BITS = {"-g": kinds.S_ISGID, "-k": kinds.S_ISVTX, "-u": kinds.S_ISUID}
PERMISSIONS = {"-r": 4, "-w": 2, "-x": 1}
OF_FILES: dict[str, Callable[[Stat], bool]] = {
    "-a": lambda found: True,
    "-e": lambda found: True,
    "-s": lambda found: found.size > 0,
    "-O": lambda found: found.owner == os.geteuid(),
    "-G": lambda found: found.group == os.getegid(),
    "-N": lambda found: found.accessed <= found.modified,
}
OF_TEXTS: dict[str, Callable[[str], bool]] = {"-n": bool, "-z": lambda text: not text}
UNARY = {*KINDS, *BITS, *PERMISSIONS, *OF_FILES, *OF_TEXTS, "-h", "-L", "-t"}

TEXTS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda left, right: left == right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: encoded(left) < encoded(right),
    ">": lambda left, right: encoded(left) > encoded(right),
}
NUMBERS: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda left, right: left == right,
    "-ne": lambda left, right: left != right,
    "-lt": lambda left, right: left < right,
    "-le": lambda left, right: left <= right,
    "-gt": lambda left, right: left > right,
    "-ge": lambda left, right: left >= right,
}
BINARY = {*TEXTS, *NUMBERS, "-nt", "-ot", "-ef"}


@command
def test(sh: Call, *words: Raw) -> int:
    """Judge a condition: status 0 if it holds, 1 if not, 2 if it is not understood.

    words ...  the condition; behind `[` a last word `]`

    Files: -e there is one, -f regular, -d directory, -h or -L link, -p pipe, -S socket, -b -c
    device, -s not empty, -r -w -x allowed to read, write, execute, -u -g -k with that bit, -O -G
    one's own, -N changed since it was read; A -nt B newer, A -ot B older, A -ef B the same file.
    Text: -n not empty, -z empty, A = B, A != B, A < B, A > B. Numbers: -eq -ne -lt -le -gt -ge.
    ! C, C -a C, C -o C and ( C ) make longer ones.
    """
    texts = written(words)
    if sh.name == "[" and (not texts or texts.pop() != "]"):
        raise sh.fail("missing `]'", 2)
    return 0 if Condition(sh, texts).holds() else 1


class Condition:
    """Words and how many of them are read. With up to four, their number decides (POSIX)."""

    __slots__ = ("at", "depth", "sh", "words")

    def __init__(self, sh: Call, words: list[str]) -> None:
        self.sh, self.words, self.at, self.depth = sh, words, 0, 0

    def holds(self) -> bool:
        """Whether all the words together are true."""
        count = len(self.words)
        by_number = (self.none, self.one, self.two, self.three, self.four)
        holds = by_number[count]() if count < len(by_number) else self.any_of()
        if count < 4:
            return holds
        if self.at < count:
            word = self.words[self.at]
            is_operator = word[:1] == "-"
            self.refuse(f"syntax error: `{word}' unexpected" if is_operator else "too many arguments")
        return holds

    def refuse(self, message: str) -> NoReturn:
        raise self.sh.fail(message, 2)

    def next(self) -> str:
        """The next word, which is then read."""
        if self.at >= len(self.words):
            self.refuse("argument expected")
        self.at += 1
        return self.words[self.at - 1]

    def peek(self, ahead: int = 0) -> str | None:
        """A word further on, if there is one."""
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else None

    # ------------------------------------------------------------ by their number

    def none(self) -> bool:
        return False

    def one(self) -> bool:
        return self.next() != ""

    def two(self) -> bool:
        operator = self.next()
        if operator == "!":
            return not self.one()
        if operator not in UNARY:
            self.refuse(f"{operator}: unary operator expected")
        return self.unary(operator)

    def three(self) -> bool:
        first, operator, last = self.words[self.at : self.at + 3]
        if operator in BINARY:
            return self.binary()
        if operator in ("-a", "-o"):
            self.at += 3
            return first != "" and last != "" if operator == "-a" else first != "" or last != ""
        if first == "!":
            self.at += 1
            return not self.two()
        if first == "(" and last == ")":
            self.at += 3
            return operator != ""
        self.refuse(f"{operator}: binary operator expected")

    def four(self) -> bool:
        if self.words[0] == "!":
            self.at = 1
            return not self.three()
        if self.words[0] == "(" and self.words[3] == ")":
            self.at = 1
            holds = self.two()
            self.at = 4
            return holds
        return self.any_of()

    # ------------------------------------------------------------ by what they are

    def any_of(self) -> bool:
        """C -o C …; every side is judged, for a wrong one is told of in any case."""
        holds = self.all_of()
        while self.peek() == "-o":
            self.at += 1
            holds = self.all_of() or holds
        return holds

    def all_of(self) -> bool:
        holds = self.term()
        while self.peek() == "-a":
            self.at += 1
            holds = self.term() and holds
        return holds

    def term(self) -> bool:
        is_negated = False
        while self.peek() == "!":
            self.at += 1
            is_negated = not is_negated
        first = self.peek()
        if self.peek(1) in BINARY and self.peek(2) is not None:
            return self.binary() != is_negated
        self.next()
        if first == "(":
            holds = self.grouped()
        elif first in UNARY and first is not None and self.at < len(self.words):
            holds = self.unary(first)
        else:
            holds = first != ""
        return holds != is_negated

    def grouped(self) -> bool:
        """The condition in parentheses, behind the first of them."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            self.refuse(f"more than {MOST_DEPTH} parentheses in each other")
        holds = self.any_of()
        self.depth -= 1
        found = self.peek()
        if found != ")":
            self.refuse("`)' expected" + ("" if found is None else f", found {found}"))
        self.at += 1
        return holds

    # ------------------------------------------------------------ operators

    def unary(self, operator: str) -> bool:
        """An operator that is read, and its operand."""
        operand = self.next()
        if operator == "-t":
            # A command's streams are no terminals. Like bash, leave what is no number unread.
            self.at -= self.number(operand) is None
            return False
        if operator in OF_TEXTS:
            return OF_TEXTS[operator](operand)
        found = self.stat(operand, follow=operator not in ("-h", "-L"))
        if found is None:
            return False
        if operator in KINDS:
            return kinds.S_IFMT(found.mode) == KINDS[operator]
        if operator in BITS:
            return bool(found.mode & BITS[operator])
        if operator in PERMISSIONS:
            return may(self.sh.fs, self.sh.path(operand), found, PERMISSIONS[operator])
        return OF_FILES[operator](found) if operator in OF_FILES else found.is_link

    def binary(self) -> bool:
        left, operator, right = self.next(), self.next(), self.next()
        if operator in TEXTS:
            return TEXTS[operator](left, right)
        if operator in NUMBERS:
            return NUMBERS[operator](self.need_number(left), self.need_number(right))
        here, there = self.stat(left), self.stat(right)
        if operator == "-ef":
            return here is not None and there is not None and self.is_same(left, here, right, there)
        if operator == "-ot":
            here, there = there, here
        return here is not None and (there is None or here.modified > there.modified)

    def need_number(self, text: str) -> int:
        number = self.number(text)
        if number is None:
            self.refuse(f"{text}: integer expression expected")
        return number

    def number(self, text: str) -> int | None:
        """The number that a text is: 64 bits, with blanks around it."""
        number = text.lstrip(" \t\n\v\f\r").rstrip(" \t")
        digits = number[number[:1] in ("+", "-") :]
        if digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) < 20:
            found = int(number)
            if -(1 << 63) <= found < 1 << 63:
                return found
        return None

    def stat(self, path: str, *, follow: bool = True) -> Stat | None:
        try:
            return self.sh.fs.stat(self.sh.path(path), follow=follow) if path else None
        except OSError:
            return None

    def is_same(self, left: str, here: Stat, right: str, there: Stat) -> bool:
        """Whether two paths are one file; numbers of inodes count within one file system only."""
        fs, inner = self.sh.fs.locate(self.sh.path(left))
        other, other_inner = self.sh.fs.locate(self.sh.path(right))
        if not here.inode or not there.inode:
            return fs is other and inner == other_inner
        return fs is other and (here.device, here.inode) == (there.device, there.inode)
