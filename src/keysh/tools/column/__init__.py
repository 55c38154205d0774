"""The command `column`, declared in `command.py`.

It fills columns itself, and calls `layout` for tables, `tree` for trees and `json_output` for -J.
These know lines and cells, and neither options nor files.
"""
