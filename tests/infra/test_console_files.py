"""After a deploy the console's files are where CloudFront serves them, with the stage's own login."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from infra.deployment.console_files import PAGE, empty, publish

LOGIN = '{"kind": "oidc", "address": "https://login.example", "client_id": "c"}'


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Any:
    boto3, moto = pytest.importorskip("boto3"), pytest.importorskip("moto")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with moto.mock_aws():
        yield boto3.Session(region_name="eu-west-1")


def outputs(session: Any, folder: Path) -> Path:
    where = {"LocationConstraint": "eu-west-1"}
    session.client("s3").create_bucket(Bucket="console", CreateBucketConfiguration=where)
    origin = {"Id": "s3", "DomainName": "console.s3.amazonaws.com", "S3OriginConfig": {"OriginAccessIdentity": ""}}
    made = session.client("cloudfront").create_distribution(
        DistributionConfig={
            "CallerReference": "1", "Comment": "", "Enabled": True, "Origins": {"Quantity": 1, "Items": [origin]},
            "DefaultCacheBehavior": {"TargetOriginId": "s3", "ViewerProtocolPolicy": "redirect-to-https"},
        }
    )  # fmt: skip
    said = {
        "careline-dev-api": {"ApiUrl": "https://api.example"},
        "careline-dev-console": {
            "ConsoleBucket": "console", "DistributionId": made["Distribution"]["Id"], "ConsoleLogin": LOGIN,
        },
    }  # fmt: skip
    written = folder / "outputs.json"
    written.write_text(json.dumps(said))
    return written


def test_every_file_is_there_with_its_kind_and_the_login_is_the_stages(session: Any, tmp_path: Path) -> None:
    written = outputs(session, tmp_path)
    s3 = session.client("s3")
    s3.put_object(Bucket="console", Key="gone.js", Body=b"old")
    count = publish(written, session)
    there = {one["Key"] for one in s3.list_objects_v2(Bucket="console")["Contents"]}
    assert there == {path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*") if path.is_file()}
    assert len(there) == count
    page, login = (s3.get_object(Bucket="console", Key=name) for name in ("index.html", "login.json"))
    assert (page["ContentType"], page["CacheControl"]) == ("text/html", "no-cache")
    assert (login["Body"].read().decode(), login["ContentType"]) == (LOGIN, "application/json")
    assert s3.head_object(Bucket="console", Key="words/nl.js")["CacheControl"] == "max-age=300"


def test_a_deploy_without_the_console_leaves_its_files_alone(session: Any, tmp_path: Path) -> None:
    written = tmp_path / "outputs.json"
    written.write_text(json.dumps({"careline-prod-phone-keys": {}}))
    assert publish(written, session) == 0


def test_the_bucket_is_emptied_of_every_version_before_it_goes(session: Any) -> None:
    s3 = session.client("s3")
    template = {
        "Resources": {"Bucket": {"Type": "AWS::S3::Bucket", "Properties": {
            "VersioningConfiguration": {"Status": "Enabled"}}}},
        "Outputs": {"ConsoleBucket": {"Value": {"Ref": "Bucket"}}},
    }  # fmt: skip
    formation = session.client("cloudformation")
    formation.create_stack(StackName="careline-dev-console", TemplateBody=json.dumps(template))
    (bucket,) = [one["Name"] for one in s3.list_buckets()["Buckets"]]
    for content in (b"old", b"new"):
        s3.put_object(Bucket=bucket, Key="index.html", Body=content)
    s3.delete_object(Bucket=bucket, Key="index.html")
    empty("careline-dev-console", session)
    found = s3.list_object_versions(Bucket=bucket)
    assert "Versions" not in found
    assert "DeleteMarkers" not in found
    empty("careline-dev-console", session)
    empty("careline-other-console", session)
