/** Where a document says something: its title, page, row and column, with the way to the passage, and its own words. */

import { el, icon } from "../element.js";

/** The nodes of a source; `open(document, from)` shows the passage that is cited. */
export function sourceNodes(source, open) {
  const { doc_key, version, title, page, row, column, text } = source;
  const citation = { excerpt: text, page, last_page: page };
  const click = (event) => open({ doc_key, version, title, citation }, event.currentTarget);
  const place = [
    el("span", { words: ["page", { n: page }] }),
    row ? el("span", { words: ["proposal_row", { n: row }] }) : null,
    column ? el("span", { words: ["proposal_column", { n: column }] }) : null,
  ];
  return [
    el(
      "p.proposal-source",
      {},
      el(
        "button.small.quiet",
        { on: { click }, test: "proposal-source", title: ["open_passage", { title }] },
        icon("book"),
        el("span", {}, title || doc_key, ...place.filter(Boolean).flatMap((node) => [" · ", node])),
      ),
    ),
    el("blockquote", {}, text),
  ];
}
