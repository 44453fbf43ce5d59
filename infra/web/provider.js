/**
 * Logs in at an OpenID provider: authorization code with a proof of possession (PKCE, RFC 7636) and no secret.
 *
 * The token that opens the API is held by this page alone. The one that renews it is in the tab's own storage, so that a
 * reload asks nobody, and ends with the tab.
 */

const RENEW = "careline.renew";
const BEGUN = "careline.begun";
/** Milliseconds before its end from which a token is renewed: clocks differ, and a request takes its time. */
const EARLY = 60_000;
const SCOPE = "openid email profile";

/** The login did not come about; `reason` is the provider's code, and no text for people. */
export class LoginFailed extends Error {
  constructor(reason) {
    super(`login failed: ${reason}`);
    this.reason = reason;
  }
}

/** A provider at `address` that knows this page as `client_id`; it sends people back to where the page is. */
export function provider({ address, client_id: client }) {
  const home = new URL(".", location.href).href;
  let held = null;
  let renewing = null;

  /** A token that holds, renewed where it must be; null where somebody must log in. */
  async function token() {
    if (held && held.until - EARLY > Date.now()) return held.token;
    renewing ??= renew().finally(() => (renewing = null));
    await renewing;
    return held?.token ?? null;
  }

  async function renew() {
    held = null;
    const kept = sessionStorage.getItem(RENEW);
    if (!kept) return;
    try {
      hold(await ask({ grant_type: "refresh_token", refresh_token: kept }));
    } catch (error) {
      // A provider that is not reached may be the next time; what it refuses, it refuses for good.
      if (!(error instanceof LoginFailed)) throw error;
      sessionStorage.removeItem(RENEW);
    }
  }

  /** Go to the provider's own page, which asks who is there. */
  async function begin() {
    const begun = { state: random(), nonce: random(), verifier: random() };
    sessionStorage.setItem(BEGUN, JSON.stringify(begun));
    const asked = {
      response_type: "code",
      client_id: client,
      redirect_uri: home,
      scope: SCOPE,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge_method: "S256",
      code_challenge: await challenge(begun.verifier),
    };
    location.assign(`${address}/oauth2/authorize?${new URLSearchParams(asked)}`);
  }

  /** Take up what the provider sent back in the page's address. Raises: LoginFailed. */
  async function finish() {
    const told = new URLSearchParams(location.search);
    const [code, state, refused] = ["code", "state", "error"].map((name) => told.get(name));
    if (!state || (!code && !refused)) return;
    const begun = JSON.parse(sessionStorage.getItem(BEGUN) ?? "null");
    sessionStorage.removeItem(BEGUN);
    // Neither a reload nor the history may hold the code.
    history.replaceState(null, "", home);
    if (refused) throw new LoginFailed(refused);
    if (!begun || begun.state !== state) throw new LoginFailed("state");
    const answer = await ask({ grant_type: "authorization_code", code, redirect_uri: home, code_verifier: begun.verifier });
    if (claims(answer.id_token).nonce !== begun.nonce) throw new LoginFailed("nonce");
    hold(answer);
  }

  /** End the login here and at the provider. */
  async function leave() {
    const kept = sessionStorage.getItem(RENEW);
    held = null;
    sessionStorage.removeItem(RENEW);
    // The page is left whether or not the provider answers; a token that nobody holds does no harm.
    if (kept) await post("revoke", { token: kept }).catch(() => {});
    location.assign(`${address}/logout?${new URLSearchParams({ client_id: client, logout_uri: home })}`);
  }

  function hold(answer) {
    held = { token: answer.id_token, until: claims(answer.id_token).exp * 1000 };
    if (answer.refresh_token) sessionStorage.setItem(RENEW, answer.refresh_token);
  }

  async function ask(fields) {
    const response = await post("token", fields);
    if (response.status === 429 || response.status >= 500) throw new Error(`the provider answers ${response.status}`);
    const answer = await response.json().catch(() => ({}));
    if (!response.ok || !answer.id_token) throw new LoginFailed(answer.error ?? String(response.status));
    return answer;
  }

  const post = (name, fields) =>
    fetch(`${address}/oauth2/${name}`, { method: "POST", body: new URLSearchParams({ client_id: client, ...fields }) });

  return { token, begin, finish, leave };
}

/** What a token says. It is not verified here: it came from the provider itself, and the gateway verifies it. */
function claims(token) {
  try {
    const bytes = Uint8Array.from(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new LoginFailed("token");
  }
}

const random = () => encoded(crypto.getRandomValues(new Uint8Array(32)));

const challenge = async (verifier) =>
  encoded(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));

const encoded = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
