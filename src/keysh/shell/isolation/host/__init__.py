"""Host: what a worker may ask its host for: commands, files, programs, decisions, the audit.

`host_calls.HostCalls` takes the requests of one session; each checks what it is asked for as the
input of an attacker. `host_bridge.HostBridge` makes the states in which the host acts for a script.
"""
