"""Positions in a command (the cursor's `word_position`), which decide what a word there is."""

from __future__ import annotations

(
    COMMAND_START,  # a command may begin: reserved words count, newlines do not
    AFTER_CLOSER,  # after `fi`, `}`, `)`: a closing word, a redirection or the command's end
    BEFORE_NAME,  # after an assignment or redirection, before the command's name
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

# The position after a word in each position.
POSITION_AFTER_WORD = (
    ARGUMENT, ARGUMENT, ARGUMENT, ARGUMENT, BEFORE_NAME, ARGUMENT, BEFORE_NAME, ARGUMENT,
    AFTER_CLOSER, FOR_WORDS, FOR_IN, ARGUMENT, CASE_IN, ARGUMENT, CASE_PATTERN, CASE_PATTERN,
    ARRAY_ENTRY,
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

# For expressions of whole words: what follows a word, and its special characters.
WORD_END = r"(?=[ \t\n;|&)]|[<>](?!\()|\Z)"
WORD_SPECIALS = r" \t\n\r;|&<>()$`\"'\\*?\[{~"
