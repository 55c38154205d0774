"""Dates: parse GNU's dates in words, and format times by GNU's strftime directives.

Enter at `parser.parse_date`, `strftime.format_moment` and `time_zone.find_zone`; a `moment` is a
time in a zone. Called by the tools that read or show times. The caller
passes the current time and the zone: nothing here reads a clock or the environment.
"""
