/** How one proposal looks in the list: the entry that it is of, what it would make of that, and where a document says so. */

import { titleOf } from "../directory/entries.js";
import { nameWords } from "../directory/fields.js";
import { el, icon } from "../element.js";
import { problemNode } from "../problem.js";
import { hasWords, moment, say } from "../words.js";
import { linesOf, nameOf } from "./said.js";
import { sourceNodes } from "./source.js";

/** Fields that stand in the title of somebody new. */
const NAMED = ["title", "first_name", "last_name"];

/** What a proposal is of: the entry that is there, or what a new one would be called. */
export function titleOfProposal({ section, target, entry }, directory) {
  return target ? nameOf(directory, section, target) : titleOf(section, entry.id ?? "", entry);
}

/**
 * The row of a proposal: its `node`, the `box` by which it is chosen (null where nobody may), and `tell(problem)`.
 *
 * `actions`: `open(document, from)`, `confirm(proposal)`, `correct(proposal)`, `reject(proposal)`, `reopen(proposal)`,
 * `chosen()`.
 */
export function proposalRow(proposal, directory, actions) {
  const title = titleOfProposal(proposal, directory);
  const isOpen = proposal.state === "open";
  const trouble = el("div.trouble", { role: "alert" });
  const box = isOpen ? el("input", { type: "checkbox", label: ["proposal_choose", { title }], test: "proposal-choose" }) : null;
  box?.addEventListener("change", () => actions.chosen());
  const head = el(
    "div.proposal-head",
    {},
    box,
    el("h3.proposal-title", {}, title),
    el("span.tag", { words: `directory_section_${proposal.section}` }),
    proposal.target ? null : el("span.tag", { words: "proposal_new" }),
  );
  const node = el(
    "li.document.proposal",
    { test: "proposal", "data-proposal": proposal.proposal_id, "data-kind": proposal.kind, "data-state": proposal.state },
    head,
    changes(proposal, directory),
    missing(proposal),
    ...sourceNodes(proposal.source, actions.open),
    decision(proposal),
    buttons(proposal, title, actions),
    trouble,
  );
  return { node, box, proposal, tell: (problem) => trouble.replaceChildren(...(problem ? [told(problem)] : [])) };
}

/** A refusal at its row: what is wrong with the entry, field by field, or the problem itself. */
function told(problem) {
  const wrong = (problem.problems ?? []).filter(({ warning }) => !warning);
  if (!wrong.length) return problemNode(problem);
  const line = ({ field, message }) => el("li", {}, el("span", { words: nameWords(field.split(".")[0]) }), `: ${message}`);
  return el("div.job-reason", {}, el("p", { words: "proposal_refused" }), el("ul.answer-sources", {}, wrong.map(line)));
}

/** Each field with what stands there now, where anything does, and what it would be. */
function changes({ section, target, entry, state }, directory) {
  const held = target && state === "open" ? (directory[section] ?? []).find(({ id }) => id === target) : null;
  const before = linesOf(held ?? {}, directory);
  const shown = held?.currency ? { currency: held.currency, ...entry } : entry;
  const title = target ? null : titleOfProposal({ section, target, entry }, directory);
  const rows = [...linesOf(shown, directory)].filter(
    ([key, { text }]) => before.get(key)?.text !== text && text !== title && !(title && NAMED.includes(key)),
  );
  return el(
    "dl.proposal-changes",
    {},
    rows.map(([key, { label, text }]) =>
      el("div", { "data-line": key }, el("dt", {}, label), el("dd", {}, ...fromTo(before.get(key)?.text, text))),
    ),
  );
}

/** Two values, the one that goes and the one that comes; what a screen reader says of them stands before each. */
export function fromTo(before, after) {
  const comes = before ? [el("span.unseen", { words: "proposal_becomes" }), el("ins", {}, after)] : [el("ins", {}, after)];
  if (!before) return comes;
  return [
    el("span.unseen", { words: "proposal_now" }),
    el("del", {}, before),
    el("span", { "aria-hidden": "true" }, " → "),
    ...comes,
  ];
}

/** What a person still has to say, in words of the fields. */
export function missingText({ missing, section }) {
  const named = (name) => {
    const own = `proposal_missing_${name === "condition" && section === "tariffs" ? "subject_condition" : name}`;
    return say(hasWords(own) ? own : nameWords(name));
  };
  return missing.map(named).join(", ");
}

function missing(proposal) {
  if (!proposal.missing.length || proposal.state !== "open") return null;
  const words = ["proposal_missing", { fields: missingText(proposal) }];
  return el("p.proposal-missing", { test: "proposal-missing" }, icon("warning"), el("span", { words }));
}

function decision({ state, by, at }) {
  if (state === "open") return null;
  return el("p.faint", { words: [`proposal_was_${state}`, { by, at: moment(at) }], test: "proposal-decided" });
}

function buttons(proposal, title, actions) {
  const press = (name) => ({ on: { click: () => actions[name](proposal) }, test: `proposal-${name}` });
  const labelled = (name) => ({ ...press(name), label: [`proposal_${name}_label`, { title }] });
  if (proposal.state !== "open") {
    return el("p.buttons", {}, el("button.small.quiet", labelled("reopen"), icon("again"), el("span", { words: "proposal_reopen" })));
  }
  return el(
    "p.buttons",
    {},
    proposal.missing.length ? null : el("button.small", labelled("confirm"), el("span", { words: "proposal_confirm" })),
    el("button.small", labelled("correct"), el("span", { words: "proposal_correct" })),
    el("button.small.quiet.danger", labelled("reject"), icon("bin"), el("span", { words: "proposal_reject" })),
  );
}
