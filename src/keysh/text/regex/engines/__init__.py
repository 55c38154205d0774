"""text/regex/engines"""
