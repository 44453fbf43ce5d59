/** Shows a text whose rows stand between pipes as a table, and everything else as it is. */

import { el } from "./element.js";

const CELLS = " | ";

/** The nodes of a text: tables of lines with pipes that follow one another, and the lines between them. */
export function textNodes(text) {
  const nodes = [];
  let rows = [];
  const close = () => {
    if (rows.length) nodes.push(tableOf(rows));
    rows = [];
  };
  for (const line of text.split("\n")) {
    if (line.includes(CELLS)) {
      rows.push(line.split(CELLS));
      continue;
    }
    close();
    if (line.trim()) nodes.push(el("span.line", {}, line));
  }
  close();
  return nodes;
}

/** Rows without a header of their own: an excerpt begins anywhere in a table. */
function tableOf(rows) {
  const width = Math.max(...rows.map((row) => row.length));
  const cell = (text, at) => (at ? el("td", {}, text) : el("th", { scope: "row" }, text));
  const row = (cells) => el("tr", {}, Array.from({ length: width }, (_, at) => cell((cells[at] ?? "").trim(), at)));
  return el("div.scroller", { tabindex: "0", role: "region", label: "table" }, el("table.rows", {}, el("tbody", {}, rows.map(row))));
}
