"""What the firewall's rules let through, as far as that can be told without AWS.

Our own rules are evaluated as they stand in the template, statement by statement. What a group of AWS's rules finds is
not published: here each of its rules that looks at bodies is taken to find something in every file, which is the worst
that can be, and nothing in a question of plain words. Whether they do, and what WAF sees of a body beyond its first
16 KB, only an account can show.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from infra.constructs.firewall import BODY_RULES, LABELS, MAX_DIRECT_UPLOAD_BYTES, SIZE_RULE
from tests.infra.conftest import Templates

FORM = "multipart/form-data; boundary=x"
HTML = b"--x\r\n\r\n<html><script>document.cookie</script><a href='../../etc/passwd'>1</a></html>\r\n--x--"
PDF = b"--x\r\n\r\n%PDF-1.7\n\x00\xff' OR 1=1 -- http://169.254.169.254/latest\r\n--x--"
QUERY_RULES = ("CrossSiteScripting_QUERYARGUMENTS", "GenericLFI_QUERYARGUMENTS", "NoUserAgent_HEADER")
"""Of the same group, some that look elsewhere than at the body."""
ABSENT = "_none_"


@dataclass
class Request:
    """A request as WAF sees it; `found` are the rules of AWS's groups that find something in it."""

    method: str
    path: str
    body: bytes = b""
    kind: str = "application/json"
    found: tuple[str, ...] = ()
    labels: set[str] = field(default_factory=set)
    length: int | None = None

    def seen(self, part: Mapping[str, Any]) -> str:
        """The part of the request that a rule looks at."""
        headers = {"content-type": self.kind, "content-length": str(self.length or len(self.body))}
        (name,) = part
        if name == "SingleHeader":
            return headers.get(part[name]["Name"].lower(), "")
        return {"UriPath": self.path, "Method": self.method}[name]


def matches(statement: Mapping[str, Any], request: Request) -> bool:
    """Whether a statement of ours holds of a request. Raises: KeyError for one that nobody has taught it."""
    ((kind, told),) = statement.items()
    if kind == "AndStatement":
        return all(matches(one, request) for one in told["Statements"])
    if kind == "OrStatement":
        return any(matches(one, request) for one in told["Statements"])
    if kind == "NotStatement":
        return not matches(told["Statement"], request)
    if kind == "LabelMatchStatement":
        return told["Key"] in request.labels
    if kind == "RateBasedStatement":
        return False
    text = request.seen(told["FieldToMatch"])
    if [one["Type"] for one in told["TextTransformations"]] == ["LOWERCASE"]:
        text = text.lower()
    if kind == "RegexMatchStatement":
        return re.search(told["RegexString"], text) is not None
    wanted = told["SearchString"]
    how = {"ENDS_WITH": text.endswith, "STARTS_WITH": text.startswith, "EXACTLY": wanted.__eq__}
    return bool(how[told["PositionalConstraint"]](text if told["PositionalConstraint"] == "EXACTLY" else wanted))


def verdict(acl: Mapping[str, Any], request: Request) -> str:
    """The rule that blocks a request, or that it passes; rules in the order of their priority."""
    for rule in sorted(acl["Rules"], key=lambda one: one["Priority"]):
        group = rule["Statement"].get("ManagedRuleGroupStatement")
        if group is None:
            if matches(rule["Statement"], request):
                return str(rule["Name"])
            continue
        counted = {one["Name"] for one in group.get("RuleActionOverrides", ()) if "Count" in one["ActionToUse"]}
        if group["Name"] != "AWSManagedRulesCommonRuleSet":
            continue
        for name in request.found:
            request.labels.add(LABELS + name.replace("_BODY", "_Body"))
            if name not in counted:
                return f"{rule['Name']}/{name}"
    return "passes"


@pytest.fixture
def acl(watched_stage: Templates) -> Mapping[str, Any]:
    (found,) = watched_stage.of("AWS::WAFv2::WebACL").values()
    return found


