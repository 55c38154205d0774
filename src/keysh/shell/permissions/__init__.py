"""What a host permits its shell.

`host_permissions.HostPermissions` judges each act of a script by rules, questions and `on_command`;
`host_answer` waits for what the host answers.
"""
