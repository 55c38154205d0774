"""The builtin functions of jq, by name and arity.

Enter at `library.builtin_filter`. The other modules have the functions by subject; `prelude` has
those written in jq itself. Knows neither files nor options.
"""
