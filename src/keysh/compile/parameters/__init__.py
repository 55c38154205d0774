"""compile/parameters"""
