"""What `make deploy` and `make destroy` do: the pinned CDK command line, where it deploys to, and what it leaves."""
