"""Roles of tasks: what a task may do, and what starts it."""

from __future__ import annotations

from constructs import Construct

from infra.constructs.access.role import ServiceRole


def task_role(scope: Construct, construct_id: str, name: str | None = None) -> ServiceRole:
    """A role that tasks of ECS take on, with no permission yet. One that others know it by has a name."""
    return ServiceRole(scope, construct_id, "ecs-tasks.amazonaws.com", role_name=name)
