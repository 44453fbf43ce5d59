"""The cloud as code: one CDK app, the stages dev and prod."""
