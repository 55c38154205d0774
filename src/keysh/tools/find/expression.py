"""Expression: the words behind the paths become one function that judges a file.

list  <- any ("," any)*
any   <- all (("-o" / "-or") all)*
all   <- not (("-a" / "-and")? not)*
not   <- ("!" / "-not") not / "(" list ")" / primary
"""

from __future__ import annotations

import keysh.tools.find.action as action
import keysh.tools.find.advice as advice
import keysh.tools.find.test as test
from keysh.interp.streams.files import is_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from keysh.tools.find.search import Judge, Search

AND, OR, NOT = ("-a", "-and"), ("-o", "-or"), ("!", "-not")
MOST_DEPTH = 100  # of parentheses and negations
ENDLESS_DIGITS = 9  # no file is as deep as a number of so many digits


class Expression:
    """The words, and how many of them are read."""

    __slots__ = ("at", "depth", "first", "has_action", "search", "seen", "texts", "words")

    def __init__(self, search: Search, words: Sequence[object], texts: list[str], at: int) -> None:
        self.search, self.words, self.texts, self.at = search, words, texts, at
        self.has_action = False
        self.depth = 0
        self.first = ""  # of the words that are no options
        self.seen: list[str] = []  # those that the primaries and parentheses began with

    def whole(self) -> Judge:
        """The judge of the whole expression, which prints if no action is in it."""
        printing = action.telling(self.search)
        if self.at == len(self.texts):
            return printing
        judge = self.sequence()
        if self.at < len(self.texts):
            self.refuse("you have too many ')'")
        self.check_together()
        return judge if self.has_action else lambda found: judge(found) and printing(found)

    def check_together(self) -> None:
        """Refuse what does not go together, wherever both stand."""
        seen = set(self.seen)
        if {"-delete", "-prune"} <= seen and seen.isdisjoint(("-depth", "-d")):
            self.refuse(
                "The -delete action automatically turns on -depth, but -prune does nothing when "
                "-depth is in effect.  If you want to carry on anyway, just explicitly use the "
                "-depth option."
            )

    @property
    def asks(self) -> bool:
        """Whether there is an action that asks before it does something."""
        return "-ok" in self.seen or "-okdir" in self.seen

    def note(self, word: str) -> None:
        """Remember what a primary or a parenthesis begins with."""
        self.seen.append(word)
        if word in advice.GLOBAL:
            advice.on_option(self.search, word, self.first)
        elif word not in advice.POSITIONAL:
            self.first = self.first or word

    def refuse(self, message: str) -> NoReturn:
        raise self.search.sh.fail(message)

    def peek(self) -> str:
        """The next word; empty behind the last."""
        return self.texts[self.at] if self.at < len(self.texts) else ""

    # ------------------------------------------------------------ operators

    def sequence(self) -> Judge:
        """All are judged, the last one counts."""
        judges = [self.any_of()]
        while self.peek() == ",":
            judges.append(self.any_of(self.operator()))
        return judges[0] if len(judges) == 1 else lambda found: [j(found) for j in judges][-1]

    def any_of(self, operator: str = "") -> Judge:
        judges = [self.all_of(operator)]
        while self.peek() in OR:
            judges.append(self.all_of(self.operator()))
        return judges[0] if len(judges) == 1 else lambda found: any(j(found) for j in judges)

    def all_of(self, operator: str = "") -> Judge:
        judges = [self.negated(operator)]
        while (word := self.peek()) and word not in (*OR, ",", ")"):
            judges.append(self.negated(self.operator() if word in AND else ""))
        return judges[0] if len(judges) == 1 else lambda found: all(j(found) for j in judges)

    def operator(self) -> str:
        """Take what stands between two operands."""
        word = self.peek()
        self.note(word)
        self.at += 1
        return word

    def negated(self, operator: str) -> Judge:
        """A negation, a group or a primary, behind an operator."""
        if self.at == len(self.texts):
            says = f"expected an expression after '{operator}'"
            self.refuse("invalid expression" if self.has_action else says)
        word = self.peek()
        self.at += 1
        if word in (*AND, *OR, ","):
            self.refuse(
                f"invalid expression; you have used a binary operator '{word}' with nothing "
                "before it."
            )
        if word == ")" and operator:
            self.refuse(f"expected an expression between '{operator}' and ')'")
        if word == ")":
            self.refuse("you have too many ')'")
        if word not in (*NOT, "("):
            return self.primary(word)
        self.note(word)
        self.depth += 1
        if self.depth > MOST_DEPTH:
            self.refuse(f"more than {MOST_DEPTH} parentheses and negations in each other")
        if word == "(":
            judge = self.group()
        else:
            inner = self.negated(word)
            judge = denied(inner)
        self.depth -= 1
        return judge

    def group(self) -> Judge:
        """What stands in parentheses, behind the first."""
        if self.at == len(self.texts):
            self.refuse(
                "invalid expression; expected to find a ')' but didn't see one. "
                "Perhaps you need an extra predicate after '('"
            )
        if self.peek() == ")":
            self.refuse("invalid expression; empty parentheses are not allowed.")
        judge = self.sequence()
        if self.peek() != ")":
            self.refuse(
                "invalid expression; I was expecting to find a ')' somewhere but did not see one."
            )
        self.at += 1
        return judge

    # ------------------------------------------------------------ primaries

    def primary(self, word: str) -> Judge:
        """A test, an action or an option, whose words are read with it."""
        if not word.startswith("-"):
            self.refuse_path(word)
        self.note(word)
        if word in advice.GLOBAL:
            return self.option(word)
        if word in test.WITH_OPERAND:
            return test.WITH_OPERAND[word](self.search, self.operand(word))
        if word in test.ALONE:
            return test.ALONE[word]
        if word in test.MADE:
            return test.MADE[word](self.search)
        if word == "-context":
            self.operand(word)
            self.refuse("invalid predicate -context: SELinux is not enabled.")
        if len(word) == 8 and word.startswith("-newer"):
            if "B" in word[-2:]:
                says = "This system does not provide a way to find the birth time of a file."
                self.search.sh.warn(says)
            self.refuse(f"invalid predicate `{word}'")
        self.has_action = self.has_action or word in action.NAMES
        if word in ("-printf", "-fprintf", *action.TO_FILE):
            return self.printed(word)
        if word in ("-exec", "-execdir", "-ok", "-okdir"):
            return self.executed(word)
        if word in action.ALONE:
            make: Callable[[Search], Judge] = action.ALONE[word]
            return make(self.search)
        raise self.search.sh.fail(f"unknown predicate `{word}'")

    def refuse_path(self, word: str) -> NoReturn:
        """Say that a path stands too late; where there is such a file, why that may be."""
        says = f"paths must precede expression: `{word}'"
        if self.seen and is_there(self.search.sh, word):
            self.search.sh.warn(says)
            says = f"possible unquoted pattern after predicate `{self.seen[-1]}'?"
        self.refuse(says)

    def option(self, word: str) -> Judge:
        """What holds for the whole run; as a test it is true."""
        if word in ("-maxdepth", "-mindepth"):
            self.bound(word)
        elif word == "-files0-from":
            self.search.list = self.operand(word)
        elif word in ("-depth", "-d"):
            self.search.contents_first = True
        elif word in ("-xdev", "-mount"):
            self.search.stays = True
        return test.ALONE["-true"]

    def printed(self, word: str) -> Judge:
        """What writes in a format, or to a file."""
        if word == "-printf":
            return action.formatted(self.search, self.operand(word), self.search.sh.out.write)
        path = self.operand(word)
        if word == "-fprintf" and self.at == len(self.texts):
            self.refuse(f"invalid argument `{path}' to `-fprintf'")
        write = self.search.output.to(path)
        if word == "-fprintf":
            return action.formatted(self.search, self.operand(word), write)
        return action.TO_FILE[word](self.search, write)

    def operand(self, word: str) -> str:
        if self.at == len(self.texts):
            is_newer = word.startswith("-newer") and word != "-newer"
            says = f"The '{word}' test needs an argument" if is_newer else ""
            self.refuse(says or f"missing argument to `{word}'")
        self.at += 1
        return self.texts[self.at - 1]

    def bound(self, word: str) -> None:
        number = self.operand(word)
        if not (number.isascii() and number.isdigit()):
            expected = f"Expected a positive decimal integer argument to {word}"
            self.refuse(f"{expected}, but got '{number}'")
        depth = int(number.lstrip("0")[:ENDLESS_DIGITS] or 0)
        if word == "-maxdepth":
            self.search.maximum = depth
        else:
            self.search.minimum = depth

    def executed(self, option: str) -> Judge:
        """-exec WORDS… ; runs for each file, -exec WORDS… {} + for many at once.

        -execdir runs in the directory of each file, -ok asks before.
        """
        start = self.at
        in_folder, asks = option.endswith("dir"), option.startswith("-ok")
        for at in range(start, len(self.texts)):
            text = self.texts[at]
            is_batch = text == "+" and at > start and "{}" in self.texts[at - 1] and not asks
            if text != ";" and not is_batch:
                continue
            self.at = at + 1
            if at == start:
                self.refuse(f"invalid argument `{text}' to `{option}'")
            if not is_batch:
                return action.run_for_each(
                    self.search, self.words[start:at], self.texts[start:at],
                    in_folder=in_folder, asks=asks,
                )  # fmt: skip
            if any("{}" in word for word in self.texts[start : at - 1]):
                self.refuse(f"Only one instance of {{}} is supported with {option} ... +")
            if (last := self.texts[at - 1]) != "{}":
                says = f"In '{option} ... {{}} +' the '{{}}' must appear by itself"
                self.refuse(f"{says}, but you specified '{last}'")
            return action.run_for_many(self.search, self.words[start : at - 1], in_folder=in_folder)
        raise self.search.sh.fail(f"missing argument to `{option}'")


def denied(judge: Judge) -> Judge:
    return lambda found: not judge(found)
