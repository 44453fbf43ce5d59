/** Shows a problem the way a person can act on it: what happened, the trace id to quote, and a way to try again. */

import { el, icon } from "./element.js";

/** A node for problem details; `again` is called by its button when given. */
export function problemNode(problem, again = null) {
  return el(
    "div.problem",
    { test: "problem" },
    icon("warning"),
    el(
      "div.problem-body",
      {},
      el("p.problem-message", {}, problem.message ?? problem.detail ?? problem.title),
      problem.fallback_response ? el("p", {}, problem.fallback_response) : null,
      problem.retry_after ? el("p.faint", { words: ["problem_wait", { n: problem.retry_after }] }) : null,
      problem.trace_id ? traceNode(problem.trace_id, problem.error_code) : null,
      again ? againButton(again) : null,
    ),
  );
}

/** The button that offers another try. */
export function againButton(again) {
  return el("button.small", { on: { click: again } }, icon("again"), el("span", { words: "again" }));
}

/** A button that copies a text and says so. */
export function copyButton(text) {
  const said = el("span", { words: "copy" });
  const copied = async () => {
    await navigator.clipboard.writeText(text);
    said.textContent = "";
    said.replaceWith(el("span", { words: "copied", role: "status" }));
  };
  const button = el("button.small.quiet", { on: { click: () => copied().catch(() => {}) } }, icon("copy"), said);
  return navigator.clipboard ? button : null;
}

function traceNode(trace, code) {
  return el(
    "p.faint",
    {},
    el("span", { words: "trace" }),
    " ",
    el("code", {}, trace),
    code ? el("span.code", {}, ` · ${code}`) : null,
  );
}
