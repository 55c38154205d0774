"""Text processing: chunks and lines, shell patterns, quoting, numbers, printf, dates and regexes.

These are functions on strings and bytes. Enter at `chunks` for input and output, `pattern` for
globs, `regex/regex` for regular expressions, `dates/parser` and `dates/strftime` for times. All
layers above call them. This package knows neither files nor commands nor the shell's state; it
imports only values and diagnostics.
"""
