"""The HTTP API: questions go to the orchestrator, which streams, documents and jobs to the admin function."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from careline.wire import MAX_QUESTION
from infra.constructs.collection import READ, WRITE
from infra.constructs.firewall import Firewall
from infra.constructs.function import CarelineFunction, encrypted_log
from infra.constructs.packages import Layers, handlers
from infra.constructs.queue import dead_letter_queue
from infra.constructs.reviewed import reviewed
from infra.settings import StageSettings
from infra.stacks.data import DOCUMENTS, DataStack

ADAPTER = "arn:aws:lambda:{region}:753240598075:layer:LambdaAdapterLayerArm64:27"
"""Lambda Web Adapter 1.0.0, the layer its authors publish: starts a web server and speaks Lambda's protocol for it."""
PORT = 8080
TURN_SECONDS = 120
"""The longest a turn may take; a stream through API Gateway may last 15 minutes."""
WRITE_LOGS = "Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"
SIGNERS = (
    ("voice", "caller"), ("clinician", "user"), ("manager", "manager"), ("admin", "admin"), ("owner", "owner"),
)  # fmt: skip
"""IAM roles that sign requests, by the end of their name, and what each is to us."""
CHANGE_RECORDS = ("GetItem", "Query", "UpdateItem", "DeleteItem")

ORCHESTRATOR_ROUTES = (
    ("POST", "v1/query"),
    ("POST", "v1/search"),
    ("GET", "v1/packs"),
    ("GET", "v1/line"),
    ("POST", "v1/turns/{turn_id}/decision"),
    ("GET", "v1/conversations/{conversation_id}"),
    ("DELETE", "v1/conversations/{conversation_id}"),
    ("GET", "v1/turns/{turn_id}"),
    ("GET", "v1/turns/{turn_id}/explanation"),
    ("GET", "openapi.json"),
)
ADMIN_ROUTES = (
    ("GET", "v1/documents"),
    ("POST", "v1/documents"),
    ("GET", "v1/documents/{doc_key}"),
    ("DELETE", "v1/documents/{doc_key}"),
    ("GET", "v1/documents/{doc_key}/text"),
    ("GET", "v1/documents/{doc_key}/original"),
    ("GET", "v1/jobs"),
    ("GET", "v1/jobs/{job_id}"),
    ("POST", "v1/jobs/{job_id}/retry"),
    ("GET", "v1/admin/quarantine"),
    ("GET", "v1/admin/quarantine/{passage_id}"),
    ("POST", "v1/admin/quarantine/{passage_id}/release"),
    ("POST", "v1/admin/quarantine/{passage_id}/discard"),
    ("GET", "v1/admin/audit/verification"),
    ("GET", "v1/admin/subjects/{subject}"),
    ("DELETE", "v1/admin/subjects/{subject}"),
)


