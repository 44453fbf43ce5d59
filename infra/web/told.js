/** What callers can be told of a document, passage by passage, and below it what of it nobody is told and why. */

import { el } from "./element.js";
import { tableNode } from "./render.js";

/** The nodes of a document's passages and of the text that is left out. */
export function toldNodes({ passages, left_out: leftOut, paged }) {
  return [
    el("h3", { words: "told_heading" }),
    passages.length ? null : el("p.faint", { words: "told_nothing" }),
    ...passages.map((passage) => passageNode(passage, paged)),
    leftOut.length ? el("h3", { words: "left_out_heading" }) : null,
    ...leftOut.map((block) => leftOutNode(block, paged)),
  ].filter(Boolean);
}

/** How many pieces of a document are left out, by reason. */
export function leftOutCounts(counts) {
  return counts.map(({ reason, blocks, characters }) =>
    el(
      "li",
      {},
      el("span", { words: `left_out_${reason}` }),
      " · ",
      el("span", { words: ["left_out_counted", { n: blocks, characters }] }),
    ),
  );
}

function passageNode(passage, paged) {
  const held = passage.held_back.length > 0;
  return el(
    held ? "section.told.is-held" : "section.told",
    { test: held ? "held-passage" : "told-passage" },
    el(
      "p.faint",
      {},
      passage.headings.join(" › "),
      paged ? el("span.told-page", { words: ["page_heading", { n: passage.first_page }] }) : null,
      held ? el("span.state.is-failed", { words: "told_held" }) : null,
    ),
    passage.kind === "table"
      ? tableNode(passage.text.split("\n").map((row) => row.split(" | ")))
      : passage.text.split("\n").map((line) => el("p", {}, line)),
  );
}

const leftOutNode = (block, paged) =>
  el(
    "section.told.is-left-out",
    { test: "left-out" },
    el(
      "p.faint",
      {},
      el("span", { words: `left_out_${block.reason}` }),
      paged ? el("span.told-page", { words: ["page_heading", { n: block.page }] }) : null,
    ),
    el("p", {}, block.text),
  );
