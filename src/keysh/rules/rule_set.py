"""Rules: a set of rules with an index, and the one judge of all acts."""

from __future__ import annotations

from keysh.rules.compared_names import folded_name
from keysh.rules.decision import DECISIONS, DEFAULT_ASK_SECONDS, FILE_ACTIONS, STRICTNESS
from keysh.rules.path_pattern import matches_rest, steps_of
from keysh.rules.rule import CommandSubject, EnvSubject, HostSubject, PathSubject
from keysh.rules.rule_file import RuleReader, read_rules
from keysh.rules.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any, Self

    from keysh.rules.decision import Action, Decision
    from keysh.rules.path_pattern import PathPattern
    from keysh.rules.rule import Rule

MAX_KEPT_VERDICTS = 1024
MAX_KEPT_CHARACTERS = 512  # of the words or the path of a kept verdict
WORD_CHARACTERS = 8  # what an empty word counts as


class Rules:
    """Rules that decide about commands, files, requests and variables.

        Rules.load("rules.toml")
        Rules([{"command": "git", "arguments": ["push", "..."], "decision": "ask"}])

    records      the rules, with the keys of a `[[rule]]` in TOML
    default      the decision where no rule matches: "allow", "ask" or "deny"; or a mapping from
                 "command", "read", "write", "remove", "request" and "env" to one of them
    ask_seconds  how long `on_ask` may take; no answer in this time is deny

    The strictest rule that matches wins, wherever it stands. Each rule's examples are tried at
    once: RulesError if one of them is not decided as it says.
    """

    __module__ = "keysh"

    def __init__(
        self,
        records: Iterable[Mapping[str, Any]] = (),
        *,
        default: Decision | Mapping[Action, Decision] = "allow",
        ask_seconds: float = DEFAULT_ASK_SECONDS,
    ) -> None:
        reader = RuleReader("rules")
        self._take(
            [reader.rule(record, number) for number, record in enumerate(records, 1)],
            reader.defaults(default),
            reader.seconds(ask_seconds),
        )
        reader.try_examples(self.rules)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the rules of a TOML file; RulesError if it is wrong."""
        rules, defaults, seconds, reader = read_rules(path)
        loaded = cls.__new__(cls)
        loaded._take(rules, defaults, seconds)
        reader.try_examples(rules)
        return loaded

    def _take(
        self, rules: list[Rule], defaults: dict[Action, Decision], ask_seconds: float
    ) -> None:
        self.rules, self.defaults, self.ask_seconds = tuple(rules), defaults, ask_seconds
        self._defaults: dict[Action, Verdict] = {
            action: Verdict(action, decision) for action, decision in defaults.items()
        }
        self._kept: dict[object, Verdict] = {}
        self._commands = CommandIndex()
        self._paths = {action: PathIndex() for action in FILE_ACTIONS}
        self._hosts: list[tuple[HostSubject, Rule]] = []
        self._variables: list[tuple[EnvSubject, Rule]] = []
        for rule in self.rules:
            subject = rule.subject
            if isinstance(subject, CommandSubject):
                self._commands.add(subject, rule)
            elif isinstance(subject, PathSubject):
                for action in subject.actions:
                    for pattern in subject.patterns:
                        self._paths[action].add(pattern, rule)
            elif isinstance(subject, HostSubject):
                self._hosts.append((subject, rule))
            else:
                self._variables.append((subject, rule))

    def __repr__(self) -> str:
        return f"<Rules {len(self.rules)}>"

    @property
    def judges_files(self) -> bool:
        """Whether anything that is done with files is not simply allowed."""
        return any(self.judges(action) for action in FILE_ACTIONS)

    @property
    def judges_reach(self) -> bool:
        """Whether anything that a program reaches, files and hosts, is not simply allowed."""
        return self.judges_files or self.judges("request")

    def judges(self, action: Action) -> bool:
        """Whether not everything of a kind is simply allowed."""
        if self.defaults[action] != "allow":
            return True
        if action == "command":
            return bool(self._commands)
        if action == "request":
            return bool(self._hosts)
        return bool(self._variables if action == "env" else self._paths[action])

    # ------------------------------------------------------------ the judge

    def judge_command(self, words: Sequence[str | None]) -> Verdict:
        """Decide about one command: its name and arguments, None for those that are not known.

        What it runs in turn, as `env` does, is another command.
        """
        key = tuple(words)
        verdict = self._kept.get(key)
        if verdict is not None:
            return verdict
        found = [(subject.matches(key), rule) for subject, rule in self._commands.of(key)]
        verdict = self._strictest(self._defaults["command"], found)
        size = len(key) * WORD_CHARACTERS
        for word in key:
            size += len(word or "")
        return self._keep(key, size, verdict)

    def judge_path(self, action: Action, path: str) -> Verdict:
        """Decide about reading, writing or removing a file, by its path without links."""
        key = (self._paths[action], path)  # no command has such words
        verdict = self._kept.get(key)
        if verdict is not None:
            return verdict
        found = [(True, rule) for rule in self._paths[action].of(path)]
        return self._keep(key, len(path), self._strictest(self._defaults[action], found))

    def judge_names(self, action: Action, path: str, others: Iterable[str]) -> Verdict:
        """Decide about a file that has other paths too, by other mounts.

        Of them only what a rule says counts, since the host has allowed the path that is used.
        """
        verdict = self.judge_path(action, path)
        for other in others:
            if (found := self.judge_path(action, other)).rule is not None:
                verdict = verdict.stricter(found)
        return verdict

    def judge_request(self, method: str, host: str, port: int, path: str) -> Verdict:
        """Decide about a request; `path` is that of the URL."""
        found = ((one.matches(method, host, port, path), rule) for one, rule in self._hosts)
        return self._strictest(self._defaults["request"], found)

    def judge_address(self, method: str, address: str, port: int, path: str) -> Verdict:
        """Decide about a request again, by an address that its host has: nothing is allowed here.

        Only rules that name addresses are asked.
        """
        found = (
            (one.matches_address(method, address, port, path), rule)
            for one, rule in self._hosts
            if rule.decision != "allow"
        )
        return self._strictest(Verdict("request", "allow"), found)

    def judge_variable(self, name: str) -> Verdict:
        """Decide about a variable that a program would receive."""
        found = ((one.matches(name), rule) for one, rule in self._variables)
        return self._strictest(self._defaults["env"], found)

    def _strictest(self, default: Verdict, found: Iterable[tuple[bool | None, Rule]]) -> Verdict:
        """Return the verdict of the strictest rule that matches; None means that it may."""
        best: Rule | None = None
        strictness, may_be = -1, -1
        for is_match, rule in found:
            if is_match is False:
                continue
            how_strict = STRICTNESS[rule.decision]
            if is_match is None:
                may_be = max(may_be, how_strict)
            elif how_strict > strictness:
                best, strictness = rule, how_strict
        if best is None:
            # A rule that may allow makes nothing stricter.
            if may_be <= STRICTNESS[default.decision]:
                return default
            return Verdict(default.action, default.decision, None, DECISIONS[may_be])
        may_be = max(may_be, strictness)
        return Verdict(default.action, best.decision, best, DECISIONS[may_be])

    def _keep(self, key: object, size: int, verdict: Verdict) -> Verdict:
        """Keep a verdict: scripts do the same again and again."""
        if size <= MAX_KEPT_CHARACTERS:
            if len(self._kept) >= MAX_KEPT_VERDICTS:
                self._kept.clear()
            self._kept[key] = verdict
        return verdict

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": {}}


class CommandIndex:
    """Rules about commands by the name, and then by the first argument."""

    __slots__ = ("_any", "_by_name")

    def __init__(self) -> None:
        self._by_name: dict[str, dict[str, list[tuple[CommandSubject, Rule]]]] = {}
        self._any: list[tuple[CommandSubject, Rule]] = []  # those with a pattern as name

    def __bool__(self) -> bool:
        return bool(self._by_name or self._any)

    def add(self, subject: CommandSubject, rule: Rule) -> None:
        """Add a rule."""
        if not subject.names:
            self._any.append((subject, rule))
        for name in subject.names:
            by_first = self._by_name.setdefault(name, {})
            by_first.setdefault(subject.first, []).append((subject, rule))

    def of(self, words: Sequence[str | None]) -> list[tuple[CommandSubject, Rule]]:
        """Return the rules that may be about a command."""
        found = self._any.copy()
        name = words[0]
        if name is None:
            for by_first in self._by_name.values():
                for each in by_first.values():
                    found += each
            return found
        own = self._by_name.get(folded_name(name.rpartition("/")[2]))
        if own is None:
            return found
        first = words[1] if len(words) > 1 else ""
        if first is None:
            for each in own.values():
                found += each
            return found
        found += own.get("", ())
        if first:
            found += own.get(first, ())
        return found


class PathIndex:
    """Rules about paths, as two trees of the names that their patterns begin with.

    In one of them names are folded. A path walks down both, and meets at each name the rules whose
    patterns go on with something other than a name.
    """

    __slots__ = ("_trees",)

    def __init__(self) -> None:
        self._trees = (PathNode(), PathNode())

    def __bool__(self) -> bool:
        return any(tree.rules or tree.children for tree in self._trees)

    def add(self, pattern: PathPattern, rule: Rule) -> None:
        """Add one pattern of a rule."""
        node = self._trees[pattern.is_folded]
        for name in pattern.head:
            node = node.children.setdefault(name, PathNode())
        node.rules.append((pattern, rule))

    def of(self, path: str) -> Iterator[Rule]:
        """Yield the rules that match a path, perhaps one several times."""
        names = steps_of(path)
        for is_folded, root in enumerate(self._trees):
            if not (root.rules or root.children):
                continue
            steps = [folded_name(name) for name in names] if is_folded else names
            node: PathNode | None = root
            depth = 0
            while node is not None:
                for pattern, rule in node.rules:
                    if matches_rest(pattern.rest, steps[depth:]):
                        yield rule
                node = node.children.get(steps[depth]) if depth < len(steps) else None
                depth += 1


class PathNode:
    """A name in the tree: what may follow, and the patterns whose plain names end here."""

    __slots__ = ("children", "rules")

    def __init__(self) -> None:
        self.children: dict[str, PathNode] = {}
        self.rules: list[tuple[PathPattern, Rule]] = []
