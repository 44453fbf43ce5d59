"""Commands about the cloud: what can go there, what is there, and what it costs."""
