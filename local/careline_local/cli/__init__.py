"""The `careline` command: one file per subcommand."""
