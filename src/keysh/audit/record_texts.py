"""RecordTexts: the texts of records, without secrets and not too long."""

from __future__ import annotations

from itertools import accumulate

from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.audit.redaction import Redactor

MAX_TEXT_CHARACTERS = 4096  # of one word or text in a record; the number of the others is said
MAX_WORDS = 1000  # of one command in a record
MAX_WORDS_CHARACTERS = 1 << 16  # of them all; each takes 12 bytes of a line at most


def record_text(redactor: Redactor, text: str) -> str:
    """Return a text for a record."""
    if len(text) <= MAX_TEXT_CHARACTERS:
        return text if redactor.shows((text,)) else redactor.redact(text)
    # What a cut might leave of a secret is not shown: more is redacted than is kept.
    redacted = redactor.redact(text[: 2 * MAX_TEXT_CHARACTERS])
    kept = MAX_TEXT_CHARACTERS
    if len(text) > 2 * MAX_TEXT_CHARACTERS:
        kept = min(kept, max(0, len(redacted) - MAX_TEXT_CHARACTERS))
    return f"{redacted[:kept]}… ({len(text)} characters)"


def record_words(redactor: Redactor, name: str, words: Sequence[object]) -> list[str]:
    """Return the arguments of a command for a record."""
    if redactor.shows(words) and len(words) <= MAX_WORDS:
        return list(words)  # type: ignore[arg-type]
    texts = [word if word.__class__ is str else text_of_word(word) for word in words[:MAX_WORDS]]
    if texts and max(map(len, texts)) > MAX_TEXT_CHARACTERS:
        texts = [record_text(redactor, text) for text in texts]
    redacted = redactor.redact_words(name, texts)
    if len(redacted) * MAX_TEXT_CHARACTERS > MAX_WORDS_CHARACTERS:
        ends = accumulate(map(len, redacted))
        redacted = [word for word, end in zip(redacted, ends, strict=True)
                    if end <= MAX_WORDS_CHARACTERS]  # fmt: skip
    if len(redacted) < len(words):
        redacted.append(f"… ({len(words)} words)")
    return redacted


def text_of_word(word: object) -> str:
    """Return a word of a command as text: `key=value` and patterns as they were written."""
    text = getattr(word, "text", None)
    return text if text.__class__ is str else text_of(word)
