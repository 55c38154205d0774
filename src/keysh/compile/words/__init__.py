"""compile/words"""
