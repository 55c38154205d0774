"""What keeps work on large values within the limits of a run: their sizes, and work in slices.

A command passes `tick`, which ends a run that is out of time or memory. A native call cannot tick,
so its operand is bounded or divided first.
"""
