"""What people see of a running stage: alarms, dashboards, objectives, saved queries. Data and what reads it; the
resources are made in `infra/stacks/operations.py`."""
