"""Measurements that the README's numbers come from; one file per subject, each prints what it measured against."""
