"""What the adapters of frameworks share: an adapter itself only translates.

tools    the tools of a session as a list of a framework's own tools
sandbox  the files and the commands of a session, for frameworks with tools of their own

Hosts enter at `keysh.adapters.NAME`; it knows no framework.
"""
