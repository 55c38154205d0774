"""text/regex/parse"""
