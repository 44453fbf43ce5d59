"""What the reader learns from and how: pages with questions, the network, the steps. See `training.train_reader`."""
