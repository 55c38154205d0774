"""Syntax: source text becomes tokens, a tree, and text again; nothing here knows how to run."""
