/** The Sources tab: one card for each citation of the turn in hand; a card opens the passage it stands for. */

import { sourceNode } from "./answers/row.js";
import { el, icon, safeAddress } from "./element.js";
import { Rows } from "./renewal.js";
import { textNodes } from "./rows.js";
import { date, moment, word } from "./words.js";

/** Fill `leaf` with a turn's citations; `open(citation, from)` is called when a card is chosen. */
export function showSources(leaf, turn, open) {
  if (!turn) {
    leaf.shows = null;
    leaf.of = null;
    leaf.replaceChildren(el("p.empty", { words: "no_turn" }));
    return;
  }
  const citations = [...turn.citations.values()].sort((a, b) => a.number - b.number);
  const key = JSON.stringify([turn.id, turn.state, citations.map((citation) => [citation.number, citation.chunk_id])]);
  if (leaf.shows === key) return;
  leaf.shows = key;
  if (leaf.of !== turn.id) begin(leaf, turn);
  const { cards, list, nothing } = leaf.parts;
  // While an answer grows its sources come one by one: the cards that are there stay.
  cards.show(citations, ({ number }) => number, (citation) => ({ node: el("li", {}, card(citation, open)) }));
  list.hidden = !citations.length;
  nothing.hidden = citations.length > 0;
  if (turn.keptAt) word(nothing, "kept_turn", { at: moment(turn.keptAt) });
  else word(nothing, turn.state === "working" ? "sources_waiting" : "sources_none");
}

function begin(leaf, turn) {
  const list = el("ol.cards");
  leaf.of = turn.id;
  leaf.parts = { list, cards: new Rows(list), nothing: el("p.empty") };
  leaf.replaceChildren(el("p.asked-line", {}, turn.question), list, leaf.parts.nothing);
}

/** Mark the card of a citation as the one that was opened. */
export function markCard(leaf, number) {
  for (const node of leaf.querySelectorAll("[data-testid=citation]")) {
    node.classList.toggle("chosen", Number(node.dataset.number) === number);
  }
}

/** The pages of a citation as properties for `el`, or null when the source has none. */
export function pagesWords({ page, last_page: last }) {
  if (page === null || page === undefined) return null;
  return { words: last && last !== page ? ["pages_range", { from: page, to: last }] : ["page", { n: page }] };
}

function card(citation, open) {
  const pages = pagesWords(citation);
  const click = (event) => open(citation, event.currentTarget);
  return el(
    "article.card",
    { test: "citation", "data-number": citation.number },
    el("span.number", { "aria-hidden": "true" }, String(citation.number)),
    el(
      "div.card-body",
      {},
      el(
        "h3",
        {},
        el("button.card-open", { on: { click }, title: ["open_passage", { title: citation.title }] }, citation.title),
      ),
      placeNode(citation, pages),
      curatedNode(citation.curated),
      el("blockquote", { lang: citation.language, test: "excerpt" }, textNodes(citation.excerpt)),
      el(
        "p.card-foot",
        {},
        el("span.tag", {}, (citation.language || "–").toUpperCase()),
        el("code", {}, citation.doc_key),
        el("span", { words: ["version", { n: citation.version }] }),
        publisherLink(citation),
      ),
    ),
  );
}

function placeNode({ section }, pages) {
  if (!section && !pages) return null;
  return el("p.place", {}, section ?? null, section && pages ? " · " : null, pages ? el("span", pages) : null);
}

/** Whose answer it is and of which day; nothing of a page. */
function curatedNode(curated) {
  if (!curated) return null;
  const { owner, written_on: day, sources } = curated;
  const words = [owner ? "answer_by" : "answer_by_nobody", { owner, date: day ? date(day) : "–" }];
  return el(
    "div",
    { test: "curated" },
    el("p.place", { words }),
    sources.length ? el("ul.answer-sources", {}, sources.map((one) => el("li", {}, sourceNode(one)))) : null,
  );
}

function publisherLink(citation) {
  const href =
    safeAddress(citation.url ?? "") ?? (citation.doi ? safeAddress(`https://doi.org/${citation.doi}`) : null);
  if (!href) return null;
  return el(
    "a.outside",
    { href, target: "_blank", rel: "noopener noreferrer" },
    icon("file"),
    el("span", { words: "visit_publisher" }),
  );
}
