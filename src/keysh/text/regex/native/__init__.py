"""text/regex/native"""
