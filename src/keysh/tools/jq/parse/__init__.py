"""tools/jq/parse"""
