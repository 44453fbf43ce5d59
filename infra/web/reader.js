/** Shows a document's text in the panel, scrolled to the cited passage when there is one. */

import { json, Refusal } from "./api.js";
import { el, icon } from "./element.js";
import { locate } from "./locate.js";
import { originalLink } from "./original.js";
import { problemNode } from "./problem.js";
import { tableNode } from "./render.js";
import { toldNodes } from "./told.js";

const ROOM_ABOVE = 56;

/**
 * Bring the reader to life in `leaf`.
 *
 * `open({doc_key, version, title, citation?, told?})` shows a document, or what callers can be told of it; `close` is called by its back button.
 */
export function startReader(leaf, close) {
  let latest = 0;

  async function open(wanted) {
    latest += 1;
    const mine = latest;
    const place = el("div.reader-text", {}, el("p.empty", { words: "loading" }));
    leaf.replaceChildren(head(wanted, close), place);
    leaf.scrollTop = 0;
    try {
      const kind = wanted.told ? "passages" : "text";
      const text = await json(["documents", wanted.doc_key, kind], { query: { version: wanted.version } });
      if (mine !== latest) return;
      if (wanted.told) showTold(place, text);
      else show(leaf, place, text, wanted.citation);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (mine === latest) place.replaceChildren(problemNode(error.problem, () => open(wanted)));
    }
  }

  return { open };
}

function head({ doc_key: key, version, title }, close) {
  return el(
    "header.reader-head",
    {},
    el(
      "div.reader-bar",
      {},
      el("button.small.quiet", { on: { click: close } }, icon("back"), el("span", { words: "back" })),
      originalLink({ doc_key: key, version }, { class: "outside" }, icon("file"), el("span", { words: "original" })),
    ),
    el("h2", {}, title),
    el("p.card-foot", {}, el("code", {}, key), el("span", { words: ["version", { n: version }] })),
  );
}

function showTold(place, told) {
  place.lang = told.language ?? "";
  place.replaceChildren(...toldNodes(told));
}

function show(leaf, place, text, citation) {
  const blocks = text.pages.flatMap((page) =>
    page.blocks.map((block) => ({ ...block, text: block.text.normalize("NFC"), page: page.number })),
  );
  const found = citation
    ? locate(blocks, citation.excerpt, text.paged ? citation.page : null, citation.last_page ?? citation.page)
    : null;
  const pages = new Map();
  blocks.forEach((block, at) => {
    const nodes = pages.get(block.page) ?? [];
    nodes.push(blockNode(block, reach(found, at, block.text)));
    pages.set(block.page, nodes);
  });
  const sections = [...pages].map(([number, nodes]) =>
    el(
      "section.sheet-page",
      { "data-page": number },
      text.paged ? el("p.page-number", { words: ["page_heading", { n: number }] }) : null,
      nodes,
    ),
  );
  const cited = citation && !found ? sections.find((section) => Number(section.dataset.page) === citation.page) : null;
  if (cited && text.paged) markPage(cited);
  const note = citation ? el("p.faint.reader-note", { words: noteFor(found, cited && text.paged) }) : null;
  place.lang = text.language ?? "";
  place.replaceChildren(...[note, ...sections].filter(Boolean));
  bringIntoView(leaf, place.querySelector("[data-testid=passage]"));
}

const noteFor = (found, cited) => (found ? "passage_found" : cited ? "passage_page" : "passage_missing");

/** The characters of a block that belong to the passage, `[from, to]`, or null. */
function reach(found, at, text) {
  if (!found || at < found.first.block || at > found.last.block) return null;
  return [
    at === found.first.block ? found.first.from : 0,
    at === found.last.block ? found.last.to : text.length,
    at === found.first.block,
  ];
}

function blockNode(block, range) {
  const test = range?.[2] ? "passage" : null;
  if (block.kind === "table") {
    const table = tableNode(block.text.split("\n").map((row) => row.split(" | ")));
    if (range) table.classList.add("cited");
    if (test) table.dataset.testid = test;
    return table;
  }
  const inside = range ? marked(block.text, range, test) : [block.text];
  if (block.kind === "heading") {
    const level = Math.min(6, Math.max(3, (block.level || 1) + 2));
    return el(`h${level}`, {}, inside);
  }
  return el(block.kind === "list_item" ? "p.reader-item" : "p", {}, inside);
}

const marked = (text, [from, to], test) => [
  text.slice(0, from),
  el("mark", { test }, text.slice(from, to)),
  text.slice(to),
];

function markPage(section) {
  section.classList.add("cited");
  section.dataset.testid = "passage";
}

function bringIntoView(leaf, passage) {
  if (!passage) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const top = passage.getBoundingClientRect().top - leaf.getBoundingClientRect().top + leaf.scrollTop;
  const covered = leaf.querySelector(".reader-head").offsetHeight;
  leaf.scrollTo({ top: Math.max(0, top - covered - ROOM_ABOVE), behavior: still ? "auto" : "smooth" });
}
