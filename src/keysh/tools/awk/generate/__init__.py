"""Compile the tree of an awk program to one Python function.

`compiler.compile_program` is the way in, for `command.py`. The other modules write the code of one
kind of node each. Nothing here runs a program or knows its input.
"""
