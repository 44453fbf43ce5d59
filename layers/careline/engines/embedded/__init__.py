"""Engines that run inside this process, with no account, key or network."""
