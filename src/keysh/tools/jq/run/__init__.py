"""tools/jq/run"""
