/** Who is logged in: asks for a login when the server wants one, and says what the page's reader may do. */

import { json, loginAddress, onUnauthorised, post, Refusal, setCsrf, setTokens, waitToChange, waitUntil } from "./api.js";
import { keepConversation } from "./conversations/kept.js";
import { el } from "./element.js";
import { problemNode } from "./problem.js";
import { LoginFailed, provider } from "./provider.js";
import { say } from "./words.js";

const ROLES = ["caller", "user", "manager", "admin", "owner"];
const listeners = new Set();
// Until the server has said who is here, nothing is hidden; the server refuses what may not be done.
let held = { role: "owner", csrf: null };
let atProvider = false;

/** True when the role of whoever is logged in is this one or a higher one. */
export const may = (least) => ROLES.indexOf(held.role) >= ROLES.indexOf(least);

/** Call `listener(session)` when somebody has logged in, and once when the server has said who is here. */
export function onSession(listener) {
  listeners.add(listener);
}

/** Find out who is here. `dialog` asks for a login whenever the server answers that nobody is. */
export async function startSession(dialog, leave) {
  const begun = begin(dialog, leave);
  waitUntil(begun);
  const looked = begun.then((somebody) => somebody && look());
  waitToChange(looked);
  await looked;
}

/** Prepare the login; true when somebody may be there. */
async function begin(dialog, leave) {
  const way = await wayIn();
  if (way === null) return unreached(dialog);
  if (way.kind === "oidc") return beginAtProvider(dialog, leave, provider(way));
  const form = loginForm(dialog);
  onUnauthorised(() => form.show());
  leave.addEventListener("click", () => {
    keepConversation(null);
    logOut();
  });
  return true;
}

/**
 * How people log in where the page came from: `session`, by a token and a cookie, or `oidc`, at a provider; null where
 * that cannot be told now. A server without the file is one of tokens.
 */
async function wayIn() {
  try {
    const response = await fetch("login.json");
    if (response.status === 404) return { kind: "session" };
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Say that it is not known how people log in, and offer another try; false, as nobody is there. */
function unreached(dialog) {
  const trouble = el("div", { role: "alert", test: "login-trouble" });
  trouble.append(problemNode({ message: say("problem_offline") }, () => location.reload()));
  dialog.replaceChildren(el("h2", { words: "log_in", id: "login-title" }), trouble);
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.showModal();
  return false;
}

async function beginAtProvider(dialog, leave, login) {
  const form = providerForm(dialog, login);
  atProvider = true;
  setTokens(login.token);
  onUnauthorised(() => form.show());
  leave.addEventListener("click", () => {
    keepConversation(null);
    login.leave();
  });
  try {
    await login.finish();
  } catch (error) {
    form.show(error instanceof LoginFailed ? "login_failed" : "problem_offline");
    return false;
  }
  return true;
}

/** True when the server has said who is here. */
async function look() {
  try {
    become(await json(["session"]));
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
}

function become(session) {
  // What is on the page is not for another person, nor may they go on with its conversation.
  if (held.subject && held.subject !== session.subject) location.reload();
  held = { ...session, isLoggedIn: atProvider || session.csrf !== null };
  setCsrf(session.csrf);
  for (const listener of listeners) listener(held);
}

async function logOut() {
  await post(loginAddress("logout"), {}).catch(() => {});
  location.assign(new URL(".", location.href));
}

function loginForm(dialog) {
  const token = el("input", {
    type: "password",
    name: "token",
    autocomplete: "current-password",
    required: true,
    maxlength: "200",
    spellcheck: "false",
    test: "login-token",
    "aria-describedby": "login-note",
  });
  const trouble = el("div", { role: "alert", test: "login-trouble" });
  const enter = el("button.primary", { test: "login-enter" }, el("span", { words: "log_in" }));
  enter.type = "submit";
  // Without its script the form would still send the token in the body and never in an address.
  const form = el(
    "form",
    { method: "post", action: loginAddress("login") },
    el("h2", { words: "log_in", id: "login-title" }),
    el("label.login-field", {}, el("span", { words: "login_token" }), token),
    el("p.faint", { words: "login_note", id: "login-note" }),
    trouble,
    el("p.buttons", {}, enter),
  );
  dialog.replaceChildren(form);
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    enter.disabled = true;
    const problem = await logIn(token.value.trim()).catch((error) => {
      // Whatever broke, the reader hears that they are not in, and may try again.
      console.error(error);
      return { message: say("login_failed") };
    });
    enter.disabled = false;
    trouble.replaceChildren(...(problem ? [problemNode(problem)] : []));
    if (problem) {
      token.select();
      token.focus();
      return;
    }
    token.value = "";
    dialog.close();
  });
  return {
    show() {
      if (dialog.open) return;
      trouble.replaceChildren();
      dialog.showModal();
      token.focus();
    },
  };
}

/** The dialog that leads to the provider's own page, and what went wrong there the last time. */
function providerForm(dialog, login) {
  const trouble = el("div", { role: "alert", test: "login-trouble" });
  const enter = el("button.primary", { test: "login-enter", on: { click: go } }, el("span", { words: "log_in" }));
  dialog.replaceChildren(
    el("h2", { words: "log_in", id: "login-title" }),
    el("p.faint", { words: "login_elsewhere" }),
    trouble,
    el("p.buttons", {}, enter),
  );
  dialog.addEventListener("cancel", (event) => event.preventDefault());

  async function go() {
    enter.disabled = true;
    trouble.replaceChildren();
    try {
      await login.begin();
    } catch {
      // A browser without storage, or a page over http, which has no means to prove who began.
      trouble.replaceChildren(problemNode({ message: say("login_failed") }));
    }
    // Also when the page is being left: a reader who comes back by the browser's button finds it as it was.
    enter.disabled = false;
  }

  return {
    show(words = null) {
      if (dialog.open) return;
      trouble.replaceChildren(...(words ? [problemNode({ message: say(words) })] : []));
      dialog.showModal();
      enter.focus();
    },
  };
}

/** Log in; null, or the problem in the reader's words. */
async function logIn(token) {
  try {
    await post(loginAddress("login"), { token });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { problem } = error;
    const words = { 401: "login_wrong", 413: "login_wrong", 429: "login_too_many" }[problem.status];
    return words ? { message: say(words), retry_after: problem.retry_after } : problem;
  }
  return (await look()) ? null : { message: say("login_not_kept") };
}
