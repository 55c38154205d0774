"""The splitting rule: text that sh would split into words and keysh does not. Enter at `rule`.

The checker and `migrate` call it. `unquoted` notes the places during the walk, `reaching` finds the
assignments that matter at a place, and `single_words` finds variables that are one word anyway.
"""
