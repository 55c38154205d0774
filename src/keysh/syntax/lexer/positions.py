"""Places: where in a command the cursor stands (its `at`), and so what a word there would be."""

from __future__ import annotations

(
    COMMAND_START,  # a command may begin: reserved words count, newlines do not
    AFTER_CLOSER,  # behind `fi`, `}`, `)`: a closing word, a redirection or the command's end
    BEFORE_NAME,  # behind an assignment or redirection: the command's name is still to come
    ARGUMENT,
    ASSIGNED_VALUE,  # the value of an assignment
    NAMED_VALUE,  # the value of a named argument
    REDIRECT_TARGET,  # of a redirection before the command's name
    ARGUMENT_TARGET,
    CLOSED_TARGET,
    FOR_WORDS,  # of a `for` head
    FOR_NAME,
    FOR_IN,
    CASE_WORD,
    CASE_IN,
    CASE_CLAUSE,  # a pattern may begin, or `esac`
    CASE_PATTERN,
    ARRAY_ENTRY,  # of `xs=( … )`
) = range(17)

# Where the cursor stands after a word that stood there.
POSITION_AFTER_WORD = (
    ARGUMENT, ARGUMENT, ARGUMENT, ARGUMENT, BEFORE_NAME, ARGUMENT, BEFORE_NAME, ARGUMENT, AFTER_CLOSER, FOR_WORDS,
    FOR_IN, ARGUMENT, CASE_IN, ARGUMENT, CASE_PATTERN, CASE_PATTERN, ARRAY_ENTRY,
)  # fmt: skip
POSITION_AFTER_REDIRECT = {
    COMMAND_START: REDIRECT_TARGET,
    BEFORE_NAME: REDIRECT_TARGET,
    AFTER_CLOSER: CLOSED_TARGET,
}
NEWLINE_NEUTRAL_POSITIONS = (COMMAND_START, FOR_IN, CASE_IN, CASE_CLAUSE, ARRAY_ENTRY)
RESERVED_POSITIONS = (COMMAND_START, AFTER_CLOSER, FOR_NAME, FOR_IN, CASE_IN, CASE_CLAUSE)
TARGET_POSITIONS = (REDIRECT_TARGET, ARGUMENT_TARGET, CLOSED_TARGET)
BRACE_POSITIONS = (
    COMMAND_START,
    BEFORE_NAME,
    ARGUMENT,
    NAMED_VALUE,
    *TARGET_POSITIONS,
    FOR_WORDS,
    ARRAY_ENTRY,
)

# What a word ends before, and what in it is more than itself: for expressions of whole words.
WORD_END = r"(?=[ \t\n;|&)]|[<>](?!\()|\Z)"
WORD_SPECIALS = r" \t\n\r;|&<>()$`\"'\\*?\[{~"
