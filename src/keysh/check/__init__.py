"""Checking: what is wrong with a script that can be known before it runs."""
