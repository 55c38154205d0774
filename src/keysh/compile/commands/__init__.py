"""compile/commands"""
