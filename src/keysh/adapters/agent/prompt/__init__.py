"""What a model is told about its session.

system_prompt     the text, made from what the shell may do
command_families  the commands by what they are for

`SessionTools.system_prompt` and the sandboxes of frameworks call it; it calls no model.
"""
