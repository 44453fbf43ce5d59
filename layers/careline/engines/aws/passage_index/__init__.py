"""Passages in OpenSearch, Serverless or a cluster of one's own."""
