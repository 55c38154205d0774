"""The streams of a process: the ends of its pipes, what feeds its input, what keeps its output.

`pipes.ProcessPipes` opens the ends, `stdin.StdinFeeder` writes to one, and
`capture.HeadTailCapture` keeps the head and the tail of what was read.
"""
