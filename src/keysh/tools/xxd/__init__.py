"""The command `xxd`, declared in `command.py`.

`hex_dump` turns bytes into digits and back. It knows bytes, and neither options nor files.
"""
