"""What a run is made of: limits and budget, options, control flow, statuses, sites, functions.

The lowest row of the interpreter: everything above it uses these modules, one by one. They know no
streams, no variables and no state; where they must name one they use `forward_types`.
"""
