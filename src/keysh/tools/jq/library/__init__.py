"""tools/jq/library"""
