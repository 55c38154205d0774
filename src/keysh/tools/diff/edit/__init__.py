"""Find the changes between two sequences of lines, as GNU diff finds them.

`script.edit_script` is the way in; it discards hopeless lines (`discards`) and searches for a
shortest script (`search`). Lines are numbers here: nothing knows files or options.
"""
