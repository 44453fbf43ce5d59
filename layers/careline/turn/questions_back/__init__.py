"""What is asked back where a question may mean several things, and who is asked: nobody twice about one thing."""
