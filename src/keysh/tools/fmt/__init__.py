"""The command `fmt`, declared in `command.py`.

`paragraphs` reads text and finds paragraphs, and `paragraph` chooses the line breaks of one. Both
know lines only, and neither options nor files.
"""
