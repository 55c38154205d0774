"""Doors to keysh for programs of other kinds: each keeps the contract of its own document.

subprocess_primitive  one program from a configuration with templates
code                  a piece of code in the language it names
plugins               folders with a manifest, as commands and as objects
agent                 tools for a language model; mcp serves them
"""
