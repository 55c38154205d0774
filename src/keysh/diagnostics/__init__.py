"""Diagnostics: errors and warnings with a place and a fix, the exceptions, sources and suggestions.

Every layer above reports with `diagnostic.Diagnostic` and raises what `errors` defines. It knows
texts and offsets only: no syntax, no commands and no terminal.
"""
