"""text/dates"""
