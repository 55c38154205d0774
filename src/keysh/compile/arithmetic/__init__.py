"""compile/arithmetic"""
