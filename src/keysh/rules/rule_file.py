"""Read rules: from records of TOML or Python to tested rules. What is wrong names place and fix."""

from __future__ import annotations

import os
import re
from _thread import TIMEOUT_MAX

from keysh.diagnostics.exceptions import RulesError
from keysh.diagnostics.suggestions import closest_names
from keysh.rules.decision import ACTIONS, DECISIONS, DEFAULT_ASK_SECONDS, FILE_ACTIONS
from keysh.rules.rule import CommandSubject, EnvSubject, HostSubject, PathSubject, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any, NoReturn

    from keysh.rules.decision import Action, Decision
    from keysh.rules.rule import Subject

MAX_RULE_FILE_BYTES = 4 << 20
FILE_KEYS = ("rule", "default", "ask_seconds")
SUBJECT_KEYS = ("command", "paths", "hosts", "env")  # a rule has one of them
# Which keys go with which, beside those of every rule.
KEYS_OF_SUBJECT = {
    "command": ("arguments",), "paths": ("access",), "hosts": ("methods", "url_paths"), "env": (),
}  # fmt: skip
COMMON_KEYS = ("name", "decision", "reason", "match", "not_match")
RULE_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*(?:rule|\"rule\"|'rule')[ \t]*\]\]", re.MULTILINE)
EXAMPLE_FORMS = {
    "command": "a command, as `git push origin`", "paths": "`write /path` or a path alone",
    "hosts": "`POST https://host/path` or a URL alone", "env": "the name of a variable",
}  # fmt: skip


def read_rules(
    path: str | PathLike[str],
) -> tuple[list[Rule], dict[Action, Decision], float, RuleReader]:
    """Return the rules of a file, the defaults, the seconds to wait, and what tries examples."""
    import tomllib  # noqa: PLC0415 - rules may come from Python

    name = os.fspath(path)
    try:
        with open(name, "rb") as stream:
            data = stream.read(MAX_RULE_FILE_BYTES + 1)
    except OSError as error:
        raise RulesError(f"{name}: {error.strerror or error}") from None
    if len(data) > MAX_RULE_FILE_BYTES:
        raise RulesError(f"{name}: is over {MAX_RULE_FILE_BYTES} bytes")
    try:
        text = data.decode()
        content = tomllib.loads(text)
    except UnicodeDecodeError:
        raise RulesError(f"{name}: is not UTF-8") from None
    except (ValueError, RecursionError) as error:  # also a number that is too long for Python
        raise RulesError(f"{name}: is not TOML: {error}") from None
    reader = RuleReader(os.path.basename(name), header_lines(text))
    reader.refuse_unknown(content, FILE_KEYS, "")
    records = content.get("rule", [])
    if not isinstance(records, list):
        reader.refuse("", f"rule must be tables [[rule]], but is {records!r:.60}", "[[rule]]")
    reader.count = len(records)
    rules = [reader.rule(record, number) for number, record in enumerate(records, 1)]
    seconds = reader.seconds(content["ask_seconds"]) if "ask_seconds" in content else None
    return (
        rules, reader.defaults(content.get("default", "allow")),
        DEFAULT_ASK_SECONDS if seconds is None else seconds, reader,
    )  # fmt: skip


def header_lines(text: str) -> list[int]:
    """Return the lines of the headers `[[rule]]`, from 1."""
    return [text.count("\n", 0, found.start()) + 1 for found in RULE_HEADER.finditer(text)]


