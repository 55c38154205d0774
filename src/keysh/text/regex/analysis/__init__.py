"""text/regex/analysis"""
