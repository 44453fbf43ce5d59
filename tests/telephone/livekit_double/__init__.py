"""A double of a LiveKit server and of its SIP service, for tests: enough of both that a telephone reaches the worker.

It is not LiveKit. No claim about LiveKit's latency or capacity can rest on it.
"""
