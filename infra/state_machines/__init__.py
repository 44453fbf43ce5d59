"""What Step Functions runs, in the Amazon States Language, and what is added to it when it is deployed."""
