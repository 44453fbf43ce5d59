"""What is known about turns afterwards."""
