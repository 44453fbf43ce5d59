"""The HTTP API: questions go to the orchestrator, which streams, documents and jobs to the admin function."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_secretsmanager as secretsmanager
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from careline.schemas.wire import MAX_QUESTION, QueryRequest
from careline.web.directory_routes import WORKBOOK
from careline.web.operation import Operation
from careline.web.routes import OPERATIONS
from infra.constructs.access.signers import signers
from infra.constructs.access.uploaders import EVERY_TENANT_TAG
from infra.constructs.collection import READ, WRITE
from infra.constructs.deployment import CanaryDeployment, canary_alarms
from infra.constructs.firewall import MAX_DIRECT_UPLOAD_BYTES, TOLD_TOO_LARGE, Firewall
from infra.constructs.function import CarelineFunction, encrypted_log
from infra.constructs.packages import image
from infra.constructs.queue import dead_letter_queue
from infra.constructs.reviewed import reviewed, reviewed_policy
from infra.settings import LIVE, StageSettings
from infra.stacks.data import DOCUMENTS, UPLOADS, DataStack

PORT = 8080
TURN_SECONDS = 120
"""The longest a turn may take; a stream through API Gateway may last 15 minutes."""
WRITE_LOGS = "service-role/AmazonAPIGatewayPushToCloudWatchLogs"
CHANGE_RECORDS = ("GetItem", "Query", "UpdateItem", "DeleteItem")
BINARY = ("multipart/form-data", "application/octet-stream", WORKBOOK)
"""Kinds of bodies that are no text: without them API Gateway reads a PDF as UTF-8, and it arrives damaged."""


class ApiStack(cdk.Stack):
    """Every route asks for a token of the user pool; the phone worker signs its requests to the function's own
    streaming URL, which asks for nothing else."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: StageSettings,
        data: DataStack,
        ingestion: sfn.IStateMachine,
        people: cognito.IUserPool,
        **more: Any,
    ) -> None:
        super().__init__(scope, construct_id, **more)
        self._settings, self._data = settings, data
        dead_letters = dead_letter_queue(self, "DeadLetters", data.alarms)
        self.orchestrator = self._orchestrator(dead_letters)
        self.admin = self._admin(dead_letters, ingestion)
        self.live = self.orchestrator.function.add_alias(LIVE)
        self.admin_live = self.admin.function.add_alias(LIVE)
        self.url = self.live.add_function_url(
            auth_type=lambda_.FunctionUrlAuthType.AWS_IAM, invoke_mode=lambda_.InvokeMode.RESPONSE_STREAM
        )
        self.api = self._make_api(people)
        self._route()
        self._tell_too_large()
        self.edge = self._guard() if settings.has_firewall else None
        rings = canary_alarms(self, self.live, self.api)
        for alarm in rings:
            data.alarms.tell(alarm)
        CanaryDeployment(self, "Deployment", settings=settings, alias=self.live, alarms=rings)
        cdk.CfnOutput(self, "OrchestratorUrl", value=self.url.url)
        cdk.CfnOutput(self, "ApiUrl", value=self.api.url)

    def let_ask(self, role: iam.IRole) -> None:
        """Let a role of this account send signed requests to the orchestrator's URL, and through it alone. What it may
        ask there is what `CARELINE_IAM_ROLES` says of it (`infra.constructs.access.signers`)."""
        self.url.grant_invoke_url(role)

    def _guard(self) -> str:
        """Put the firewall in front; what CloudFront shows it, as a reference that CloudFormation follows."""
        stage_arn, edge = self.api.deployment_stage.stage_arn, self._make_edge()
        Firewall(
            self, "Firewall", settings=self._settings, stage_arn=stage_arn, log_key=self._data.log_key, edge=edge
        )
        return edge

    def _make_edge(self) -> str:
        secret = secretsmanager.Secret(
            self,
            "Edge",
            encryption_key=self._data.secret_key,
            generate_secret_string=secretsmanager.SecretStringGenerator(password_length=48, exclude_punctuation=True),
        )
        reviewed(secret, SMG4="It opens nothing: by it requests through CloudFront are counted by who sent them.")
        return secret.secret_value.unsafe_unwrap()

    def _web_function(
        self, name: str, dead_letters: sqs.IQueue, *, mode: str, memory: int, timeout: int, more: dict[str, str]
    ) -> CarelineFunction:
        """A function that is a web server: the adapter in its image starts nothing, and passes requests on to it."""
        return CarelineFunction(
            self,
            name.title(),
            settings=self._settings,
            name=name,
            package=image("web", f"careline_functions.{name}.app:app"),
            key=self._data.key,
            log_key=self._data.log_key,
            network=self._data.network,
            dead_letters=dead_letters,
            environment={
                **self._data.record_settings(),
                **self._data.key_settings(),
                **self._data.model.relevance(),
                **_start(self._settings),
                "AWS_LWA_INVOKE_MODE": mode,
                "AWS_LWA_PORT": str(PORT),
                "AWS_LWA_READINESS_CHECK_PATH": "/health",
                "CARELINE_LOGIN": "gateway",
                "CARELINE_IAM_ROLES": signers(self, self._settings),
                **more,
            },
            memory=memory,
            timeout=timeout,
            snap_start=self._settings.snap_start,
        )

    def _orchestrator(self, dead_letters: sqs.IQueue) -> CarelineFunction:
        function = self._web_function(
            "orchestrator",
            dead_letters,
            mode="response_stream",
            memory=self._settings.orchestrator_memory,
            timeout=TURN_SECONDS,
            more={
                **self._data.model.endpoint("answers", "vectors"),
                **self._data.model.writer(),
                "CARELINE_OUTBOX_QUEUE_URL": self._data.outbox.queue_url,
            },
        )
        self._data.let_use_table(function, *CHANGE_RECORDS)
        self._data.let_record(function)
        self._data.let_read_key(function)
        self._data.model.let_call(function, "answers", "vectors")
        self._data.collection.let_in(self, "Orchestrator", function.role, READ)
        return function

    def _admin(self, dead_letters: sqs.IQueue, ingestion: sfn.IStateMachine) -> CarelineFunction:
        function = self._web_function(
            "admin",
            dead_letters,
            mode="buffered",
            memory=self._settings.orchestrator_memory,
            timeout=29,
            more={
                **self._data.model.endpoint("documents"),
                "CARELINE_INGESTION_STATE_MACHINE_ARN": ingestion.state_machine_arn,
                "CARELINE_MAX_DIRECT_UPLOAD_BYTES": str(MAX_DIRECT_UPLOAD_BYTES),
                **self._data.heads.settings(),
            },
        )
        self._data.heads.let_note(function)
        self._data.heads.let_compare(function)
        self._data.let_use_table(function, *CHANGE_RECORDS)
        self._data.let_use_files(function, DOCUMENTS, "GetObject", "PutObject")
        # An address that it signs allows what it may do itself: to put a file there, and nothing of those there.
        self._data.let_use_files(function, UPLOADS, "PutObject")
        self._data.let_list_files(function, DOCUMENTS)
        self._data.let_read_key(function)
        self._data.model.let_call(function, "documents")
        function.may("states:StartExecution", on=[ingestion.state_machine_arn])
        self._data.collection.let_in(self, "Admin", function.role, WRITE)
        cdk.Tags.of(function.role).add(EVERY_TENANT_TAG, "admin")
        return function

    def _make_api(self, people: cognito.IUserPool) -> apigateway.RestApi:
        log = encrypted_log(
            self, "AccessLog", self._settings, f"/aws/apigateway/{self._settings.prefix}", self._data.log_key
        )
        api = apigateway.RestApi(
            self,
            "Api",
            rest_api_name=self._settings.prefix,
            endpoint_types=[apigateway.EndpointType.REGIONAL],
            binary_media_types=list(BINARY),
            cloud_watch_role=True,
            cloud_watch_role_removal_policy=cdk.RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
            default_method_options=apigateway.MethodOptions(
                authorization_type=apigateway.AuthorizationType.COGNITO,
                authorizer=apigateway.CognitoUserPoolsAuthorizer(self, "Login", cognito_user_pools=[people]),
            ),
            deploy_options=apigateway.StageOptions(
                stage_name=self._settings.name,
                access_log_destination=apigateway.LogGroupLogDestination(log),
                access_log_format=_access_log(),
                logging_level=apigateway.MethodLoggingLevel.ERROR,
                data_trace_enabled=False,
                metrics_enabled=True,
                tracing_enabled=True,
                throttling_rate_limit=100,
                throttling_burst_limit=200,
            ),
        )
        self._log_execution(api)
        reviewed(
            api,
            APIG2="Bodies of POST /v1/query are checked here; the others are checked by the function, which says why.",
        )
        reviewed_policy(
            api,
            WRITE_LOGS,
            "API Gateway asks for this very policy before a stage of an account may write any log.",
        )
        return api

    def _log_execution(self, api: apigateway.RestApi) -> None:
        """API Gateway names this log itself, and would make it without an end and without our key."""
        name = f"API-Gateway-Execution-Logs_{api.rest_api_id}/{self._settings.name}"
        log = encrypted_log(self, "ExecutionLog", self._settings, name, self._data.log_key)
        api.deployment_stage.node.add_dependency(log)

    def _route(self) -> None:
        admin = self.admin_live
        streaming = apigateway.LambdaIntegration(
            self.live,
            response_transfer_mode=apigateway.ResponseTransferMode.STREAM,
            timeout=cdk.Duration.seconds(TURN_SECONDS),
            allow_test_invoke=False,
        )
        buffered = apigateway.LambdaIntegration(admin, allow_test_invoke=False)
        checked: dict[str, Any] = {
            "request_models": {"application/json": self._question()},
            "request_validator": self.api.add_request_validator("Body", validate_request_body=True),
        }
        integrations = {"orchestrator": streaming, "admin": buffered}
        for operation in routed():
            options = checked if operation.takes is QueryRequest else {}
            resource = self.api.root.resource_for_path(operation.path)
            resource.add_method(operation.method, integrations[operation.server], **options)

    def _tell_too_large(self) -> None:
        """What API Gateway itself refuses, bodies over 10 MB, is told what to do instead."""
        self.api.add_gateway_response(
            "TooLarge",
            type=apigateway.ResponseType.REQUEST_TOO_LARGE,
            status_code="413",
            templates={"application/json": TOLD_TOO_LARGE},
        )

    def _question(self) -> apigateway.Model:
        """Refuses a question over its length before anything runs."""
        text = apigateway.JsonSchema(type=apigateway.JsonSchemaType.STRING, min_length=1, max_length=MAX_QUESTION)
        schema = apigateway.JsonSchema(
            type=apigateway.JsonSchemaType.OBJECT, required=["text"], max_properties=20, properties={"text": text}
        )
        return self.api.add_model("Question", content_type="application/json", model_name="Question", schema=schema)


def _start(settings: StageSettings) -> dict[str, str]:
    """Lambda begins a start anew that takes longer than ten seconds, unless the adapter reports it ready before it is.
    One that a snapshot is made of may take minutes, and must be ready when it is made."""
    return {} if settings.snap_start else {"AWS_LWA_ASYNC_INIT": "true"}


def routed() -> list[Operation]:
    """What the gateway passes on: all that a function serves, but for what tells the adapter that it is ready."""
    return [one for one in OPERATIONS if one.server != "local" and one.by_gateway]


def _access_log() -> apigateway.AccessLogFormat:
    """Who asked what kind of thing and how it went; no address, no path parameter, no body."""
    field = apigateway.AccessLogField
    return apigateway.AccessLogFormat.custom(
        cdk.Fn.join(
            "",
            [
                '{"request":"', field.context_request_id(), '","trace":"', field.context_xray_trace_id(),
                '","at":"', field.context_request_time_epoch(), '","method":"', field.context_http_method(),
                '","route":"', field.context_resource_path(), '","status":"', field.context_status(),
                '","ms":"', field.context_response_latency(), '","bytes":"', field.context_response_length(), '"}',
            ],
        )
    )  # fmt: skip
