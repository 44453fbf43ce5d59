/** How one turn looks in the conversation: the question, the growing answer, and what can be done with it. */

import { asText } from "./conversations/export.js";
import { el, icon } from "./element.js";
import { isExplained } from "./explanations.js";
import { explainBadge, phiBadge } from "./personal.js";
import { againButton, problemNode } from "./problem.js";
import { renderInto, wholeMarkers } from "./render.js";
import { may } from "./session.js";
import { badge, kindOf } from "./verdict.js";
import { duration, word } from "./words.js";

/**
 * The nodes of a turn, `update(turn)`, which brings them up to date, and `explain(explanation)` for what comes later.
 *
 * `actions`: `again()`, `choose({id, text})`, `openCitation(turn, number, from)`, `showSources(turn)`, `showTurn(turn)`,
 * `addAnswer(turn)`.
 */
export function messageView(turn, actions) {
  const parts = {
    verdict: el("div.verdict-place"),
    progress: el("p.progress-words", { words: "searching", test: "progress" }),
    answer: el("div.answer", { test: "answer" }),
    spoken: el("aside.spoken", { test: "spoken", hidden: true }),
    after: el("div.after"),
    foot: el("footer.foot"),
  };
  const beside = el("div.beside", {}, parts.answer, parts.spoken);
  const reply = el(
    "article.message.reply",
    { test: "message", label: "verdict_plain" },
    parts.verdict,
    beside,
    parts.progress,
    parts.after,
    parts.foot,
  );
  const asked = el("article.message.asked", { test: "message", label: "you" }, el("p", {}, turn.question));
  const shown = { kind: null, version: "" };
  return {
    nodes: [asked, reply],
    update: (now) => update(now, { reply, parts, shown, actions }),
    explain: (explanation) => explainBadge(parts.foot, explanation),
  };
}

function update(turn, { reply, parts, shown, actions }) {
  const kind = kindOf(turn);
  showAnswer(turn, parts.answer, actions, kind);
  parts.progress.hidden = kind !== "working" || turn.text !== "";
  if (kind === shown.kind) return;
  shown.kind = kind;
  reply.dataset.kind = kind;
  reply.setAttribute("aria-busy", String(kind === "working"));
  if (kind === "working") return;
  word(reply, `verdict_${kind}`, {}, "aria-label");
  parts.verdict.replaceChildren(...[badge(kind)].filter(Boolean));
  if (turn.answer) parts.answer.lang = turn.answer.language;
  showSpoken(turn, parts.spoken);
  parts.after.replaceChildren(...afterNodes(turn, kind, actions));
  parts.foot.replaceChildren(...footNodes(turn, parts, actions));
}

function showAnswer(turn, answer, actions, kind) {
  const working = kind === "working";
  const text = working ? wholeMarkers(turn.text) : turn.text;
  renderInto(answer, text, {
    marker: (number) => markerNode(turn, number, actions),
    version: [...turn.citations.keys()].join(",") + (working ? "" : "."),
    callable: turn.answer?.emergency_number ?? "",
  });
  answer.classList.toggle("growing", working && turn.text !== "");
}

function markerNode(turn, number, actions) {
  const known = turn.citations.has(number);
  if (!known && turn.state !== "working") return null;
  const click = (event) => actions.openCitation(turn, number, event.currentTarget);
  return el(
    "button.marker",
    { test: "marker", label: ["marker", { n: number }], disabled: !known, on: { click } },
    String(number),
  );
}

function showSpoken(turn, spoken) {
  if (!turn.answer?.spoken) return;
  spoken.lang = turn.answer.language;
  spoken.replaceChildren(
    el("p.spoken-head", {}, icon("phone"), el("span", { words: "on_the_phone" })),
    el("p.spoken-text", {}, turn.answer.spoken),
  );
}

