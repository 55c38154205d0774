"""Parse the expression of find into one predicate.

list  <- any ("," any)*
any   <- all (("-o" / "-or") all)*
all   <- not (("-a" / "-and")? not)*
not   <- ("!" / "-not") not / "(" list ")" / primary
"""

from __future__ import annotations

import keysh.tools.find.action as action
import keysh.tools.find.advice as advice
import keysh.tools.find.test as test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from keysh.tools.find.search import FindRun, Predicate

AND_WORDS, OR_WORDS, NOT_WORDS = ("-a", "-and"), ("-o", "-or"), ("!", "-not")
MAX_NESTING = 100  # of parentheses and negations
MAX_DEPTH_DIGITS = 9  # any longer number is deeper than all files


class FindParser:
    """Parses the words of an expression from a position on."""

    __slots__ = (
        "depth", "first_test", "has_action", "position", "search", "seen_words", "texts", "words",
    )  # fmt: skip

    def __init__(
        self, search: FindRun, words: Sequence[object], texts: list[str], index: int
    ) -> None:
        self.search, self.words, self.texts, self.position = search, words, texts, index
        self.has_action = False
        self.depth = 0
        self.first_test = ""  # word that is not an option
        self.seen_words: list[str] = []  # that start primaries, and parentheses

    def parse(self) -> Predicate:
        """Return the predicate of the whole expression; without an action, it prints."""
        print_file = action.print_action(self.search)
        if self.position == len(self.texts):
            return print_file
        predicate = self.parse_list()
        if self.position < len(self.texts):
            self.refuse("you have too many ')'")
        self.check_conflicts()
        if self.has_action:
            return predicate
        return lambda file: predicate(file) and print_file(file)

    def check_conflicts(self) -> None:
        """Refuse combinations that do not make sense."""
        seen = set(self.seen_words)
        if {"-delete", "-prune"} <= seen and seen.isdisjoint(("-depth", "-d")):
            self.refuse(
                "The -delete action automatically turns on -depth, but -prune does nothing when "
                "-depth is in effect.  If you want to carry on anyway, just explicitly use the "
                "-depth option."
            )

    @property
    def has_prompt(self) -> bool:
        """Whether an action asks for confirmation."""
        return "-ok" in self.seen_words or "-okdir" in self.seen_words

    def record_word(self, word: str) -> None:
        """Record the first word of a primary, or a parenthesis."""
        self.seen_words.append(word)
        if word in advice.GLOBAL_OPTIONS:
            advice.warn_global_option(self.search, word, self.first_test)
        elif word not in advice.POSITIONAL_OPTIONS:
            self.first_test = self.first_test or word

    def refuse(self, message: str) -> NoReturn:
        raise self.search.sh.fail(message)

    def peek(self) -> str:
        """Return the next word, or "" after the last."""
        return self.texts[self.position] if self.position < len(self.texts) else ""

    # ------------------------------------------------------------ operators

    def parse_list(self) -> Predicate:
        """Parse a list: all parts are evaluated, the last one counts."""
        predicates = [self.parse_or()]
        while self.peek() == ",":
            predicates.append(self.parse_or(self.take_operator()))
        if len(predicates) == 1:
            return predicates[0]
        return lambda file: [predicate(file) for predicate in predicates][-1]

    def parse_or(self, operator: str = "") -> Predicate:
        predicates = [self.parse_and(operator)]
        while self.peek() in OR_WORDS:
            predicates.append(self.parse_and(self.take_operator()))
        if len(predicates) == 1:
            return predicates[0]
        return lambda file: any(predicate(file) for predicate in predicates)

    def parse_and(self, operator: str = "") -> Predicate:
        predicates = [self.parse_not(operator)]
        while (word := self.peek()) and word not in (*OR_WORDS, ",", ")"):
            predicates.append(self.parse_not(self.take_operator() if word in AND_WORDS else ""))
        if len(predicates) == 1:
            return predicates[0]
        return lambda file: all(predicate(file) for predicate in predicates)

    def take_operator(self) -> str:
        """Take the operator between two operands."""
        word = self.peek()
        self.record_word(word)
        self.position += 1
        return word

    def parse_not(self, operator: str) -> Predicate:
        """Parse a negation, a group or a primary after an operator."""
        if self.position == len(self.texts):
            message = f"expected an expression after '{operator}'"
            self.refuse("invalid expression" if self.has_action else message)
        word = self.peek()
        self.position += 1
        if word in (*AND_WORDS, *OR_WORDS, ","):
            self.refuse(
                f"invalid expression; you have used a binary operator '{word}' with nothing "
                "before it."
            )
        if word == ")" and operator:
            self.refuse(f"expected an expression between '{operator}' and ')'")
        if word == ")":
            self.refuse("you have too many ')'")
        if word not in (*NOT_WORDS, "("):
            return self.parse_primary(word)
        self.record_word(word)
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.refuse(f"more than {MAX_NESTING} nested parentheses and negations")
        if word == "(":
            predicate = self.parse_group()
        else:
            inner = self.parse_not(word)
            predicate = negate(inner)
        self.depth -= 1
        return predicate

    def parse_group(self) -> Predicate:
        """Parse the rest of a group in parentheses."""
        if self.position == len(self.texts):
            self.refuse(
                "invalid expression; expected to find a ')' but didn't see one. "
                "Perhaps you need an extra predicate after '('"
            )
        if self.peek() == ")":
            self.refuse("invalid expression; empty parentheses are not allowed.")
        predicate = self.parse_list()
        if self.peek() != ")":
            self.refuse(
                "invalid expression; I was expecting to find a ')' somewhere but did not see one."
            )
        self.position += 1
        return predicate

    # ------------------------------------------------------------ primaries

    def parse_primary(self, word: str) -> Predicate:
        """Parse a test, an action or an option with its arguments."""
        if not word.startswith("-"):
            self.refuse_path(word)
        self.record_word(word)
        if word in advice.GLOBAL_OPTIONS:
            return self.parse_option(word)
        if word in test.OPERAND_TESTS:
            return test.OPERAND_TESTS[word](self.search, self.take_operand(word))
        if word in test.SIMPLE_TESTS:
            return test.SIMPLE_TESTS[word]
        if word in test.SETUP_TESTS:
            return test.SETUP_TESTS[word](self.search)
        if word == "-context":
            self.take_operand(word)
            self.refuse("invalid predicate -context: SELinux is not enabled.")
        if len(word) == 8 and word.startswith("-newer"):
            if "B" in word[-2:]:
                message = "This system does not provide a way to find the birth time of a file."
                self.search.sh.warn(message)
            self.refuse(f"invalid predicate `{word}'")
        self.has_action = self.has_action or word in action.ACTION_NAMES
        if word in ("-printf", "-fprintf", *action.FILE_ACTIONS):
            return self.parse_output(word)
        if word in ("-exec", "-execdir", "-ok", "-okdir"):
            return self.parse_exec(word)
        if word in action.SIMPLE_ACTIONS:
            make: Callable[[FindRun], Predicate] = action.SIMPLE_ACTIONS[word]
            return make(self.search)
        raise self.search.sh.fail(f"unknown predicate `{word}'")

    def refuse_path(self, word: str) -> NoReturn:
        """Refuse a path after the expression; if the file exists, suggest why."""
        message = f"paths must precede expression: `{word}'"
        if self.seen_words and self.search.sh.exists(word):
            self.search.sh.warn(message)
            message = f"possible unquoted pattern after predicate `{self.seen_words[-1]}'?"
        self.refuse(message)

    def parse_option(self, word: str) -> Predicate:
        """Apply a global option, which is true as a test."""
        if word in ("-maxdepth", "-mindepth"):
            self.parse_depth(word)
        elif word == "-files0-from":
            self.search.start_list = self.take_operand(word)
        elif word in ("-depth", "-d"):
            self.search.contents_first = True
        elif word in ("-xdev", "-mount"):
            self.search.stays_on_file_system = True
        return test.SIMPLE_TESTS["-true"]

    def parse_output(self, word: str) -> Predicate:
        """Parse an action that prints in a format, or to a file."""
        if word == "-printf":
            return action.printf_action(
                self.search, self.take_operand(word), self.search.sh.out.write
            )
        path = self.take_operand(word)
        if word == "-fprintf" and self.position == len(self.texts):
            self.refuse(f"invalid argument `{path}' to `-fprintf'")
        write = self.search.output.writer_for(path)
        if word == "-fprintf":
            return action.printf_action(self.search, self.take_operand(word), write)
        return action.FILE_ACTIONS[word](self.search, write)

    def take_operand(self, word: str) -> str:
        if self.position == len(self.texts):
            is_newer = word.startswith("-newer") and word != "-newer"
            message = f"The '{word}' test needs an argument" if is_newer else ""
            self.refuse(message or f"missing argument to `{word}'")
        self.position += 1
        return self.texts[self.position - 1]

    def parse_depth(self, word: str) -> None:
        number = self.take_operand(word)
        if not (number.isascii() and number.isdigit()):
            expected = f"Expected a positive decimal integer argument to {word}"
            self.refuse(f"{expected}, but got '{number}'")
        depth = int(number.lstrip("0")[:MAX_DEPTH_DIGITS] or 0)
        if word == "-maxdepth":
            self.search.max_depth = depth
        else:
            self.search.min_depth = depth

    def parse_exec(self, option: str) -> Predicate:
        """Parse -exec COMMAND ; or -exec COMMAND {} +

        -execdir runs in the directory of each file, -ok asks first.
        """
        start = self.position
        in_directory, asks = option.endswith("dir"), option.startswith("-ok")
        for index in range(start, len(self.texts)):
            text = self.texts[index]
            is_batch = text == "+" and index > start and "{}" in self.texts[index - 1] and not asks
            if text != ";" and not is_batch:
                continue
            self.position = index + 1
            if index == start:
                self.refuse(f"invalid argument `{text}' to `{option}'")
            if not is_batch:
                return action.exec_action(
                    self.search, self.words[start:index], self.texts[start:index],
                    in_directory=in_directory, asks=asks,
                )  # fmt: skip
            if any("{}" in word for word in self.texts[start : index - 1]):
                self.refuse(f"Only one instance of {{}} is supported with {option} ... +")
            if (last := self.texts[index - 1]) != "{}":
                message = f"In '{option} ... {{}} +' the '{{}}' must appear by itself"
                self.refuse(f"{message}, but you specified '{last}'")
            return action.batch_exec_action(
                self.search, self.words[start : index - 1], in_directory=in_directory
            )
        raise self.search.sh.fail(f"missing argument to `{option}'")


def negate(predicate: Predicate) -> Predicate:
    return lambda file: not predicate(file)
