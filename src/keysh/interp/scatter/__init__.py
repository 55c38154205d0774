"""What `scatter` runs on: one command for many items, many at once.

    items ──► ItemCommand ──► ScatterRun ──► Engine ──► rows, in the order of items or as they end
              words, checked  window,     threads, processes or a cluster
                              retries,
                              halt, log

`item_command` makes words of an item, `scatter_run` decides what runs when, `engine` is what it
asks of those who run commands, and `thread_engine` is one of them. docs/scale.md.
"""
