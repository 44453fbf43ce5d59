"""What people confirm of their hospital: editions of its directory."""
