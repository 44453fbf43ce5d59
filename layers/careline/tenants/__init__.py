"""What differs between one hospital and the next: its packs, its directory and who may do what."""