function afterNodes(turn, kind, actions) {
  const nodes = turn.warnings.map((warning) => warningNode(warning));
  if (turn.problem) nodes.push(problemNode(turn.problem, actions.again));
  if (kind === "cut" || kind === "stopped") nodes.push(unfinishedNode(turn, kind, actions));
  if (turn.answer?.choices.length) nodes.push(choicesNode(turn.answer.choices, actions));
  if (kind === "failed" && !turn.problem) nodes.push(el("p", {}, againButton(actions.again)));
  return nodes;
}

const warningNode = ({ code, message }) =>
  el(
    "p.note",
    { "data-code": code },
    icon("warning"),
    el("span", {}, el("strong", { words: "warning" }), " ", message),
  );

function unfinishedNode(turn, kind, actions) {
  const trace = turn.meta?.trace_id;
  const test = kind === "cut" ? "problem" : null;
  return el(
    "div.problem.mild",
    { test },
    icon(kind === "cut" ? "broken" : "square"),
    el(
      "div.problem-body",
      {},
      turn.silent ? el("p", { words: "silent_note" }) : null,
      el("p.problem-message", { words: `${kind}_note` }),
      trace ? el("p.faint", {}, el("span", { words: "trace" }), " ", el("code", {}, trace)) : null,
      againButton(actions.again),
    ),
  );
}

/** What may be meant, a button each; the arrow keys go from one to the next, and its digit takes it. */
function choicesNode(choices, actions) {
  const buttons = choices.map((choice) =>
    el("button.chip", { test: "choice", on: { click: () => actions.choose(choice) } }, choice.text),
  );
  const group = el("div.choices", { role: "group", label: "choices", test: "choices" }, buttons);
  group.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const to = step ? buttons.at((at + step) % buttons.length) : buttons[Number(event.key) - 1];
    if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (step) to.focus();
    else to.click();
  });
  return group;
}

function footNodes(turn, parts, actions) {
  const nodes = [];
  if (turn.citations.size) {
    nodes.push(
      el(
        "button.foot-button",
        { on: { click: () => actions.showSources(turn) } },
        icon("book"),
        el("span", { words: ["sources_n", { n: turn.citations.size }] }),
      ),
    );
  }
  if (turn.answer?.spoken) nodes.push(spokenToggle(parts));
  if (turn.text && navigator.clipboard) nodes.push(copyAnswer(turn));
  if (turn.stages.length || isExplained(turn)) nodes.push(turnButton(turn, actions));
  if (turn.answer?.id && may("manager")) nodes.push(addAnswerButton(turn, actions));
  if (turn.answer?.phi) nodes.push(phiBadge(turn.answer));
  return nodes;
}

const addAnswerButton = (turn, actions) =>
  el(
    "button.foot-button",
    { on: { click: () => actions.addAnswer(turn) }, test: "add-answer" },
    icon("question"),
    el("span", { words: "add_answer" }),
  );

function spokenToggle({ spoken }) {
  const toggle = el(
    "button.foot-button",
    { "aria-expanded": "false", test: "spoken-toggle" },
    icon("phone"),
    el("span", { words: "how_phone_says_it" }),
  );
  toggle.addEventListener("click", () => {
    spoken.hidden = !spoken.hidden;
    toggle.setAttribute("aria-expanded", String(!spoken.hidden));
  });
  return toggle;
}

function turnButton(turn, actions) {
  const took = turn.keptAt ? null : el("span", {}, `· ${duration(turn.endedAt - turn.startedAt)}`);
  return el(
    "button.foot-button.turn-button",
    { on: { click: () => actions.showTurn(turn) }, test: "why-button" },
    icon("question"),
    el("span", { words: "why_this_answer" }),
    took,
  );
}

function copyAnswer(turn) {
  const said = el("span", { words: "copy" });
  const copy = async () => {
    await navigator.clipboard.writeText(asText(turn));
    said.replaceWith(el("span", { words: "copied", role: "status" }));
  };
  return el("button.foot-button", { on: { click: () => copy().catch(() => {}) }, test: "copy-answer" }, icon("copy"), said);
}
