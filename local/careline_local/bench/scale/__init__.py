"""What many calls, passages and documents at once ask of each part of the cloud, beside what that part gives."""
