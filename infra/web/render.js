/** Shows the small markdown of an answer as DOM nodes: paragraphs, lists, tables, bold, [n] markers, links. */

import { el, safeAddress } from "./element.js";

const ITEM = /^\s*(?:[-*•]|(\d{1,3})[.)])\s+(.*)$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/;
const ROW = /^\s*\|.*\|\s*$/;
const DIVIDER = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
const INLINE =
  /\*\*(?=\S)(.+?)(?<=\S)\*\*|\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]|(https?:\/\/[^\s<>()[\]|]+)/gu;

/** The blocks of a text, each `{kind, source, ...}`; blocks keep their source so that an unchanged one is recognised. */
export function readBlocks(text) {
  const blocks = [];
  let open = null;
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const kind = kindOf(line, open);
    if (kind !== open?.kind || kind === "heading") {
      open = kind ? { kind, lines: [] } : null;
      if (open) blocks.push(open);
    }
    open?.lines.push(line);
  }
  for (const block of blocks) block.source = block.lines.join("\n");
  return blocks;
}

/**
 * Show `text` in `container`, keeping the nodes of blocks that did not change, so a selection survives streaming.
 *
 * `marker(n)` gives the node for a marker, or null to leave it as text; `version` changes when that gives other nodes;
 * `callable` is a number that becomes a link which a phone can dial, wherever the text names it.
 */
export function renderInto(container, text, { marker = () => null, version = "", callable = "" } = {}) {
  const blocks = readBlocks(text);
  blocks.forEach((block, at) => {
    const mark = `${version}|${callable}|${block.source}`;
    const shown = container.children[at];
    if (shown?.shows === mark) return;
    const node = blockNode(block, { marker, callable });
    node.shows = mark;
    if (shown) shown.replaceWith(node);
    else container.append(node);
  });
  while (container.children.length > blocks.length) container.lastElementChild.remove();
}

/** A marker cut in half by streaming is held back until it is whole. */
export const wholeMarkers = (text) => text.replace(/\[[\d\s,]*$/, "");

/** The text without markup, as it is read aloud. */
export function plainText(text) {
  return text
    .replace(/\s?\[\d{1,3}(?:\s*,\s*\d{1,3})*\]/g, "")
    .replace(/\*\*|^#+\s+/gm, "")
    .replace(/\s*\|\s*/g, ", ");
}

/** A table from rows of cells; the first row is the header. */
export function tableNode(rows, inline = (cell) => [cell]) {
  const [head = [], ...body] = rows;
  const row = (cells, tag) =>
    el(
      "tr",
      {},
      cells.map((cell) => el(tag, tag === "th" ? { scope: "col" } : {}, inline(cell))),
    );
  const table = el(
    "table",
    {},
    el("thead", {}, row(head, "th")),
    el(
      "tbody",
      {},
      body.map((cells) => row(cells, "td")),
    ),
  );
  return el("div.scroller", { tabindex: "0", role: "region", label: "table" }, table);
}

function kindOf(line, open) {
  if (!line.trim()) return null;
  if (HEADING.test(line)) return "heading";
  if (ROW.test(line)) return "table";
  const item = ITEM.exec(line);
  if (item) return item[1] ? "numbered" : "bulleted";
  const continues = open && ["numbered", "bulleted"].includes(open.kind) && /^\s{2,}/.test(line);
  return continues ? open.kind : "paragraph";
}

function blockNode(block, options) {
  const inline = (text) => inlineNodes(text, options);
  if (block.kind === "heading")
    return el("p.answer-heading", { role: "heading", "aria-level": "3" }, inline(HEADING.exec(block.lines[0])[2]));
  if (block.kind === "table") return tableNode(block.lines.filter((line) => !DIVIDER.test(line)).map(cells), inline);
  if (block.kind === "paragraph") return el("p", {}, withBreaks(block.lines, inline));
  const items = readItems(block.lines);
  const first = block.kind === "numbered" ? ITEM.exec(block.lines[0])?.[1] : null;
  const tag = block.kind === "numbered" ? "ol" : "ul";
  return el(
    tag,
    first && first !== "1" ? { start: first } : {},
    items.map((item) => el("li", {}, inline(item))),
  );
}

function readItems(lines) {
  const items = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item) items.push(item[2]);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items;
}

const cells = (line) =>
  line
    .trim()
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());

function withBreaks(lines, inline) {
  return lines.flatMap((line, at) => (at ? [el("br"), ...inline(line)] : inline(line)));
}

function inlineNodes(text, options) {
  const { callable } = options;
  const named = callable ? text.indexOf(callable) : -1;
  if (named < 0) return plainNodes(text, options);
  const [before, after] = [text.slice(0, named), text.slice(named + callable.length)];
  return [...plainNodes(before, options), callNode(callable), ...inlineNodes(after, options)];
}

const callNode = (number) => el("a.call", { href: `tel:${number.replace(/[^\d+]/g, "")}` }, number);

function plainNodes(text, options) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const made = inlineNode(match, options);
    if (!made) continue;
    nodes.push(text.slice(from, match.index), ...made);
    from = match.index + match[0].length;
  }
  nodes.push(text.slice(from));
  return nodes.filter((node) => node !== "");
}

function inlineNode([whole, bold, numbers, link], options) {
  if (bold) return [el("strong", {}, inlineNodes(bold, options))];
  if (numbers) return markers(numbers, options.marker);
  return link ? linkNodes(whole) : null;
}

function markers(numbers, marker) {
  const made = numbers.split(",").map((number) => marker(Number(number)));
  return made.every(Boolean) ? made : null;
}

function linkNodes(found) {
  const text = found.replace(/[.,;:!?'"»”]+$/, "");
  const href = safeAddress(text);
  if (!href) return null;
  return [el("a", { href, target: "_blank", rel: "noopener noreferrer" }, text), found.slice(text.length)];
}
