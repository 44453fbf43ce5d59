/** How one answer looks in the list: its questions, text, facts and changes. */

import { el, icon, safeAddress } from "../element.js";
import { date, hasWords } from "../words.js";

/** What an answer is called: its first question, or its key where nothing of it was kept. */
export const titleOf = ({ questions, doc_key }) => questions[0] ?? doc_key;

/** The row of an answer; `actions`: `open(answer, from)`, `edit(answer)` and `retire(answer)`. */
export function answerRow(answer, actions) {
  const others = answer.questions.slice(1);
  const isRetired = answer.state === "retired";
  return el(
    "li.document",
    { test: "answer-row", "data-key": answer.doc_key, "data-state": answer.state },
    el(
      "div.document-head",
      {},
      el("button.document-title", { on: { click: (event) => actions.open(answer, event.currentTarget) } }, titleOf(answer)),
      answer.language ? el("span.tag", {}, answer.language.toUpperCase()) : null,
      el(`span.state.is-${answer.state}`, { words: `state_${answer.state}` }),
    ),
    others.length ? el("ul.wordings.faint", {}, others.map((one) => el("li", {}, one))) : null,
    el("p.answer-said", { lang: answer.language }, answer.text),
    el("p.faint", {}, el("code", {}, answer.doc_key), ...facts(answer)),
    answer.error_message && answer.state === "failed" ? el("p.job-reason", {}, answer.error_message) : null,
    sourcesNode(answer.sources),
    changesNode(answer.changes),
    el(
      "p.buttons",
      {},
      el("button.small.quiet", { on: { click: () => actions.edit(answer) }, test: "answer-edit", words: "edit" }),
      isRetired
        ? null
        : el(
            "button.small.quiet.danger",
            { on: { click: () => actions.retire(answer) }, test: "answer-retire" },
            icon("bin"),
            el("span", { words: "retire" }),
          ),
    ),
  );
}

function facts(answer) {
  const said = [
    el("span", { words: ["version", { n: answer.version }] }),
    answer.owner || null,
    el("span", { words: `audience_${answer.audience}` }),
    answer.valid_from ? el("span", { words: ["valid_from", { date: date(answer.valid_from) }] }) : null,
    answer.valid_until ? el("span", { words: ["valid_until", { date: date(answer.valid_until) }] }) : null,
  ];
  return said.filter(Boolean).flatMap((part) => [" · ", part]);
}

function sourcesNode(sources) {
  if (!sources.length) return null;
  return el("ul.answer-sources", {}, sources.map((one) => el("li", {}, sourceNode(one))));
}

/** A source of an answer: a link where it is an address. */
export function sourceNode(text) {
  const href = safeAddress(text);
  return href ? el("a", { href, target: "_blank", rel: "noopener noreferrer" }, text) : text;
}

function changesNode(changes) {
  return el(
    "details.upload-details",
    {},
    el("summary", { words: "changes" }),
    el("ol.versions", {}, changes.map(changeNode)),
  );
}

function changeNode({ did, by, at, version }) {
  const done = hasWords(`change_${did}`) ? el("span", { words: `change_${did}` }) : did;
  const number = version ? el("span", { words: ["version", { n: version }] }) : null;
  return el("li", {}, date(at), " · ", done, number ? " · " : null, number, by ? ` · ${by}` : null);
}
