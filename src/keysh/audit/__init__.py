"""The audit: a log of what scripts do that cannot be changed unseen.

`audit.Audit` is made by a host. `trail.Trail` turns the events of one shell into records, `chain`
joins each line to the one before, and `audit_file.AuditFile` appends them to a file.
`verification.verify_audit` finds what somebody has changed in it. `redaction` keeps secrets out of
all that; `secret_patterns` says what they look like, for agents too. docs/audit.md has the format.
"""
