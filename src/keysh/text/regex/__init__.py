"""Regular expressions in the syntaxes of grep, sed, awk, Perl and jq, with bounded time.

Enter at `regex.regex_of`; `native/line_search` filters whole blocks of lines. `parse` makes a
`tree`, `analysis` judges it, `native` hands it to `re`, and `engines` match what `re` must not.
Called by the tools, and by the checker and compiler for `[[ =~ ]]`. Nothing here knows a file or
a command; limits come in as a `tick` function. docs/internals/regex.md has a picture.
"""
