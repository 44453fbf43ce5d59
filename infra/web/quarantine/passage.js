/** How one passage that was held back looks: its text with the words marked, its parts, and the decisions about them. */

import { json, Refusal } from "../api.js";
import { el } from "../element.js";
import { problemNode } from "../problem.js";
import { renew } from "../renewal.js";
import { hasWords } from "../words.js";

/**
 * The row of a passage and `enter()`, which opens it and takes the keyboard there.
 *
 * `open`: whether its text is shown at once; `show(document, from)` opens its document; `decided(made)` hears each decision.
 */
export function heldPassage(held, { open, show, decided }) {
  const trouble = el("div.trouble");
  const body = el("div.held-body", { "aria-live": "off" });
  const summary = el("summary", { words: "held_whole_text" });
  const details = el("details.held-details", { open }, summary, body);
  const decide = (verb, part) => send(held.passage_id, verb, part, { trouble, decided, reload });
  const reload = () => fill(body, held.passage_id, decide);
  details.addEventListener("toggle", () => {
    if (details.open && !body.hasChildNodes()) reload();
  });
  const node = el("li.job.held", { test: "held-back" }, headNode(held, show), details, wholeButtons(decide), trouble);
  const enter = () => {
    details.open = true;
    node.scrollIntoView({ block: "start" });
    summary.focus({ preventScroll: true });
  };
  return { node, enter };
}

function headNode(held, show) {
  const click = (event) => show(held, event.currentTarget);
  return el(
    "div.held-head",
    {},
    el("button.document-title", { on: { click } }, held.title || held.file_name),
    el("p.faint", {}, el("span", { words: ["page", { n: held.page }] }), ` · ${[held.file_name, ...held.headings].join(" › ")}`),
    el("p.job-reason", {}, spaced(held.reasons.map(reasonNode))),
    el("blockquote", {}, held.excerpt),
  );
}

const wholeButtons = (decide) =>
  el(
    "p.buttons",
    {},
    el("button.small", { on: { click: () => decide("release") }, test: "release", words: "release" }),
    el("button.small", { on: { click: () => decide("discard") }, test: "discard", words: "discard" }),
  );

async function fill(body, passage, decide) {
  if (!body.hasChildNodes()) renew(body, el("p.faint", { words: "loading" }));
  try {
    const shown = await json(["admin", "quarantine", passage]);
    renew(body, textNode(shown), ...besideNodes(shown), ...partNodes(shown, decide));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    renew(body, problemNode(error.problem, () => fill(body, passage, decide)));
  }
}

/** The text with its parts marked. Places are code points, as the server counts. */
function textNode({ text, parts }) {
  const characters = [...text];
  const cut = (from, to) => characters.slice(from, to).join("");
  const nodes = [];
  let at = 0;
  for (const part of parts) {
    nodes.push(cut(at, part.start), el("mark", { test: "guilty", title: reasonTitle(part) }, cut(part.start, part.end)));
    at = part.end;
  }
  nodes.push(cut(at, characters.length));
  return el("p.held-text", { test: "held-text" }, nodes);
}

const reasonTitle = ({ reasons: [reason] }) => (hasWords(`held_${reason}`) ? `held_${reason}` : "quarantine");

function besideNodes({ whole_only: whole, findings }) {
  if (!whole) return [];
  const beside = findings.filter((one) => one.beside || !one.marks.length);
  return [
    el("p", { words: "held_whole_only" }),
    el(
      "ul.held-parts",
      {},
      beside.map(({ reason, excerpt }) => el("li", {}, reasonNode(reason), ": ", el("q", {}, excerpt))),
    ),
  ];
}

/** The parts with a decision for each; one part that is all of the passage needs none of its own. */
function partNodes({ whole_only: whole, parts, text }, decide) {
  if (whole || !parts.length || (parts.length === 1 && parts[0].text.trim() === text.trim())) return [];
  return [el("p", { words: "held_parts" }), el("ol.held-parts", {}, parts.map((part) => partNode(part, decide)))];
}

function partNode(part, decide) {
  const chosen = part.decided?.decision;
  const button = (verb, decision) =>
    el("button.small", {
      on: { click: () => decide(verb, part.part_id) },
      test: `${verb}-part`,
      words: verb === "release" ? "release_part" : "discard_part",
      label: [verb === "release" ? "release_part_of" : "discard_part_of", { words: part.text }],
      "aria-pressed": String(chosen === decision),
    });
  return el(
    "li",
    { test: "held-part", "data-decided": chosen ?? "" },
    el("q", {}, part.text),
    el("p.faint", {}, spaced(part.reasons.map(reasonNode))),
    el("p.buttons", {}, button("release", "released"), button("discard", "discarded")),
  );
}

async function send(passage, verb, part, { trouble, decided, reload }) {
  trouble.replaceChildren();
  try {
    const path = ["admin", "quarantine", passage, verb];
    const made = await json(path, { method: "POST", query: { part } });
    if (part && !made.settled) await reload();
    await decided(made);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    trouble.replaceChildren(problemNode(error.problem));
  }
}

function reasonNode(reason) {
  const words = `held_${reason}`;
  return hasWords(words) ? el("span", { words }) : el("code", {}, reason);
}

const spaced = (nodes) => nodes.flatMap((node, at) => (at ? [" · ", node] : [node]));
