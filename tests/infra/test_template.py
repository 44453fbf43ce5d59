"""What the templates promise: who may do what, what is encrypted, what is kept, and that answers stream.

That the fixture could make them at all says that cdk-nag has no finding that nobody has reviewed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from careline.engines.aws.passage_index.index_mapping import index_body
from careline.engines.embedded.embedder import E5Embedder
from careline.settings import Settings
from careline.web.directory_routes import WORKBOOK
from careline.web.routes import OPERATIONS
from infra.state_machines.ingestion import ingestion_definition
from tests.cloud.intrinsics import Resolver
from tests.infra.conftest import Templates
from tests.infra.permissions import FUNCTIONS, JOIN_NETWORK, STAGES, TELEMETRY, allowed

ROOT = Path(__file__).resolve().parents[2]
EVENTS = ROOT / "events"
OTHER_LOGS = ("access", "execution", "firewall", "state machine", "bulk import", "traffic", "the CDK's function",
              "phone worker")  # fmt: skip


def text(value: Any) -> str:
    """What a value of a template is in the partition `aws`."""
    return str(Resolver({}).value(value, ""))


def functions(stage: Templates) -> dict[str, dict[str, Any]]:
    """Our functions by the names they go by: `orchestrator`, `extract`. What is different of the canary is in
    test_operations.py."""
    made = [one for one in stage.of("AWS::Lambda::Function").values() if not one["FunctionName"].endswith("-canary")]
    return {re.sub(r"^careline-\w+?-(ingestion-)?", "", made_one["FunctionName"]): made_one for made_one in made}


def role_of(function: dict[str, Any]) -> str:
    return str(function["Role"]["Fn::GetAtt"][0])


def statements(stage: Templates) -> list[tuple[str, dict[str, Any]]]:
    """Every statement of an identity policy with the role it belongs to."""
    return [
        (policy["Roles"][0]["Ref"], statement)
        for policy in stage.of("AWS::IAM::ManagedPolicy").values()
        for statement in policy["PolicyDocument"]["Statement"]
    ]


def actions(statement: dict[str, Any]) -> set[str]:
    said = statement["Action"]
    return {said} if isinstance(said, str) else set(said)


def flat(value: object) -> str:
    """JSON with references in it, as one line of text."""
    return json.dumps(value, sort_keys=True)


def data_access(stage: Templates) -> dict[str, set[str]]:
    """What the data access policies of the collection allow, by role."""
    found: dict[str, set[str]] = {}
    for policy in stage.of("AWS::OpenSearchServerless::AccessPolicy").values():
        text = flat(policy["Policy"]).replace('\\\\\\"', '"').replace('\\"', '"')
        permissions = set(re.findall(r"aoss:\w+", text))
        for role in re.findall(r'"Fn::GetAtt": \["(\w+)", "Arn"\]', text):
            found.setdefault(role, set()).update(permissions)
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_may_do_exactly_what_its_code_does(stage: Templates, name: str) -> None:
    role = role_of(functions(stage)[name])
    granted = {action for owner, statement in statements(stage) if owner == role for action in actions(statement)}
    joins = JOIN_NETWORK if "VpcConfig" in functions(stage)[name] else set()
    assert granted | data_access(stage).get(role, set()) == allowed(name) | joins


def test_every_function_is_in_the_table(stage: Templates) -> None:
    assert set(functions(stage)) == set(FUNCTIONS)


def test_a_star_stands_only_where_the_service_takes_nothing_else(stage: Templates) -> None:
    starred = [(actions(one), one) for _, one in statements(stage) if '"*"' in flat(one["Resource"])]
    tracing = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}
    sampling = tracing | {"xray:GetSamplingRules", "xray:GetSamplingTargets"}
    starless = sampling | JOIN_NETWORK | {"ecr:GetAuthorizationToken"}
    assert all(action in starless or action.startswith("logs:") for said, _ in starred for action in said)
    assert not any("*" in action for _, one in statements(stage) for action in actions(one))
    prefixes = {
        ending
        for _, one in statements(stage)
        for ending in re.findall(r'"([^"]*\*)"', flat(one["Resource"]))
        if ending != "*"
    }
    children = {one for one in prefixes if re.search(r"execution:careline-\w+-bulk-import[:/]\*$", one)}
    tasks = {one for one in prefixes if ":task/careline-" in one}
    assert prefixes - children - tasks == {"/documents/*", "/uploads/*", "/imports/*", "/import-results/*", "/heads/*"}
    assert (len(children), len(tasks)) == (2, 1)


def test_the_state_machine_may_call_its_own_functions_and_no_others(stage: Templates) -> None:
    (machine,) = [
        one for one in stage.of("AWS::StepFunctions::StateMachine").values()
        if one["StateMachineName"].endswith("-ingestion")
    ]  # fmt: skip
    role = machine["RoleArn"]["Fn::GetAtt"][0]
    (invoking,) = [one for owner, one in statements(stage) if owner == role and "lambda:InvokeFunction" in actions(one)]
    assert len(invoking["Resource"]) == len(STAGES)
    wanted = set(re.findall(r"\$\{(\w+)\}", json.dumps(ingestion_definition())))
    assert wanted == set(machine["DefinitionSubstitutions"]) == {f"{name.title()}Function" for name in STAGES}
    assert machine["LoggingConfiguration"]["IncludeExecutionData"] is False
    assert machine["TracingConfiguration"] == {"Enabled": True}


def test_everything_at_rest_is_encrypted_with_our_key(stage: Templates) -> None:
    for name, bucket in stage.of("AWS::S3::Bucket").items():
        (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        algorithm = rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"]
        # The access log's service takes no other key, and the console's files are the same for everybody.
        assert algorithm == ("AES256" if name.startswith(("AccessLog", "Console")) else "aws:kms")
        assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    (table,) = stage.of("AWS::DynamoDB::Table").values()
    assert table["SSESpecification"]["SSEType"] == "KMS"
    for queue in stage.of("AWS::SQS::Queue").values():
        assert "KmsMasterKeyId" in queue or queue["SqsManagedSseEnabled"] is True
    for function in functions(stage).values():
        assert "KmsKeyArn" in function
    keys = stage.of("AWS::KMS::Key").values()
    assert len(keys) in (1, 4)
    assert all(key["EnableKeyRotation"] is True for key in keys)
    policies = stage.of("AWS::OpenSearchServerless::SecurityPolicy").values()
    (encryption,) = [policy for policy in policies if policy["Type"] == "encryption"]
    assert "KmsARN" in flat(encryption["Policy"])


def test_every_log_ends_and_is_encrypted(stages: dict[str, Templates]) -> None:
    for name, days in (("dev", 30), ("prod", 365)):
        logs = stages[name].of("AWS::Logs::LogGroup").values()
        # Production has the canary's besides, development no firewall's.
        assert len(logs) == len(FUNCTIONS) + len(OTHER_LOGS) + (1 if name == "prod" else -1)
        assert all(log["RetentionInDays"] == days and "KmsKeyId" in log for log in logs)
        assert all("LogGroup" in function["LoggingConfig"] for function in functions(stages[name]).values())


def test_what_nobody_could_handle_is_kept(stage: Templates) -> None:
    queues = stage.of("AWS::SQS::Queue")
    assert all("RedrivePolicy" in queue or "Dead" in name for name, queue in queues.items())
    left_alone = {name: made for name, made in functions(stage).items() if name not in TELEMETRY}
    assert all("DeadLetterConfig" in function for function in left_alone.values())
    rules = stage.of("AWS::Events::Rule").values()
    assert len(rules) >= 2
    for rule in rules:
        (target,) = rule["Targets"]
        assert "DeadLetterConfig" in target


def test_the_outbox_keeps_a_tenants_turns_in_order_and_each_one_once(stage: Templates) -> None:
    (outbox,) = [
        queue for name, queue in stage.of("AWS::SQS::Queue").items() if re.fullmatch(r"Outbox[0-9A-F]{8}", name)
    ]
    assert outbox["FifoQueue"] is True
    assert outbox["DeduplicationScope"] == "messageGroup"
    assert outbox["FifoThroughputLimit"] == "perMessageGroupId"


def test_records_can_be_brought_back_and_expire(stage: Templates) -> None:
    (table,) = stage.of("AWS::DynamoDB::Table").values()
    assert table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] is True
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert [key["AttributeName"] for key in table["KeySchema"]] == ["pk", "sk"]


def test_production_keeps_its_data_when_a_stack_is_deleted(prod: Templates) -> None:
    kept = {"AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::KMS::Key", "AWS::Logs::LogGroup"}
    resources = [one for stack in prod.stacks.values() for one in stack["Resources"].values() if one["Type"] in kept]
    assert {one["DeletionPolicy"] for one in resources} == {"RetainExceptOnCreate"}
    (collection,) = prod.of("AWS::OpenSearchServerless::Collection").values()
    assert collection["DeletionProtection"] == "ENABLED"


def test_an_idle_development_stage_costs_no_search_and_a_production_caller_never_waits_for_it(
    dev: Templates, prod: Templates
) -> None:
    (idle,) = dev.of("AWS::OpenSearchServerless::CollectionGroup").values()
    (awake,) = prod.of("AWS::OpenSearchServerless::CollectionGroup").values()
    assert idle["Generation"] == awake["Generation"] == "NEXTGEN"
    assert (idle["CapacityLimits"]["MinSearchCapacityInOcu"], idle["CapacityLimits"]["MinIndexingCapacityInOcu"]) == (
        0,
        0,
    )
    assert awake["CapacityLimits"]["MinSearchCapacityInOcu"] >= 2
    assert awake["CapacityLimits"]["MinIndexingCapacityInOcu"] == 0


def test_the_index_in_the_template_is_the_one_the_engine_writes_to(stage: Templates) -> None:
    (index,) = stage.of("AWS::OpenSearchServerless::Index").values()
    (settings,) = {
        function["Environment"]["Variables"]["CARELINE_SEARCH_INDEX"] for function in functions(stage).values()
    }
    assert index["IndexName"] == settings
    wanted = index_body(1024, "aoss")["mappings"]["properties"]
    made = index["Mappings"]["Properties"]
    assert {name: field["Type"] for name, field in made.items()} == {
        name: field["type"] for name, field in wanted.items()
    }
    assert {name: field.get("Analyzer") for name, field in made.items()} == {
        name: field.get("analyzer") for name, field in wanted.items()
    }
    assert {name: field.get("Index") for name, field in made.items()} == {
        name: field.get("index") for name, field in wanted.items()
    }
    assert made["vector"]["Dimension"] == E5Embedder.dimensions
    assert made["vector"]["Method"]["SpaceType"] == "innerproduct"


def test_every_variable_a_function_gets_is_a_setting(stage: Templates) -> None:
    for function in functions(stage).values():
        variables = {name: "1024" for name in function["Environment"]["Variables"] if name.startswith("CARELINE_")}
        known = {"CARELINE_STORAGE": "aws", "CARELINE_EMBEDDER": "openai", "CARELINE_MODEL": "openai"}
        known |= {"CARELINE_SEARCH_SERVICE": "aoss", "CARELINE_SEMANTIC_CLASSIFIERS": "off"}
        written = function["Environment"]["Variables"]
        as_written = ("CARELINE_LOGIN", "CARELINE_IAM_ROLES", "CARELINE_CLOUD_COVERED")
        known |= {name: text(written[name]) for name in as_written if name in written}
        loaded = Settings.load({name: known.get(name, value) for name, value in variables.items()})
        assert loaded.storage == "aws"


def test_the_web_functions_believe_the_gateway_and_know_the_roles_of_who_signs(stage: Templates) -> None:
    web = [
        one["Environment"]["Variables"]
        for one in functions(stage).values()
        if "AWS_LWA_PORT" in one["Environment"]["Variables"]
    ]
    assert len(web) == 2
    for variables in web:
        assert variables["CARELINE_LOGIN"] == "gateway"
        roles = text(variables["CARELINE_IAM_ROLES"])
        stage_name = "dev" if "-dev-" in roles else "prod"
        voice = f"arn:aws:iam::111111111111:role/careline-{stage_name}-voice"
        canary = f",arn:aws:iam::111111111111:role/careline-{stage_name}-canary=caller@default"
        assert roles == f"{voice}=caller@default" + (canary if stage_name == "prod" else "")


def test_functions_run_on_arm_with_python_3_13_and_are_traced(stage: Templates) -> None:
    for function in functions(stage).values():
        assert function["Architectures"] == ["arm64"]
        assert function.get("Runtime", "image") == ("image" if function.get("PackageType") == "Image" else "python3.13")
        assert function["TracingConfig"] == {"Mode": "Active"}
        assert function["LoggingConfig"]["LogFormat"] == "JSON"


def test_the_orchestrator_streams_through_its_own_url_to_signed_callers_only(stage: Templates) -> None:
    (url,) = stage.of("AWS::Lambda::Url").values()
    assert (url["AuthType"], url["InvokeMode"]) == ("AWS_IAM", "RESPONSE_STREAM")
    variables = functions(stage)["orchestrator"]["Environment"]["Variables"]
    assert variables["AWS_LWA_INVOKE_MODE"] == "response_stream"
    assert url["Qualifier"] == "live"
    principals = {one["Principal"] for one in stage.of("AWS::Lambda::Permission").values()}
    assert principals == {"apigateway.amazonaws.com", "events.amazonaws.com"}


def test_every_route_of_the_api_asks_for_a_token_of_the_user_pool_those_that_stream_too(stage: Templates) -> None:
    methods = stage.of("AWS::ApiGateway::Method").values()
    assert {method["AuthorizationType"] for method in methods} == {"COGNITO_USER_POOLS"}
    (name,) = stage.of("AWS::ApiGateway::Authorizer")
    assert all(method["AuthorizerId"] == {"Ref": name} for method in methods)
    assert any(is_streaming(method) for method in methods)
    (authorizer,) = stage.of("AWS::ApiGateway::Authorizer").values()
    assert authorizer["IdentitySource"] == "method.request.header.Authorization"
    # An authorizer that names scopes takes access tokens, which hold neither role nor tenant.
    assert not any(method.get("AuthorizationScopes") for method in methods)


def test_questions_stream_through_the_api_and_documents_do_not(stage: Templates) -> None:
    streaming = [one for one in stage.of("AWS::ApiGateway::Method").values() if is_streaming(one)]
    buffered = [one for one in stage.of("AWS::ApiGateway::Method").values() if not is_streaming(one)]
    assert all("response-streaming-invocations" in flat(one["Integration"]["Uri"]) for one in streaming)
    assert all("Orchestrator" in flat(one["Integration"]["Uri"]) for one in streaming)
    assert all("Admin" in flat(one["Integration"]["Uri"]) for one in buffered)


def is_streaming(method: dict[str, Any]) -> bool:
    return bool(method["Integration"].get("ResponseTransferMode") == "STREAM")


def api_routes(stage: Templates) -> set[tuple[str, str]]:
    resources = stage.of("AWS::ApiGateway::Resource")

    def path(name: str) -> str:
        resource = resources.get(name)
        return "" if resource is None else f"{path(resource['ParentId'].get('Ref', ''))}/{resource['PathPart']}"

    methods = stage.of("AWS::ApiGateway::Method").values()
    return {(method["HttpMethod"], path(method["ResourceId"]["Ref"])) for method in methods}


def test_the_gateway_passes_on_what_the_functions_serve_and_nothing_else(stage: Templates) -> None:
    served = {one.route for one in OPERATIONS if one.server != "local"}
    assert served - api_routes(stage) == {("GET", "/health"), ("PUT", "/v1/uploads/{ticket}")}
    assert api_routes(stage) <= served


def test_a_question_over_its_length_is_refused_before_anything_runs(stage: Templates) -> None:
    (model,) = stage.of("AWS::ApiGateway::Model").values()
    assert model["Schema"]["properties"]["text"]["maxLength"] == 4000
    (checked,) = [one for one in stage.of("AWS::ApiGateway::Method").values() if "RequestValidatorId" in one]
    assert checked["RequestModels"]["application/json"]["Ref"].startswith("ApiQuestion")


def test_the_access_log_names_no_person(stage: Templates) -> None:
    (deployed,) = stage.of("AWS::ApiGateway::Stage").values()
    format_ = deployed["AccessLogSetting"]["Format"]
    assert "$context.status" in format_
    assert not re.search(
        r"identity|authorizer|path\b(?<!resourcePath)|queryString|body", format_.replace("resourcePath", "")
    )
    assert deployed["TracingEnabled"] is True
    assert all(setting["DataTraceEnabled"] is False for setting in deployed["MethodSettings"])


def test_bodies_that_are_no_text_arrive_as_they_were_sent_and_too_large_ones_are_told_where_to_go(
    stage: Templates,
) -> None:
    (api,) = stage.of("AWS::ApiGateway::RestApi").values()
    assert set(api["BinaryMediaTypes"]) == {"multipart/form-data", "application/octet-stream", WORKBOOK}
    (response,) = stage.of("AWS::ApiGateway::GatewayResponse").values()
    assert (response["ResponseType"], response["StatusCode"]) == ("REQUEST_TOO_LARGE", "413")
    told = json.loads(response["ResponseTemplates"]["application/json"])
    assert "POST /v1/documents/uploads" in told["message"]
    assert int(functions(stage)["admin"]["Environment"]["Variables"]["CARELINE_MAX_DIRECT_UPLOAD_BYTES"]) < 4_600_000


def test_a_firewall_stands_in_front_of_the_api(watched_stage: Templates) -> None:
    (acl,) = watched_stage.of("AWS::WAFv2::WebACL").values()
    assert {rule["Name"] for rule in acl["Rules"]} == {
        "reputation", "rate", "rate-of-viewers", "too-large", "common", "bodies"
    }
    assert not any(rule["VisibilityConfig"]["SampledRequestsEnabled"] for rule in acl["Rules"])
    assert len(watched_stage.of("AWS::WAFv2::WebACLAssociation")) == 1


def test_development_has_no_firewall_and_tells_nobody_who_asks(dev: Templates) -> None:
    for kind in ("WAFv2::WebACL", "WAFv2::WebACLAssociation", "WAFv2::LoggingConfiguration", "CloudFront::Function"):
        assert dev.of(f"AWS::{kind}") == {}
    (console,) = dev.of("AWS::CloudFront::Distribution").values()
    assert not any("OriginCustomHeaders" in one for one in console["DistributionConfig"]["Origins"])


def test_an_upload_starts_the_ingestion_and_what_the_stages_write_does_not(stage: Templates) -> None:
    from moto.events.models import EventPattern

    (rule,) = [one for one in stage.of("AWS::Events::Rule").values() if "EventPattern" in one]
    pattern = rule["EventPattern"]
    event = json.loads((EVENTS / "s3_object_created.json").read_text())
    pattern["detail"]["bucket"]["name"] = [event["detail"]["bucket"]["name"]]
    matching = EventPattern.load(json.dumps(pattern))
    assert matching.matches_event(event)
    event["detail"]["object"]["key"] = "documents/sint-anna/brochure-1/000001-abc/pages.json"
    assert not matching.matches_event(event)
    (files,) = [bucket for name, bucket in stage.of("AWS::S3::Bucket").items() if name.startswith("Files")]
    assert files["NotificationConfiguration"] == {"EventBridgeConfiguration": {"EventBridgeEnabled": True}}
    assert files["VersioningConfiguration"] == {"Status": "Enabled"}
