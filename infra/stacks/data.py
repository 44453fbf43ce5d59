"""What must last: files, records, the index, the outbox, secrets, and the locked heads of audit chains."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_secretsmanager as secretsmanager
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.access.model import ModelAccess
from infra.constructs.access.uploaders import keep_to_own_prefix
from infra.constructs.alarms import Alarms
from infra.constructs.backup import Backup
from infra.constructs.collection import PassageCollection
from infra.constructs.function import CarelineFunction
from infra.constructs.kept import kept
from infra.constructs.locked_heads import LockedHeads
from infra.constructs.reviewed import reviewed, reviewed_wildcard
from infra.settings import StageSettings
from infra.stacks.keys import KeyStack
from infra.stacks.network import NetworkStack

UPLOADS = "uploads/"
IMPORTS, IMPORT_RESULTS = "imports/", "import-results/"
"""Files of a bulk import, which start nothing by themselves, and what became of each."""
DOCUMENTS = "documents/"
OBJECT_KEYS = "An object's key is not known beforehand; the prefix is the narrowest resource S3 can name."


class DataStack(cdk.Stack):
    """Holds no code, so that it changes rarely."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: StageSettings,
        *,
        keys: KeyStack,
        network: NetworkStack,
        **more: Any,
    ) -> None:
        super().__init__(scope, construct_id, **more)
        self._settings = settings
        self._kept = kept(settings)
        self.network = network if settings.is_private else None
        self.key, self.secret_key, self.log_key = keys.records, keys.secrets, keys.logs
        access_log = self._make_access_log()
        self.bucket = self._make_bucket(access_log)
        self.heads = LockedHeads(self, "Heads", settings=settings, key=keys.heads, access_log=access_log)
        self.table = self._make_table()
        if settings.backup_days:
            Backup(self, "Backup", settings=settings, table=self.table, key=self.key)
        self.collection = PassageCollection(
            self, "Passages", settings=settings, key=self.key, endpoint=network.search_endpoint
        )
        self.alarms = Alarms(self, "Alarms", key=self.key)
        self.outbox = self._make_outbox()
        self.model = ModelAccess(self, "Model", settings=settings, key=self.secret_key)
        self.privacy_key = self._make_privacy_key()
        cdk.CfnOutput(self, "AlarmTopic", value=self.alarms.topic.topic_arn)

    def record_settings(self) -> dict[str, str]:
        """The settings of whoever keeps records; names are fields of `careline.settings.Settings`."""
        return {
            "CARELINE_HOME": "/tmp/careline",  # noqa: S108 - the one place a function can write to
            "CARELINE_STAGE": self._settings.name,
            "CARELINE_STORAGE": "aws",
            "CARELINE_TABLE": self.table.table_name,
            "CARELINE_BUCKET": self.bucket.bucket_name,
            "CARELINE_SEARCH_ENDPOINT": self.collection.endpoint,
            "CARELINE_SEARCH_INDEX": self.collection.index,
            "CARELINE_SEARCH_SERVICE": "aoss",
            **self.model.embedder(),
            **({"CARELINE_TRACES_EXPORTER": "xray"} if self._settings.traces == "xray" else {}),
        }

    def key_settings(self) -> dict[str, str]:
        """The setting of whoever writes or reads what people said: where the installation's key is, never the key."""
        return {"CARELINE_PRIVACY_KEY_SECRET": self.privacy_key.secret_arn}

    def let_read_key(self, function: CarelineFunction) -> None:
        """Reading the installation's key, when it is first needed."""
        function.may("secretsmanager:GetSecretValue", on=[self.privacy_key.secret_arn])
        function.may("kms:Decrypt", on=[self.secret_key.key_arn])

    def let_use_table(self, function: CarelineFunction, *actions: str) -> None:
        """Reading and writing records; a transaction is allowed by the actions of its members."""
        function.may(*(f"dynamodb:{action}" for action in actions), on=[self.table.table_arn])
        self._let_use_key(function)

    def let_read_table(self, function: CarelineFunction, *actions: str) -> None:
        """Reading records and writing none."""
        function.may(*(f"dynamodb:{action}" for action in actions), on=[self.table.table_arn])
        function.may("kms:Decrypt", on=[self.key.key_arn])

    def let_use_files(self, function: CarelineFunction, prefix: str, *actions: str) -> None:
        """Reading and writing files below a prefix."""
        function.may(*(f"s3:{action}" for action in actions), on=[f"{self.bucket.bucket_arn}/{prefix}*"])
        reviewed_wildcard(function.role, f"Resource::{self.named_bucket()}/{prefix}*", OBJECT_KEYS)
        self._let_use_key(function)

    def let_list_files(self, function: CarelineFunction, prefix: str) -> None:
        """Listing below a prefix, without which S3 answers 403 instead of 404 for a file that is not there."""
        condition = {"StringLike": {"s3:prefix": f"{prefix}*"}}
        statement = iam.PolicyStatement(
            actions=["s3:ListBucket"], resources=[self.bucket.bucket_arn], conditions=condition
        )
        function.role.add_to_policy(statement)

    @property
    def import_results(self) -> str:
        """Where a bulk import writes what became of each object."""
        return IMPORT_RESULTS.rstrip("/")

    def let_import(self, role: iam.Role) -> None:
        """Listing and reading what is to be imported, and writing what became of it, in parts where that is long."""
        bucket = self.bucket.bucket_arn
        condition = {"StringLike": {"s3:prefix": f"{IMPORTS}*"}}
        for actions, resource, conditions in (
            (["s3:ListBucket"], bucket, condition),
            (["s3:GetObject"], f"{bucket}/{IMPORTS}*", None),
            (
                ["s3:GetObject", "s3:PutObject", "s3:ListMultipartUploadParts", "s3:AbortMultipartUpload"],
                f"{bucket}/{IMPORT_RESULTS}*",
                None,
            ),
            (["kms:Decrypt", "kms:GenerateDataKey"], self.key.key_arn, None),
        ):
            role.add_to_policy(iam.PolicyStatement(actions=actions, resources=[resource], conditions=conditions))
        for prefix in (IMPORTS, IMPORT_RESULTS):
            reviewed_wildcard(role, f"Resource::{self.named_bucket()}/{prefix}*", OBJECT_KEYS)

    def let_record(self, function: CarelineFunction) -> None:
        """Putting turns into the outbox."""
        function.may("sqs:SendMessage", on=[self.outbox.queue_arn])
        self._let_use_key(function)

    def let_read_outbox(self, function: CarelineFunction) -> None:
        """Taking turns out of the outbox, which Lambda does on the function's behalf."""
        function.may("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes", on=[self.outbox.queue_arn])
        self._let_use_key(function)

    def _let_use_key(self, function: CarelineFunction) -> None:
        function.may("kms:Decrypt", "kms:GenerateDataKey", on=[self.key.key_arn])

    def named_bucket(self) -> str:
        """The bucket as cdk-nag writes it, seen from another stack."""
        exported = self.export_value(self.bucket.bucket_arn)
        return str(self.resolve(exported)["Fn::ImportValue"])

    def _make_privacy_key(self) -> secretsmanager.Secret:
        """64 hexadecimal digits, made once: a new key would cut the audit chain and rename everybody in it."""
        digits = secretsmanager.SecretStringGenerator(
            password_length=64,
            exclude_uppercase=True,
            exclude_punctuation=True,
            exclude_characters="ghijklmnopqrstuvwxyz",
            require_each_included_type=False,
        )
        secret = secretsmanager.Secret(
            self,
            "PrivacyKey",
            secret_name=f"{self._settings.prefix}/privacy-key",
            encryption_key=self.secret_key,
            generate_secret_string=digits,
            removal_policy=self._kept,
        )
        reviewed(secret, SMG4="Pseudonyms and the audit chain hang on this key; it is kept, not renewed.")
        return secret

    def _make_bucket(self, access_log: s3.IBucket) -> s3.Bucket:
        """EventBridge is switched on in the bucket itself, which needs no helper function with wide permissions."""
        bucket = s3.Bucket(
            self,
            "Files",
            versioned=True,
            encryption=s3.BucketEncryption.KMS,
            encryption_key=self.key,
            bucket_key_enabled=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            server_access_logs_bucket=access_log,
            server_access_logs_prefix="files/",
            removal_policy=cdk.RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
            lifecycle_rules=_lifecycle(),
            cors=[_from_console(self._settings)],
        )
        keep_to_own_prefix(bucket, UPLOADS)
        resource: Any = bucket.node.default_child
        resource.add_property_override("NotificationConfiguration.EventBridgeConfiguration.EventBridgeEnabled", True)
        return bucket

    def _make_access_log(self) -> s3.Bucket:
        bucket = s3.Bucket(
            self,
            "AccessLog",
            versioned=True,
            encryption=s3.BucketEncryption.S3_MANAGED,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            removal_policy=cdk.RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
            lifecycle_rules=[
                s3.LifecycleRule(
                    expiration=cdk.Duration.days(self._settings.log_days),
                    noncurrent_version_expiration=cdk.Duration.days(1),
                )
            ],
        )
        reviewed(bucket, S1="This bucket holds the access log; logging it would never end.")
        return bucket

    def _make_table(self) -> dynamodb.Table:
        return dynamodb.Table(
            self,
            "Records",
            partition_key=dynamodb.Attribute(name="pk", type=dynamodb.AttributeType.STRING),
            sort_key=dynamodb.Attribute(name="sk", type=dynamodb.AttributeType.STRING),
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            time_to_live_attribute="expires_at",
            encryption=dynamodb.TableEncryption.CUSTOMER_MANAGED,
            encryption_key=self.key,
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            deletion_protection=self._settings.keep_data,
            removal_policy=self._kept,
        )

    def _make_outbox(self) -> sqs.Queue:
        """A turn that telemetry could not take five times waits two weeks for somebody to look."""
        dead = sqs.Queue(
            self,
            "OutboxDead",
            fifo=True,
            encryption=sqs.QueueEncryption.KMS,
            encryption_master_key=self.key,
            enforce_ssl=True,
            retention_period=cdk.Duration.days(14),
        )
        reviewed(dead, SQS3="This is the dead letter queue.")
        self.alarms.when_filled(dead)
        outbox = sqs.Queue(
            self,
            "Outbox",
            fifo=True,
            encryption=sqs.QueueEncryption.KMS,
            encryption_master_key=self.key,
            enforce_ssl=True,
            retention_period=cdk.Duration.days(14),
            visibility_timeout=cdk.Duration.seconds(180),
            deduplication_scope=sqs.DeduplicationScope.MESSAGE_GROUP,
            fifo_throughput_limit=sqs.FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
            dead_letter_queue=sqs.DeadLetterQueue(queue=dead, max_receive_count=5),
        )
        self.alarms.when_waiting(outbox)
        return outbox


