/** How one document looks in the list: title, badges, facts, warnings, versions. */

import { json, Refusal } from "./api.js";
import { el, icon } from "./element.js";
import { originalLink } from "./original.js";
import { problemNode } from "./problem.js";
import { leftOutCounts } from "./told.js";
import { date } from "./words.js";

/** The row of a document; `actions`: `open(document, from)` and `remove(document)`. */
export function documentRow(document, actions) {
  const title = document.title || document.file_name;
  const versions = el("ol.versions", { hidden: true });
  const row = el(
    "li.document",
    { test: "document", "data-key": document.doc_key },
    el(
      "div.document-head",
      {},
      el("button.document-title", { on: { click: (event) => actions.open(document, event.currentTarget) } }, title),
      el("span.tag", {}, (document.language || "–").toUpperCase()),
      stateBadge(document),
    ),
    el("p.faint", {}, el("code", {}, document.doc_key), ...facts(document)),
    warnings(document.warnings),
    leftOut(document.left_out),
    el(
      "p.buttons",
      {},
      originalLink(document, { class: "small button quiet" }, icon("file"), el("span", { words: "original" })),
      document.chunks ? toldButton(document, actions) : null,
      versionsButton(document, versions),
      el(
        "button.small.quiet.danger",
        { on: { click: () => actions.remove(document) }, test: "delete" },
        icon("bin"),
        el("span", { words: "delete" }),
      ),
    ),
    versions,
  );
  return row;
}

/** The state of a version; a live one outside its days is shown as expired or upcoming. */
export function stateBadge(version) {
  const name = stateOf(version);
  return el(`span.state.is-${name}`, { words: `state_${name}` });
}

/** The state of a version as the list shows it. */
export function stateOf({ state, validity }) {
  return state === "live" && validity !== "valid" ? validity : state;
}

function facts(document) {
  const said = [
    el("span", { words: ["version", { n: document.version }] }),
    document.pages ? el("span", { words: ["pages_n", { n: document.pages }] }) : null,
    document.chunks ? el("span", { words: ["chunks_n", { n: document.chunks }] }) : null,
    document.audience ? el("span", { words: `audience_${document.audience}` }) : null,
    document.source_type || null,
    date(document.activated_at ?? document.created_at),
    document.valid_until ? el("span", { words: ["valid_until", { date: date(document.valid_until) }] }) : null,
  ];
  return said.filter(Boolean).flatMap((part) => [" · ", part]);
}

function warnings(messages) {
  if (!messages?.length) return null;
  return el(
    "details.document-warnings",
    {},
    el("summary", {}, icon("warning"), el("span", { words: ["warnings_n", { n: messages.length }] })),
    el(
      "ul",
      {},
      messages.map((message) => el("li", {}, message)),
    ),
  );
}

function leftOut(counts) {
  if (!counts?.length) return null;
  const n = counts.reduce((sum, { blocks }) => sum + blocks, 0);
  return el(
    "details.document-left-out",
    { test: "left-out-counts" },
    el("summary", { words: ["left_out_n", { n }] }),
    el("ul", {}, leftOutCounts(counts)),
  );
}

const toldButton = (document, actions) =>
  el(
    "button.small.quiet",
    { on: { click: (event) => actions.open({ ...document, told: true }, event.currentTarget) }, test: "told" },
    icon("book"),
    el("span", { words: "told" }),
  );

function versionsButton(document, list) {
  const button = el(
    "button.small.quiet",
    { "aria-expanded": "false" },
    icon("history"),
    el("span", { words: "versions" }),
  );
  button.addEventListener("click", async () => {
    list.hidden = !list.hidden;
    button.setAttribute("aria-expanded", String(!list.hidden));
    if (!list.hidden) await fillVersions(document, list);
  });
  return button;
}

async function fillVersions(document, list) {
  list.replaceChildren(el("li.faint", { words: "loading" }));
  try {
    const { versions } = await json(["documents", document.doc_key]);
    list.replaceChildren(
      ...versions.map((version) =>
        el(
          "li",
          {},
          el("span", { words: ["version", { n: version.version }] }),
          stateBadge(version),
          el(
            "span.faint",
            {},
            `${date(version.created_at)} · `,
            originalLink({ ...version, doc_key: document.doc_key }, {}, version.file_name),
          ),
        ),
      ),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    list.replaceChildren(
      el(
        "li",
        {},
        problemNode(error.problem, () => fillVersions(document, list)),
      ),
    );
  }
}