WORST = (SIZE_RULE, *BODY_RULES)


@pytest.mark.parametrize("path", ["/dev/v1/documents", "/prod/v1/documents", "/v1/documents"])
@pytest.mark.parametrize("body", [HTML, PDF], ids=["html", "pdf"])
def test_a_page_and_a_pdf_get_through_whatever_is_found_in_them(
    acl: Mapping[str, Any], path: str, body: bytes
) -> None:
    assert verdict(acl, Request("POST", path, body, FORM, WORST)) == "passes"


def test_a_normal_question_gets_through_and_a_long_one_too(acl: Mapping[str, Any]) -> None:
    asked = b'{"text": "wat zijn de bezoekuren op de materniteit?"}'
    assert verdict(acl, Request("POST", "/prod/v1/query", asked)) == "passes"
    assert verdict(acl, Request("POST", "/prod/v1/query", asked * 200, found=(SIZE_RULE,))) == "passes"


@pytest.mark.parametrize("name", BODY_RULES)
@pytest.mark.parametrize(
    "request_",
    [
        Request("POST", "/prod/v1/query", HTML), Request("POST", "/prod/v1/documents/uploads", HTML),
        Request("POST", "/prod/v1/documents", HTML), Request("PUT", "/prod/v1/documents", HTML, FORM),
        Request("POST", "/prod/v1/documents/uploads/x/complete", HTML, FORM),
    ],
    ids=lambda one: f"{one.method} {one.path}",
)  # fmt: skip
def test_what_is_found_in_any_other_body_is_blocked(acl: Mapping[str, Any], name: str, request_: Request) -> None:
    asked = Request(request_.method, request_.path, request_.body, request_.kind, (name,))
    assert verdict(acl, asked) == "bodies"


@pytest.mark.parametrize("name", QUERY_RULES)
def test_an_uploads_address_and_headers_are_looked_at_as_any_others(acl: Mapping[str, Any], name: str) -> None:
    assert verdict(acl, Request("POST", "/prod/v1/documents", PDF, FORM, (name,))) == f"common/{name}"


@pytest.mark.parametrize(
    ("length", "wanted"),
    [
        (1, "passes"), (MAX_DIRECT_UPLOAD_BYTES + 65_536, "passes"), (4_599_999, "passes"), (4_600_000, "too-large"),
        (5_000_000, "too-large"), (9_999_999, "too-large"), (10_000_000, "too-large"), (40 * 1024 * 1024, "too-large"),
    ],
)  # fmt: skip
def test_an_upload_that_no_function_can_be_given_is_told_where_to_go(
    acl: Mapping[str, Any], length: int, wanted: str
) -> None:
    assert verdict(acl, Request("POST", "/prod/v1/documents", PDF, FORM, length=length)) == wanted
    told = acl["CustomResponseBodies"]["too-large"]["Content"]
    assert "POST /v1/documents/uploads" in told
    (rule,) = [one for one in acl["Rules"] if one["Name"] == "too-large"]
    assert rule["Action"]["Block"]["CustomResponse"]["ResponseCode"] == 413


def test_what_passes_fits_into_what_lambda_takes() -> None:
    """6 MB of request and answer each (Lambda quotas), of which the event around a body is some kilobytes."""
    assert 4_599_999 * 4 / 3 < 6 * 1024 * 1024 - 100_000


def test_addresses_that_attacked_others_are_blocked_and_the_rules_cost_no_more_than_is_included(
    acl: Mapping[str, Any],
) -> None:
    groups = {
        one["Statement"]["ManagedRuleGroupStatement"]["Name"]
        for one in acl["Rules"]
        if "ManagedRuleGroupStatement" in one["Statement"]
    }
    assert groups == {"AWSManagedRulesAmazonIpReputationList", "AWSManagedRulesCommonRuleSet"}
    assert len({one["Priority"] for one in acl["Rules"]}) == len(acl["Rules"])
