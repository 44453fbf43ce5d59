"""Engines on AWS: DynamoDB, S3, OpenSearch, SQS and Step Functions."""