def _from_console(settings: StageSettings) -> s3.CorsRule:
    """The console puts large files at signed addresses. An address is the right itself; the page's origin adds none."""
    page = f"https://{settings.console_domain}" if settings.console_domain else "https://*.cloudfront.net"
    return s3.CorsRule(
        allowed_methods=[s3.HttpMethods.PUT], allowed_origins=[page], allowed_headers=["*"], exposed_headers=["ETag"]
    )


def _lifecycle() -> list[s3.LifecycleRule]:
    """Registration copies an upload to its document, so the upload itself is only needed until then; those of a bulk
    import until nobody redrives it, which Step Functions allows for fourteen days. Replaced and deleted objects stay
    readable for thirty days."""
    return [
        s3.LifecycleRule(id="uploads", prefix=UPLOADS, expiration=cdk.Duration.days(7)),
        s3.LifecycleRule(id="imports", prefix=IMPORTS, expiration=cdk.Duration.days(30)),
        s3.LifecycleRule(id="import-results", prefix=IMPORT_RESULTS, expiration=cdk.Duration.days(90)),
        s3.LifecycleRule(
            id="replaced",
            noncurrent_version_expiration=cdk.Duration.days(30),
            abort_incomplete_multipart_upload_after=cdk.Duration.days(1),
            expired_object_delete_marker=True,
        ),
    ]
