"""Places: where in a command the cursor stands (its `at`), and so what a word there would be."""

from __future__ import annotations

(
    START,  # a command may begin: reserved words count, newlines do not
    CLOSED,  # behind `fi`, `}`, `)`: a closing word, a redirection or the command's end
    PREFIX,  # behind an assignment or redirection: the command's name is still to come
    ARGUMENT,
    ASSIGNED,  # the value of an assignment
    NAMED,  # the value of a named argument
    TARGET,  # of a redirection before the command's name
    ARGUMENT_TARGET,
    CLOSED_TARGET,
    WORDS,  # of a `for` head
    FOR_NAME,
    FOR_IN,
    CASE_WORD,
    CASE_IN,
    CLAUSE,  # a pattern may begin, or `esac`
    PATTERN,
    ENTRY,  # of `xs=( … )`
) = range(17)

# Where the cursor stands after a word that stood there.
AFTER = (
    ARGUMENT, ARGUMENT, ARGUMENT, ARGUMENT, PREFIX, ARGUMENT, PREFIX, ARGUMENT, CLOSED, WORDS,
    FOR_IN, ARGUMENT, CASE_IN, ARGUMENT, PATTERN, PATTERN, ENTRY,
)  # fmt: skip
AFTER_REDIRECT = {START: TARGET, PREFIX: TARGET, CLOSED: CLOSED_TARGET}
NEWLINE_ENDS_NOTHING = (START, FOR_IN, CASE_IN, CLAUSE, ENTRY)
RESERVED_COUNT = (START, CLOSED, FOR_NAME, FOR_IN, CASE_IN, CLAUSE)
TARGETS = (TARGET, ARGUMENT_TARGET, CLOSED_TARGET)
BRACES_COUNT = (START, PREFIX, ARGUMENT, NAMED, *TARGETS, WORDS, ENTRY)

# What a word ends before, and what in it is more than itself: for expressions of whole words.
END = r"(?=[ \t\n;|&)]|[<>](?!\()|\Z)"
SPECIAL = r" \t\n\r;|&<>()$`\"'\\*?\[{~"
