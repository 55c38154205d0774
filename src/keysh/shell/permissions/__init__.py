"""What a host permits its shell.

`host_permissions.HostPermissions` judges each act of a script by rules, questions and `on_command`;
`command_facts` says what it is told, and `host_answer` waits for what it answers.
"""
