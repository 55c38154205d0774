"""tools/jq/compile"""
