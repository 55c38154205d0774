"""The splitting rule: text that sh would split into words and keysh does not.

The checker and `migrate` enter at `splitting_rule`. `unquoted_words` notes the places during the
walk, `reaching_assignments` finds the assignments that matter at a place, and `single_words` finds
variables that are one word anyway.
"""
