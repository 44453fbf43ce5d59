"""What a worker does where ECS runs it: it says when it may not be stopped, how full it is, and when it is outdated."""