class RuleReader:
    """Makes rules of records, and says of what is wrong where it is and what to write."""

    def __init__(self, name: str, lines: Sequence[int] = ()) -> None:
        self._name, self._lines = name, lines
        self.count = len(lines)  # of the rules
        self._numbers: dict[int, int] = {}  # of rules by their identity

    def rule(self, record: Mapping[str, Any], number: int) -> Rule:
        """Return the rule of a record."""
        place = f"rule {number}"
        if not hasattr(record, "keys"):
            self.refuse(place, f"a rule must be a table, but is {record!r:.60}", "")
        kinds = [key for key in SUBJECT_KEYS if key in record]
        if len(kinds) != 1:
            known = (*SUBJECT_KEYS, *COMMON_KEYS)
            if not kinds:
                self.refuse_unknown(record, known, place)
            fact = f"has {' and '.join(kinds)}" if kinds else "is about nothing"
            self.refuse(place, fact, f"give it one of {', '.join(SUBJECT_KEYS)}")
        kind = kinds[0]
        self.refuse_unknown(record, (kind, *KEYS_OF_SUBJECT[kind], *COMMON_KEYS), place)
        decision = record.get("decision")
        if decision not in DECISIONS:
            said = "has no decision" if decision is None else f"decides {decision!r}"
            self.refuse(place, said, 'decision = "allow", "ask" or "deny"')
        name, reason = (self._text(record, key, place) for key in ("name", "reason"))
        try:
            subject = self._subject(kind, record, place, is_folded=decision != "allow")
        except RulesError:
            raise
        except ValueError as error:
            self.refuse(place, str(error), "")
        title = f"rule {number}{f' ({name})' if name else ''} of {self._name}"
        match, not_match = (self._texts(record, key, place) for key in ("match", "not_match"))
        rule = Rule(title, subject, decision, reason, match or (), not_match or ())
        self._numbers[id(rule)] = number
        return rule

    def defaults(self, default: object) -> dict[Action, Decision]:
        """Return the default decision for each action."""
        if isinstance(default, str):
            default = dict.fromkeys(ACTIONS, default)
        if not hasattr(default, "items"):
            self.refuse("", f"default must be a decision or a table, but is {default!r:.60}", "")
        decisions: dict[Action, Decision] = dict.fromkeys(ACTIONS, "allow")
        for action, decision in default.items():
            if action not in ACTIONS:
                self.refuse("", f"default has no {action!r}", f"one of {', '.join(ACTIONS)}")
            if decision not in DECISIONS:
                self.refuse(
                    "", f"default is {decision!r:.60}", 'default = "allow", "ask" or "deny"'
                )
            decisions[action] = decision
        return decisions

    def seconds(self, seconds: object) -> float:
        """Return how long a question may wait for its answer."""
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
            self.refuse("", f"ask_seconds is {seconds!r:.60}", "a number over 0")
        return float(min(seconds, TIMEOUT_MAX))  # what a lock can wait

    # ------------------------------------------------------------ examples

    def try_examples(self, rules: Sequence[Rule]) -> None:
        """Raise RulesError for the first example that is not decided as it says."""
        for rule in rules:
            for examples, is_wanted in ((rule.match, True), (rule.not_match, False)):
                for example in examples:
                    place = f"rule {self._numbers[id(rule)]}"
                    try:
                        is_match = example_matches(rule.subject, example)
                    except ValueError as error:
                        self.refuse(place, f"its example {example!r} {error}", "")
                    if is_match is not is_wanted:
                        key = "match" if is_wanted else "not_match"
                        does = "does not match" if is_wanted else "matches"
                        self.refuse(
                            place, f"its example in {key} {does}: {example}",
                            f"change the rule, or move the example to "
                            f"{'not_match' if is_wanted else 'match'}",
                        )  # fmt: skip

    # ------------------------------------------------------------ fields

    def _subject(
        self, kind: str, record: Mapping[str, Any], place: str, *, is_folded: bool
    ) -> Subject:
        names = self._texts(record, kind, place)
        if not names:
            self.refuse(place, f"{kind} is empty", f'{kind} = ["…"]')
        if kind == "command":
            arguments = self._texts(record, "arguments", place)
            for name in names:
                if len(name.split()) != 1:
                    self.refuse(
                        place, f"command must be one word, but is {name!r}",
                        'arguments = ["…"] for the words behind the name',
                    )  # fmt: skip
            return CommandSubject(names, arguments, is_folded=is_folded)
        if kind == "paths":
            actions = self._texts(record, "access", place)
            for action in actions or ():
                if action not in FILE_ACTIONS:
                    self.refuse(
                        place, f"access has {action!r}", f"one of {', '.join(FILE_ACTIONS)}"
                    )
            chosen = [one for one in FILE_ACTIONS if actions is None or one in actions]
            return PathSubject(names, chosen, is_folded=is_folded)
        if kind == "hosts":
            methods = self._texts(record, "methods", place) or ()
            return HostSubject(
                names, methods, self._texts(record, "url_paths", place) or (), is_folded=is_folded
            )
        return EnvSubject(names)

    def _text(self, record: Mapping[str, Any], key: str, place: str) -> str:
        value = record.get(key, "")
        if not isinstance(value, str):
            self.refuse(place, f"{key} must be text, but is {value!r:.60}", "")
        return value

    def _texts(self, record: Mapping[str, Any], key: str, place: str) -> list[str] | None:
        """Return a list of texts; None if the key is not there. One text is a list of one."""
        value = record.get(key)
        if value is None:
            return None
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            self.refuse(place, f"{key} must be a list of texts, but is {value!r:.60}", "")
        return list(value)

    def refuse_unknown(self, record: Mapping[str, Any], known: Sequence[str], place: str) -> None:
        """Raise RulesError for a key that nothing reads."""
        for key in record:
            if key not in known:
                near = " or ".join(closest_names(str(key), known, 1) or known)
                self.refuse(place, f"has no key {key!r}", f"did you mean {near}")

    def refuse(self, place: str, fact: str, fix: str) -> NoReturn:
        """Raise RulesError with the line, the rule, what is wrong and what to write."""
        number = int(place.rpartition(" ")[2]) if place else 0
        # A text in the file may look like a header: then the lines are not known.
        has_line = number and len(self._lines) == self.count and number <= len(self._lines)
        line = f":{self._lines[number - 1]}" if has_line else ""
        where = f"{place}: " if place else ""
        raise RulesError(
            f"{self._name}{line}: {where}{fact}{f'{chr(10)}fix: {fix}' if fix else ''}"
        )


