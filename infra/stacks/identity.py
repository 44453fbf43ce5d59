"""Who people are: the user pool that they log in to, and the roles of those who bring documents."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_cognito as cognito
from constructs import Construct

from careline.settings import AccessSettings
from infra.constructs.access.uploaders import TENANT_TAG, Uploader
from infra.constructs.kept import kept
from infra.constructs.reviewed import reviewed, reviewed_wildcard
from infra.settings import LoginProvider, StageSettings
from infra.stacks.data import OBJECT_KEYS, UPLOADS, DataStack

CUSTOM = "custom:"
"""How Cognito begins the claim of an attribute that is not one of its own."""
ROLE, TENANT = (
    str(AccessSettings.model_fields[field].default).removeprefix(CUSTOM) for field in ("role_claim", "tenant_claim")
)
"""Names of the two attributes; `careline.access.claims` reads them as the claims of the settings' defaults."""
TOKEN_MINUTES, LOGIN_HOURS = 15, 8
"""How long a token holds, which the gateway believes until it ends, and how long a login lasts without a new one."""


class IdentityStack(cdk.Stack):
    """An administrator of the account makes people and says what each is; nobody signs up or changes that."""

    def __init__(
        self, scope: Construct, construct_id: str, settings: StageSettings, data: DataStack, **more: Any
    ) -> None:
        super().__init__(scope, construct_id, **more)
        self._settings = settings
        self.pool = self._make_pool()
        self.domain = self.pool.add_domain(
            "Domain",
            cognito_domain=cognito.CognitoDomainOptions(domain_prefix=f"{settings.prefix}-{settings.account}"),
            managed_login_version=cognito.ManagedLoginVersion.NEWER_MANAGED_LOGIN,
        )
        self.provider = self._federate(settings.login_provider) if settings.login_provider else None
        for tenant, trusted in settings.uploaders:
            self._let_upload(tenant, trusted, data)
        cdk.CfnOutput(self, "UserPoolId", value=self.pool.user_pool_id)

    @property
    def login_url(self) -> str:
        """Where people log in; a text without references, as the console's page policy needs it."""
        return f"https://{self._settings.prefix}-{self._settings.account}.auth.{self._settings.region}.amazoncognito.com"

    def add_client(self, scope: Construct, address: str) -> cognito.UserPoolClient:
        """The console as the pool knows it: a public client without a secret, which shows a code and its proof (PKCE).

        It has neither the scope nor the ways in by which a token changes its holder's own attributes: beside the
        managed login there is but the one that asks for an administrator's IAM rights. A client that names none would
        have Cognito's usual ones, with a password of whoever has it.
        """
        client = cognito.UserPoolClient(
            scope,
            "Login",
            user_pool=self.pool,
            generate_secret=False,
            auth_flows=cognito.AuthFlow(admin_user_password=True),
            o_auth=cognito.OAuthSettings(
                flows=cognito.OAuthFlows(authorization_code_grant=True),
                scopes=[cognito.OAuthScope.OPENID, cognito.OAuthScope.EMAIL, cognito.OAuthScope.PROFILE],
                callback_urls=[address],
                logout_urls=[address],
            ),
            supported_identity_providers=[self._provider()],
            prevent_user_existence_errors=True,
            enable_token_revocation=True,
            id_token_validity=cdk.Duration.minutes(TOKEN_MINUTES),
            access_token_validity=cdk.Duration.minutes(TOKEN_MINUTES),
            refresh_token_validity=cdk.Duration.hours(LOGIN_HOURS),
            refresh_token_rotation_grace_period=cdk.Duration.seconds(30),
            read_attributes=cognito.ClientAttributes()
            .with_standard_attributes(email=True, fullname=True)
            .with_custom_attributes(ROLE, TENANT),
            write_attributes=self._writable(),
        )
        if self.provider is not None:
            client.node.add_dependency(self.provider)
        cognito.CfnManagedLoginBranding(
            scope,
            "LoginPage",
            user_pool_id=self.pool.user_pool_id,
            client_id=client.user_pool_client_id,
            use_cognito_provided_values=True,
        )
        return client

    def _provider(self) -> cognito.UserPoolClientIdentityProvider:
        """Where the people of the stage are: at the hospital's own provider, and then nowhere beside it."""
        if self._settings.login_provider:
            return cognito.UserPoolClientIdentityProvider.custom(self._settings.login_provider.name)
        return cognito.UserPoolClientIdentityProvider.COGNITO

    def _writable(self) -> cognito.ClientAttributes:
        """What is written through the client. Cognito refuses a login through a provider unless the client may write
        what the provider says of a person; then, too, no token of this client has the scope to write anything."""
        written = cognito.ClientAttributes().with_standard_attributes(email=True, fullname=True)
        return written.with_custom_attributes(ROLE, TENANT) if self._settings.login_provider else written

    def _make_pool(self) -> cognito.UserPool:
        settings = self._settings
        full = cognito.StandardThreatProtectionMode.FULL_FUNCTION
        pool = cognito.UserPool(
            self,
            "People",
            user_pool_name=settings.prefix,
            feature_plan=cognito.FeaturePlan.PLUS if settings.threat_protection else cognito.FeaturePlan.ESSENTIALS,
            standard_threat_protection_mode=full if settings.threat_protection else None,
            self_sign_up_enabled=False,
            sign_in_aliases=cognito.SignInAliases(email=True),
            sign_in_case_sensitive=False,
            auto_verify=cognito.AutoVerifiedAttrs(email=True),
            account_recovery=cognito.AccountRecovery.EMAIL_ONLY,
            mfa=cognito.Mfa.REQUIRED,
            mfa_second_factor=cognito.MfaSecondFactor(sms=False, otp=True),
            password_policy=cognito.PasswordPolicy(
                min_length=14,
                require_lowercase=True,
                require_uppercase=True,
                require_digits=True,
                require_symbols=True,
                temp_password_validity=cdk.Duration.days(3),
            ),
            # Changeable, as people change hospitals and a provider's word is written anew at each login.
            custom_attributes={
                ROLE: cognito.StringAttribute(min_len=4, max_len=16, mutable=True),
                TENANT: cognito.StringAttribute(min_len=1, max_len=64, mutable=True),
            },
            deletion_protection=settings.keep_data,
            removal_policy=kept(settings),
        )
        if not settings.threat_protection:
            reviewed(pool, COG8="The plan Plus is paid by the person; production has it, development holds no patient.")
        return pool

    def _federate(self, provider: LoginProvider) -> cognito.UserPoolIdentityProviderOidc:
        """The hospital's own provider says who people are and what they may; the pool signs it, so that the gateway
        trusts one issuer whoever logs in."""
        secret = cdk.SecretValue.secrets_manager(provider.secret_name)
        of = cognito.ProviderAttribute.other
        return cognito.UserPoolIdentityProviderOidc(
            self,
            "Provider",
            user_pool=self.pool,
            name=provider.name,
            issuer_url=provider.issuer,
            client_id=provider.client_id,
            client_secret=secret.unsafe_unwrap(),
            scopes=["openid", "email", "profile"],
            attribute_request_method=cognito.OidcAttributeRequestMethod.GET,
            attribute_mapping=cognito.AttributeMapping(
                email=of("email"),
                custom={
                    f"{CUSTOM}{ROLE}": of(provider.role_claim),
                    f"{CUSTOM}{TENANT}": of(provider.tenant_claim),
                },
            ),
        )

    def _let_upload(self, tenant: str, trusted: str, data: DataStack) -> None:
        made = Uploader(
            self,
            f"Uploader-{tenant}",
            name=self._settings.prefix,
            tenant=tenant,
            trusted=trusted,
            uploads_arn=f"{data.bucket.bucket_arn}/{UPLOADS}",
            key_arn=data.key.key_arn,
        )
        cdk.Tags.of(made.role).add(TENANT_TAG, tenant)
        reviewed_wildcard(made.role, f"Resource::{data.named_bucket()}/{UPLOADS}{tenant}/*", OBJECT_KEYS)
