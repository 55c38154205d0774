"""tools/jq/values"""
