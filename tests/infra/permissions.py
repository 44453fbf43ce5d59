"""Which actions each function uses. The state machine test runs the stages and compares what they did with this table;
the template test compares this table with what their roles allow."""

from __future__ import annotations

RECORDS = {"dynamodb:GetItem", "dynamodb:UpdateItem"}
CHANGE = RECORDS | {"dynamodb:Query", "dynamodb:DeleteItem"}
KEY = {"kms:Decrypt", "kms:GenerateDataKey"}
"""What S3, DynamoDB and SQS ask of the key on a caller's behalf."""
FIND = {"aoss:APIAccessAll", "aoss:ReadDocument"}
FILL = FIND | {"aoss:WriteDocument"}
TELL_MISSING = {"s3:ListBucket"}
"""Without it S3 answers 403 instead of 404 for a file that is not there."""
ALWAYS = {
    "logs:CreateLogStream",
    "logs:PutLogEvents",
    "xray:PutTraceSegments",
    "xray:PutTelemetryRecords",
}
"""Log and traces, for every function."""
DEAD_LETTERS = {"sqs:SendMessage"}
"""For a function that is called by somebody who does not wait for it to end."""

CHANGE = RECORDS | {"dynamodb:Query", "dynamodb:DeleteItem"}
STAGES: dict[str, set[str]] = {
    "register": RECORDS | {"s3:GetObject", "s3:GetObjectVersion", "s3:PutObject"},
    "extract": RECORDS | {"s3:GetObject", "s3:PutObject"},
    "clean": {"dynamodb:GetItem", "s3:GetObject", "s3:PutObject"},
    "chunk": RECORDS | {"s3:GetObject", "s3:PutObject"},
    "embed": RECORDS | {"s3:GetObject", "s3:PutObject"},
    "index": CHANGE | FILL | {"s3:GetObject"},
    "activate": CHANGE | FILL | {"s3:GetObject"},
    "fail": RECORDS,
}
"""`careline.knowledge`: TransactWriteItems is allowed by the actions of its members. `index` reads what other documents
name and replaces the list of what was held back."""

WEB: dict[str, set[str]] = {
    "orchestrator": CHANGE | FIND | {"sqs:SendMessage"},
    "admin": CHANGE | FILL | {"s3:GetObject", "s3:PutObject", "states:StartExecution", "s3:ListBucketVersions"},
}
"""`functions/careline_functions/orchestrator`: a turn reads and writes conversations, asks the index, puts the outbox.
`functions/careline_functions/admin`: documents and jobs, retirement in the index, starting a retry, and releases, which
embed and index again. Verification compares the audit chain with the locked heads and adds one."""
NOTARY: dict[str, set[str]] = {
    "notary": {"dynamodb:GetItem", "dynamodb:Query", "s3:PutObject"} | DEAD_LETTERS,
}
"""`functions/careline_functions/notary`: reads heads of audit chains and notes them under Object Lock."""
JOIN_NETWORK = {
    "ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DescribeSubnets",
    "ec2:DeleteNetworkInterface", "ec2:AssignPrivateIpAddresses", "ec2:UnassignPrivateIpAddresses",
}  # fmt: skip
"""What Lambda does with the role of a function that is inside the network, and the function itself may not."""


TELEMETRY: dict[str, set[str]] = {
    "telemetry": RECORDS | {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"},
}
"""`functions/careline_functions/telemetry`: writes records; Lambda takes messages out of the outbox and deletes them on
its behalf."""
READ_SECRET = {"secretsmanager:GetSecretValue"}
WITH_SECRETS = {"orchestrator", "admin", "telemetry", "notary"}
"""Who reads the installation's key, the model's or both: `test_secrets` tells them apart."""
FUNCTIONS = (*STAGES, *WEB, *TELEMETRY, *NOTARY)


def allowed(name: str) -> set[str]:
    """Everything the role of a function should allow."""
    secrets = READ_SECRET if name in WITH_SECRETS else set()
    if name in TELEMETRY | NOTARY:
        return (TELEMETRY | NOTARY)[name] | ALWAYS | KEY | secrets
    uses = (STAGES.get(name) or WEB[name]) | DEAD_LETTERS | secrets
    return uses | ALWAYS | KEY | (TELL_MISSING if "s3:GetObject" in uses else set())
