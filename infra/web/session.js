/** Who is logged in: asks for a token when the server wants one, and says what the page's reader may do. */

import { json, loginAddress, onUnauthorised, post, Refusal, setCsrf } from "./api.js";
import { el } from "./element.js";
import { problemNode } from "./problem.js";
import { say } from "./words.js";

const ROLES = ["caller", "user", "manager", "admin", "owner"];
const listeners = new Set();
// Until the server has said who is here, nothing is hidden; the server refuses what may not be done.
let held = { role: "owner", csrf: null };

/** True when the role of whoever is logged in is this one or a higher one. */
export const may = (least) => ROLES.indexOf(held.role) >= ROLES.indexOf(least);

/** Call `listener(session)` when somebody has logged in, and once when the server has said who is here. */
export function onSession(listener) {
  listeners.add(listener);
}

/** Find out who is here. `dialog` asks for a token whenever the server answers that nobody is. */
export async function startSession(dialog, leave) {
  const form = loginForm(dialog);
  onUnauthorised(() => form.show());
  leave.addEventListener("click", logOut);
  await look();
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
  held = session;
  setCsrf(session.csrf);
  for (const listener of listeners) listener(session);
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
    const problem = await logIn(token.value.trim());
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
