"""x"""
from keysh.diagnostics import Diagnostic
def diagnose(source,s,start,failed):
    if failed is None: return s.diagnostics, False
    t=s.tokens[failed]
    return s.diagnostics+[Diagnostic("E101",source,t[2],max(t[3],t[2]+1),"unexpected",t[0]+repr(t[1]))], t[0]=="$END"
