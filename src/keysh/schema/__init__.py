"""Schema: a command is declared once; binding, help, completion and checking come from that."""
