"""What a caller's words mean for the call, and when he has finished."""
