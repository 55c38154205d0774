"""Rules as data: who decides about a command, a file, a request or a variable.

    TOML or Python -> rule_file -> Rule, with tested examples -> Rules.judge_… -> Verdict

`rule_set.Rules` is the way in. It knows no shell: keysh.shell asks it while a script runs,
keysh.adapters before an agent's command runs, and `Shell.plan` before anything runs.
"""
