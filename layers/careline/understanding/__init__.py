"""What is asked, in the light of what was said before."""