class ApiStack(cdk.Stack):
    """Every route asks for a signed request; the worker uses the function's own streaming URL in the same way."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: StageSettings,
        data: DataStack,
        ingestion: sfn.IStateMachine,
        **more: Any,
    ) -> None:
        super().__init__(scope, construct_id, **more)
        self._settings, self._data = settings, data
        self._layers = Layers(self, "Layers")
        dead_letters = dead_letter_queue(self, "DeadLetters", data.alarms)
        self.orchestrator = self._orchestrator(dead_letters)
        self.admin = self._admin(dead_letters, ingestion)
        self.url = self.orchestrator.function.add_function_url(
            auth_type=lambda_.FunctionUrlAuthType.AWS_IAM, invoke_mode=lambda_.InvokeMode.RESPONSE_STREAM
        )
        self.api = self._make_api()
        self._route()
        Firewall(self, "Firewall", settings=settings, stage_arn=self.api.deployment_stage.stage_arn)
        cdk.CfnOutput(self, "OrchestratorUrl", value=self.url.url)

    def _web_function(
        self, name: str, dead_letters: sqs.IQueue, *, mode: str, memory: int, timeout: int, more: dict[str, str]
    ) -> CarelineFunction:
        """A function that is a web server: the adapter starts `run.sh` and passes requests on."""
        adapter = ADAPTER.format(region=self._settings.region)
        return CarelineFunction(
            self,
            name.title(),
            settings=self._settings,
            name=name,
            handler=f"careline_functions/{name}/run.sh",
            code=handlers(name),
            layers=[
                self._layers.ours("careline"),
                self._layers.ours("packs"),
                self._layers.third_party("core"),
                self._layers.third_party("documents") if name == "admin" else self._layers.ours("screens"),
                lambda_.LayerVersion.from_layer_version_arn(self, f"{name.title()}Adapter", adapter),
            ],
            key=self._data.key,
            dead_letters=dead_letters,
            environment={
                **self._data.shared_settings(),
                "AWS_LAMBDA_EXEC_WRAPPER": "/opt/bootstrap",
                "AWS_LWA_INVOKE_MODE": mode,
                "AWS_LWA_PORT": str(PORT),
                "AWS_LWA_READINESS_CHECK_PATH": "/health",
                "CARELINE_LOGIN": "gateway",
                "CARELINE_IAM_ROLES": ",".join(f"{self._settings.prefix}-{name}={role}" for name, role in SIGNERS),
                **more,
            },
            memory=memory,
            timeout=timeout,
        )

    def _orchestrator(self, dead_letters: sqs.IQueue) -> CarelineFunction:
        function = self._web_function(
            "orchestrator",
            dead_letters,
            mode="response_stream",
            memory=self._settings.orchestrator_memory,
            timeout=TURN_SECONDS,
            more={"CARELINE_MODEL": "openai", "CARELINE_OUTBOX_QUEUE_URL": self._data.outbox.queue_url},
        )
        self._data.let_use_table(function, *CHANGE_RECORDS)
        self._data.let_record(function)
        self._data.collection.let_in(self, "Orchestrator", function.role, READ)
        return function

    def _admin(self, dead_letters: sqs.IQueue, ingestion: sfn.IStateMachine) -> CarelineFunction:
        function = self._web_function(
            "admin",
            dead_letters,
            mode="buffered",
            memory=1024,
            timeout=29,
            more={"CARELINE_INGESTION_STATE_MACHINE_ARN": ingestion.state_machine_arn},
        )
        self._data.let_use_table(function, *CHANGE_RECORDS)
        self._data.let_use_files(function, DOCUMENTS, "GetObject", "PutObject")
        self._data.let_list_files(function, DOCUMENTS)
        function.may("states:StartExecution", on=[ingestion.state_machine_arn])
        self._data.collection.let_in(self, "Admin", function.role, WRITE)
        return function

    def _make_api(self) -> apigateway.RestApi:
        log = encrypted_log(
            self, "AccessLog", self._settings, f"/aws/apigateway/{self._settings.prefix}", self._data.key
        )
        api = apigateway.RestApi(
            self,
            "Api",
            rest_api_name=self._settings.prefix,
            endpoint_types=[apigateway.EndpointType.REGIONAL],
            cloud_watch_role=True,
            cloud_watch_role_removal_policy=cdk.RemovalPolicy.RETAIN,
            default_method_options=apigateway.MethodOptions(authorization_type=apigateway.AuthorizationType.IAM),
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
        reviewed(
            api,
            COG4="Callers sign their requests (IAM), which a user pool's federated users and the worker both can.",
            APIG2="Bodies of POST /v1/query are checked here; the others are checked by the function, which says why.",
        )
        cdk.Validations.of(api).acknowledge(
            cdk.Acknowledgment(
                id=f"AwsSolutions::AwsSolutions-IAM4[{WRITE_LOGS}]",
                reason="API Gateway asks for this very policy before a stage of an account may write any log.",
            )
        )
        return api

    def _route(self) -> None:
        orchestrator, admin = self.orchestrator.function, self.admin.function
        streaming = apigateway.LambdaIntegration(
            orchestrator,
            response_transfer_mode=apigateway.ResponseTransferMode.STREAM,
            timeout=cdk.Duration.seconds(TURN_SECONDS),
            allow_test_invoke=False,
        )
        buffered = apigateway.LambdaIntegration(admin, allow_test_invoke=False)
        checked: dict[str, Any] = {
            "request_models": {"application/json": self._question()},
            "request_validator": self.api.add_request_validator("Body", validate_request_body=True),
        }
        for method, path in ORCHESTRATOR_ROUTES:
            options = checked if path == "v1/query" else {}
            self.api.root.resource_for_path(path).add_method(method, streaming, **options)
        for method, path in ADMIN_ROUTES:
            self.api.root.resource_for_path(path).add_method(method, buffered)

    def _question(self) -> apigateway.Model:
        """Refuses a question over its length before anything runs."""
        text = apigateway.JsonSchema(type=apigateway.JsonSchemaType.STRING, min_length=1, max_length=MAX_QUESTION)
        schema = apigateway.JsonSchema(
            type=apigateway.JsonSchemaType.OBJECT, required=["text"], max_properties=20, properties={"text": text}
        )
        return self.api.add_model("Question", content_type="application/json", model_name="Question", schema=schema)


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