def example_matches(subject: Subject, example: str) -> bool:
    """Whether a rule is about an example; ValueError if the example has another form."""
    first, _, rest = example.partition(" ")
    if isinstance(subject, CommandSubject):
        from keysh.diagnostics.dialect import BASH  # noqa: PLC0415 - only for examples
        from keysh.diagnostics.exceptions import ScriptError  # noqa: PLC0415 - as above
        from keysh.rules.planned_programs import PlannedScript  # noqa: PLC0415 - as above

        try:
            programs = PlannedScript(example, BASH).programs
        except ScriptError:
            programs = []
        if not programs:
            raise ValueError(f"must be {EXAMPLE_FORMS['command']}")
        return any(subject.matches(program.words) is True for program in programs)
    if isinstance(subject, PathSubject):
        actions = (first,) if first in FILE_ACTIONS else FILE_ACTIONS
        path = rest.strip() if first in FILE_ACTIONS else example
        if not path.startswith("/"):
            raise ValueError(f"must be {EXAMPLE_FORMS['paths']}")
        return any(subject.matches(action, path) for action in actions)
    if isinstance(subject, HostSubject):
        method, url = (first, rest.strip()) if rest else ("GET", example)
        return subject.matches(method, *request_of_url(url))
    return subject.matches(example)


def request_of_url(url: str) -> tuple[str, int, str]:
    """Return the host, port and path of a URL; ValueError if it is none."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - only for examples

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"must be {EXAMPLE_FORMS['hosts']}")
    return parts.hostname, parts.port or (443 if parts.scheme == "https" else 80), parts.path or "/"
