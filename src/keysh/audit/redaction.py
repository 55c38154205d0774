"""Redaction: remove secrets from what is written down: those that are known, and those by form.

    Redactor(["hunter2"]).redact("mysql -phunter2 https://a:b@c/")   mysql -p[redacted] https://a:[redacted]@c/

A known secret is also found in a URL, in hexadecimal digits, and in base64 wherever it begins.
"""

from __future__ import annotations

import re
from _thread import allocate_lock

from keysh.audit.secret_patterns import (
    MIN_TOKEN_CHARACTERS,
    OPTION_BEFORE_SECRET,
    PASSWORD_OPTIONS,
    USER_OPTIONS,
    is_secret_name,
    replace_forms,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import TypeGuard

MARK = "[redacted]"
MIN_SECRET_CHARACTERS = 4  # a shorter one would hide half of a log
MIN_VALUE_CHARACTERS = 6  # of a variable that is secret by its name
MIN_PIECE_CHARACTERS = 8  # of a line of a secret, and of its base64
# Values of variables that are known: each costs time in every record, and a loop can make many.
MAX_LEARNED_VALUES = 200
FIRST_LEARNED_VALUES = 100  # those that stay: of the host's environment above all
MAX_SEEN_VALUES = 100_000  # hashes of values, so that one that was forgotten is not learned again
MAX_SEEN_NAMES = 100_000  # of variables; scripts can make any number of them
MAX_VALUE_CHARACTERS = 4096
# Values of variables with a secret name that say only whether there is one.
PLAIN_VALUES = frozenset(("disabled", "enabled", "changeme", "unknown", "default", "redacted"))


class Redactor:
    """Replaces secrets by a mark.

    `secrets` are texts; `patterns` are regular expressions, whose first group, if they have one, is
    the part that stays.
    """

    __slots__ = (
        "_fixed", "_forms", "_learned", "_lock", "_names", "_own", "_secret_names", "_seen",
        "longest",
    )  # fmt: skip

    def __init__(self, secrets: Iterable[str] = (), patterns: Iterable[str] = ()) -> None:
        if isinstance(secrets, str) or isinstance(patterns, str):
            raise TypeError("secrets and patterns must be lists of str")
        self._lock = allocate_lock()  # held to learn a secret; jobs may do so at the same time
        self._own = tuple(re.compile(pattern) for pattern in patterns)
        self._fixed: dict[str, tuple[str, ...]] = {}  # the host's secrets, and their variants
        self._learned: dict[str, tuple[str, ...]] = {}  # values of variables likewise
        self._seen: set[int] = set()
        self._forms: re.Pattern[str] | None = None
        self.longest = 0  # the characters of the longest known secret, in any notation
        self._names: set[str] = set()  # of all variables that were looked at
        self._secret_names: list[str] = []
        for secret in secrets:
            if not isinstance(secret, str):
                raise TypeError(f"a secret must be a str, but is a {type(secret).__name__}")
            if len(secret) < MIN_SECRET_CHARACTERS:
                raise ValueError(
                    f"a secret must have {MIN_SECRET_CHARACTERS} characters, but has {len(secret)}"
                )
            self._fixed[secret] = tuple(variants_of(secret))
        self._compile()

    def _compile(self) -> None:
        variants = {one for known in (self._fixed, self._learned) for each in known.values()
                    for one in each}  # fmt: skip
        longest_first = sorted(variants, key=len, reverse=True)
        self.longest = len(longest_first[0]) if longest_first else 0
        self._forms = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def learn(self, variables: Mapping[str, object]) -> None:
        """Learn the values of the variables whose names say that they are secrets.

        Of very many the first and the last are known.
        """
        if not variables.keys() <= self._names:
            if len(self._names) > MAX_SEEN_NAMES:
                self._names, self._secret_names = set(), []
            for name in [*variables]:  # a job may set one meanwhile
                if name not in self._names:
                    self._names.add(name)
                    if is_secret_name(name):
                        self._secret_names.append(name)
        if not self._secret_names:
            return
        values = [variables.get(name) for name in self._secret_names]
        if new := [value for value in values if self._is_new(value)]:
            with self._lock:
                if len(self._seen) > MAX_SEEN_VALUES:
                    self._seen.clear()
                for value in new:
                    self._seen.add(hash(value))
                    self._learned[value] = tuple(variants_of(value))
                if len(self._learned) > MAX_LEARNED_VALUES:
                    for old in [*self._learned][FIRST_LEARNED_VALUES:-FIRST_LEARNED_VALUES]:
                        del self._learned[old]
                self._compile()

    def _is_new(self, value: object) -> TypeGuard[str]:
        """Whether a value is a secret that is not known yet."""
        return (
            isinstance(value, str)
            and MIN_VALUE_CHARACTERS <= len(value) <= MAX_VALUE_CHARACTERS
            and hash(value) not in self._seen
            and not is_plain(value)
        )

    @property
    def knows_secrets(self) -> bool:
        """Whether there is more to redact than what looks like a secret."""
        return self._forms is not None or bool(self._own)

    def shows(self, words: Sequence[object]) -> bool:
        """Whether words are texts too short and plain for a secret, and none is known.

        That is so for most commands, whose records cost a tenth less by it.
        """
        if self._forms is not None or self._own:
            return False
        for word in words:
            if (
                word.__class__ is not str
                or len(word) >= MIN_TOKEN_CHARACTERS
                or word[:1] == "-"
                or ":" in word
                or "=" in word
            ):
                return False
        return True

    def redact(self, text: str) -> str:
        """Return a text without secrets."""
        if self._forms is not None:
            text = self._forms.sub(MARK, text)
        for pattern in self._own:
            text = pattern.sub(replacement, text)
        return replace_forms(text, MARK)

    def redact_words(self, name: str, words: Sequence[str]) -> list[str]:
        """Return the arguments of a command without secrets."""
        redact, short = self.redact, MIN_SECRET_CHARACTERS
        redacted = [redact(word) if len(word) >= short else word for word in words]
        users, passwords = USER_OPTIONS.get(name, ()), PASSWORD_OPTIONS.get(name, ())
        for index, word in enumerate(words):
            if word[:1] == "-":
                redact_option(redacted, words, index, users, passwords)
        return redacted


def redact_option(
    redacted: list[str],
    words: Sequence[str],
    index: int,
    users: Collection[str],
    passwords: Collection[str],
) -> None:
    """Redact the value of an option, which is the next word or the rest of this one."""
    word, following = words[index], index + 1
    if word in users:
        if following < len(words) and ":" in words[following]:
            redacted[following] = f"{words[following].partition(':')[0]}:{MARK}"
    elif word in passwords or OPTION_BEFORE_SECRET.fullmatch(word):
        if following < len(words):
            redacted[following] = MARK
    elif word[:2] in passwords:
        redacted[index] = word[:2] + MARK
    elif word[:2] in users and ":" in word:
        redacted[index] = f"{word.partition(':')[0]}:{MARK}"


def replacement(match: re.Match[str]) -> str:
    """Return what replaces a match of a host's pattern: the part that stays, and the mark."""
    return (match[1] or "") + MARK if match.re.groups else MARK


def is_plain(value: str) -> bool:
    """Whether a value is too common to be a secret: a number, a path, a word such as `enabled`."""
    return value.isdigit() or value.startswith(("/", "./", "~/")) or value.lower() in PLAIN_VALUES


def variants_of(secret: str) -> Iterator[str]:
    """Yield a secret and what it becomes in other notations, and its long lines."""
    from base64 import b64encode  # noqa: PLC0415 - only for known secrets
    from urllib.parse import quote, quote_plus  # noqa: PLC0415 - as above

    yield secret
    data = secret.encode("utf-8", "surrogateescape")
    for text in (quote(data, safe=""), quote(data), quote_plus(data)):
        yield text
        yield text.lower()
    if len(data) >= MIN_PIECE_CHARACTERS // 2:
        yield data.hex()
        yield data.hex().upper()
    for shift in range(3):
        # The first characters also hold bits of what stands before, the last of what follows.
        text = b64encode(b"\0" * shift + data).decode()
        text = text[(0, 2, 3)[shift] : (shift + len(data)) * 4 // 3]
        if len(text) >= MIN_PIECE_CHARACTERS:
            yield text
            yield text.replace("+", "-").replace("/", "_")
    for line in secret.splitlines():
        if MIN_PIECE_CHARACTERS <= len(line.strip()) < len(secret):
            yield line.strip()
