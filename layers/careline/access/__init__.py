"""Who may come in and what each may do: roles of routes, tokens, sessions, and the authentication middleware."""
