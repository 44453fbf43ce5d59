"""The console: its files in a bucket that CloudFront alone reads, the API under the same name, and its login."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_certificatemanager as certificates
from aws_cdk import aws_cloudfront as cloudfront
from aws_cdk import aws_cloudfront_origins as origins
from aws_cdk import aws_s3 as s3
from constructs import Construct

from careline.web.browser_policy import content_security_policy
from infra.constructs.firewall import EDGE_HEADER, VIEWER_HEADER
from infra.constructs.kept import kept
from infra.constructs.reviewed import reviewed
from infra.settings import StageSettings
from infra.stacks.api import ApiStack
from infra.stacks.identity import IdentityStack

API_PATHS = ("/v1/*", "/openapi.json")
"""What the API answers; everything else is a file. `/health` is the functions' own and no route of the gateway."""
SILENCE_SECONDS = 60
"""The longest that CloudFront waits for the next byte of an answer without a quota of its own."""
HSTS_DAYS = 730


class ConsoleStack(cdk.Stack):
    """One name for page and API, so that no request crosses origins but those of the login itself."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: StageSettings,
        identity: IdentityStack,
        api: ApiStack,
        files: str,
        **more: Any,
    ) -> None:
        """`files` is the origin of the bucket that large files are put into."""
        super().__init__(scope, construct_id, **more)
        self._settings, self._files = settings, files
        self.bucket = self._make_bucket()
        self.distribution = self._make_distribution(identity, api)
        name = settings.console_domain or self.distribution.distribution_domain_name
        client = identity.add_client(self, f"https://{name}/")
        login = {"kind": "oidc", "address": identity.login_url, "client_id": client.user_pool_client_id}
        outputs = {
            "ConsoleUrl": f"https://{name}/",
            "ConsoleBucket": self.bucket.bucket_name,
            "DistributionId": self.distribution.distribution_id,
            # The content of login.json, which takes the place of the laptop's in the bucket.
            "ConsoleLogin": self.to_json_string(login),
            "LoginClientId": client.user_pool_client_id,
        }
        for output, value in outputs.items():
            cdk.CfnOutput(self, output, value=value)

    def _make_bucket(self) -> s3.Bucket:
        bucket = s3.Bucket(
            self,
            "Console",
            encryption=s3.BucketEncryption.S3_MANAGED,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            versioned=True,
            removal_policy=kept(self._settings),
            lifecycle_rules=[s3.LifecycleRule(noncurrent_version_expiration=cdk.Duration.days(30))],
        )
        reviewed(bucket, S1="Its files are the same for everybody and hold nothing; who changes them is in CloudTrail.")
        return bucket

    def _make_distribution(self, identity: IdentityStack, api: ApiStack) -> cloudfront.Distribution:
        settings, headers = self._settings, self._make_headers(identity)
        files = cloudfront.BehaviorOptions(
            origin=origins.S3BucketOrigin.with_origin_access_control(self.bucket),
            viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
            response_headers_policy=headers,
        )
        distribution = cloudfront.Distribution(
            self,
            "Distribution",
            comment=f"{settings.prefix} console",
            default_root_object="index.html",
            price_class=cloudfront.PriceClass.PRICE_CLASS_100,
            http_version=cloudfront.HttpVersion.HTTP2_AND_3,
            minimum_protocol_version=cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
            default_behavior=files,
            additional_behaviors=dict.fromkeys(API_PATHS, self._answers(api, headers)),
            **self._named(),
        )
        reviewed(
            distribution,
            CFR1="Staff travel; what keeps others out is the login, not the country.",
            CFR2="The firewall stands in front of the API; what else is served is files that hold nothing.",
            CFR3="CloudFront's log cannot leave out addresses and paths, and a path may hold a telephone number; the "
            "gateway's access log has every request to the API without either.",
        )
        if settings.console_certificate is None:
            reviewed(distribution, CFR4="CloudFront's own name allows TLS 1.0; `console_domain` of a stage ends that.")
        return distribution

    def _answers(self, api: ApiStack, headers: cloudfront.ResponseHeadersPolicy) -> cloudfront.BehaviorOptions:
        """The host is the gateway's, all else the viewer's: with it the token, which no policy names by itself."""
        return cloudfront.BehaviorOptions(
            origin=origins.RestApiOrigin(
                api.api,
                read_timeout=cdk.Duration.seconds(SILENCE_SECONDS),
                custom_headers={EDGE_HEADER: api.edge} if api.edge else None,
            ),
            function_associations=[self._tell_viewer()] if api.edge else None,
            allowed_methods=cloudfront.AllowedMethods.ALLOW_ALL,
            viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
            response_headers_policy=headers,
            cache_policy=cloudfront.CachePolicy.CACHING_DISABLED,
            origin_request_policy=cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
            # Compressing would hold an answer back that is streamed.
            compress=False,
        )

    def _tell_viewer(self) -> cloudfront.FunctionAssociation:
        """Write down who asks, for the firewall behind, in place of what the client says of itself."""
        function = cloudfront.Function(
            self,
            "Viewer",
            runtime=cloudfront.FunctionRuntime.JS_2_0,
            code=cloudfront.FunctionCode.from_inline(
                "function handler(event) {\n"
                "  const request = event.request;\n"
                f"  request.headers['{VIEWER_HEADER}'] = {{ value: event.viewer.ip }};\n"
                "  return request;\n"
                "}\n"
            ),
        )
        return cloudfront.FunctionAssociation(
            function=function, event_type=cloudfront.FunctionEventType.VIEWER_REQUEST
        )

    def _named(self) -> dict[str, Any]:
        domain, certificate = self._settings.console_domain, self._settings.console_certificate
        if domain is None or certificate is None:
            return {}
        found = certificates.Certificate.from_certificate_arn(self, "Certificate", certificate)
        return {"domain_names": [domain], "certificate": found}

    def _make_headers(self, identity: IdentityStack) -> cloudfront.ResponseHeadersPolicy:
        return cloudfront.ResponseHeadersPolicy(
            self,
            "Headers",
            response_headers_policy_name=f"{self._settings.prefix}-console",
            security_headers_behavior=cloudfront.ResponseSecurityHeadersBehavior(
                content_security_policy=cloudfront.ResponseHeadersContentSecurityPolicy(
                    content_security_policy=content_security_policy([identity.login_url, self._files]), override=True
                ),
                content_type_options=cloudfront.ResponseHeadersContentTypeOptions(override=True),
                frame_options=cloudfront.ResponseHeadersFrameOptions(
                    frame_option=cloudfront.HeadersFrameOption.DENY, override=True
                ),
                referrer_policy=cloudfront.ResponseHeadersReferrerPolicy(
                    referrer_policy=cloudfront.HeadersReferrerPolicy.NO_REFERRER, override=True
                ),
                strict_transport_security=cloudfront.ResponseHeadersStrictTransportSecurity(
                    access_control_max_age=cdk.Duration.days(HSTS_DAYS), include_subdomains=True, override=True
                ),
            ),
            custom_headers_behavior=cloudfront.ResponseCustomHeadersBehavior(
                custom_headers=[
                    cloudfront.ResponseCustomHeader(
                        header="permissions-policy", value="camera=(), geolocation=(), microphone=()", override=True
                    )
                ]
            ),
        )
