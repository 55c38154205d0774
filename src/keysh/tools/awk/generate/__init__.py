"""Compile the tree of an awk program to one Python function."""
