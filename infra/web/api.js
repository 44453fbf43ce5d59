/** Talks to the Careline API and turns everything that is not a success into a `Refusal` holding problem details. */

import { say } from "./words.js";

const root = document.querySelector('meta[name="careline-api"]').content.replace(/\/$/, "");
const CSRF_HEADER = "x-csrf-token";
let csrf = null;
let tokens = null;
let known = Promise.resolve();
let looked = Promise.resolve();
let unauthorised = () => {};

/** Send this token with every change from now on; null for none. */
export const setCsrf = (token) => (csrf = token);

/** Let requests wait until it is known how people log in here, and a login that has begun is over. */
export const waitUntil = (promise) => (known = promise.catch(() => {}));

/** Let changes wait until the server has said who is here, which is also what a change must show. */
export const waitToChange = (promise) => (looked = promise.catch(() => {}));

/** Send what `source()` resolves to as a bearer token with every request from now on. */
export const setTokens = (source) => (tokens = source);

/** True where a token opens the API, and not the session's cookie. */
export const isTokenSent = () => tokens !== null;

/** Call `listener` when the server answers that nobody is logged in. */
export const onUnauthorised = (listener) => (unauthorised = listener);

/** The headers that a change needs. */
export async function changeHeaders() {
  await looked;
  return csrf ? { [CSRF_HEADER]: csrf } : {};
}

/** The header that says who asks; none where the cookie does. Raises: Refusal when nobody is logged in. */
export async function authorization() {
  await known;
  if (!tokens) return {};
  const token = await tokens().catch(() => {
    throw new Refusal(offline());
  });
  if (token) return { Authorization: `Bearer ${token}` };
  unauthorised();
  throw new Refusal(unreadable(401));
}

/** An address beside the API: of the login, the logout, and what the server says of itself. */
export const loginAddress = (name) => `${root.replace(/\/v1$/, "")}/${name}`;

/** What the server says of itself: `status` and `parts`; nothing where it is not reached or has no such address. */
export async function health() {
  try {
    const response = await fetch(loginAddress("health"));
    return response.ok ? await response.json() : {};
  } catch {
    return {};
  }
}

/** What the server describes of its API (OpenAPI). Raises: Refusal. */
export async function description() {
  const response = await send(loginAddress("openapi.json"), {});
  if (!response.ok) throw new Refusal(readProblem(await response.text().catch(() => ""), response.status));
  return response.json();
}

/** A request that did not succeed; `problem` has the members of the wire's problem details. */
export class Refusal extends Error {
  constructor(problem) {
    super(problem.message ?? problem.detail ?? problem.title);
    this.problem = problem;
  }
}

/** The address of an API path; each segment of `path` is escaped, `query` leaves out empty values. */
export function address(path, query = {}) {
  const filled = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(filled).toString();
  return `${root}/${path.map(encodeURIComponent).join("/")}${search ? `?${search}` : ""}`;
}

/** Send a request; the response is a success. Raises: Refusal; an AbortError passes through. */
export async function request(path, { query, ...options } = {}) {
  const headers = { ...options.headers, ...(options.method ? await changeHeaders() : {}), ...(await authorization()) };
  const response = await send(address(path, query), { ...options, headers });
  if (!response.ok) throw new Refusal(problemOf(await response.text().catch(() => ""), response.status));
  return response;
}

/** Send JSON to an address outside of the API; a 401 is the answer and nothing that asks for a login. Raises: Refusal. */
export async function post(where, body) {
  const headers = { "Content-Type": "application/json", ...(await changeHeaders()) };
  const response = await send(where, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Refusal(readProblem(await response.text().catch(() => ""), response.status));
}

async function send(where, options) {
  try {
    return await fetch(where, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(offline());
  }
}

/** The problem of a response; when it is that nobody is logged in, the page asks for a login. */
export function problemOf(body, status) {
  if (status === 401) unauthorised();
  return readProblem(body, status);
}

/** The JSON a request is answered with. Raises: Refusal. */
export async function json(path, options) {
  const response = await request(path, options);
  if (response.status === 204) return {};
  try {
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(unreadable(response.status));
  }
}

/** Problem details from a response's body; a body that is no problem document still gives a usable problem. */
export function readProblem(body, status) {
  try {
    const problem = JSON.parse(body);
    if (problem && typeof problem === "object" && (problem.message || problem.detail || problem.title)) return problem;
  } catch {
    // A gateway's HTML error page ends here.
  }
  return unreadable(status);
}

/** The problem of a server that cannot be reached. */
export const offline = () => ({ status: 0, message: say("problem_offline") });

const unreadable = (status) => ({ status, message: say("problem_unreadable", { status }) });
