/** What a change did, and what is wrong with a file, as tables; who changed what, with the way back. */

import { json, Refusal } from "../api.js";
import { announce, el, icon } from "../element.js";
import { problemNode } from "../problem.js";
import { Rows } from "../renewal.js";
import { hasWords, moment, say } from "../words.js";

/** Entries of a change that are listed. */
const LISTED = 12;

const fieldText = (field) =>
  field
    .split(".")
    .map((part) => (hasWords(`directory_field_${part}`) ? say(`directory_field_${part}`) : part))
    .join(" › ");

const sectionText = (section) => (hasWords(`directory_section_${section}`) ? say(`directory_section_${section}`) : section);

function table(heads, rows, test) {
  const head = el("tr", {}, heads.map((words) => el("th", { scope: "col", words })));
  const body = rows.map((cells) => el("tr", {}, cells.map((cell) => el("td", {}, cell ?? ""))));
  const inside = el("table.directory-table", { test }, el("thead", {}, head), el("tbody", {}, ...body));
  return el("div.scroller", { tabindex: "0", role: "region", label: "table" }, inside);
}

/** A table of problems: sheet, row, entry, field and what is wrong. */
export function problemTable(problems) {
  const heads = ["directory_section", "directory_row", "directory_entry", "directory_field", "directory_message"];
  const rows = problems.map(({ section, row, entry, field, message }) => [
    sectionText(section),
    row === null || row === undefined ? "" : String(row),
    entry,
    fieldText(field),
    message,
  ]);
  return table(heads, rows, "directory-problems");
}

/** A table of what a change did or would do. */
export function changeTable({ changes, more_changes: more }) {
  const heads = ["directory_section", "directory_entry", "directory_what", "directory_field"];
  const rows = changes.map(({ section, entry, what, fields }) => [
    sectionText(section),
    entry,
    say(`directory_what_${what}`),
    fields.map(fieldText).join(", "),
  ]);
  return [
    table(heads, rows, "directory-changes"),
    more ? el("p.faint", { words: ["directory_more", { n: more }] }) : null,
  ].filter(Boolean);
}

/** Show who changed what; `mayUndo`, and `changed()` is called when a change was taken back. */
export async function showHistory({ mayUndo, changed }) {
  const dialog = document.getElementById("directory-history");
  const list = el("ol.directory-history", { test: "directory-history-list" });
  const rows = new Rows(list);
  const nothing = el("p.empty", { hidden: true, words: "directory_history_none" });
  const trouble = el("div", { role: "alert" });
  const close = el("button", { words: "close", on: { click: () => dialog.close() } });
  dialog.replaceChildren(
    el("h2", { words: "directory_history", id: "directory-history-title" }),
    trouble,
    list,
    nothing,
    el("p.buttons", {}, close),
  );
  const undo = async ({ number }) => {
    trouble.replaceChildren();
    try {
      await json(["admin", "directory", "changes", String(number), "undo"], { method: "POST" });
      announce(say("directory_undone", { n: number }));
      await load();
      close.focus();
      changed();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      trouble.replaceChildren(problemNode(error.problem));
    }
  };
  const load = async () => {
    const { changes } = await json(["admin", "directory", "changes"]);
    rows.show(changes, ({ number }) => String(number), (one) => ({ node: changeNode(one, mayUndo ? undo : null) }));
    nothing.hidden = changes.length > 0;
  };
  dialog.showModal();
  try {
    await load();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    trouble.replaceChildren(problemNode(error.problem));
  }
}

function changeNode(change, undo) {
  const { number, at, by, note, changes, more_changes: more, can_undo: canUndo } = change;
  const others = changes.length - LISTED + more;
  const label = ["directory_undo_label", { n: number }];
  return el(
    "li",
    { test: "directory-change", "data-number": number },
    el("p.faint", {}, [String(number), at ? moment(at) : null, by].filter(Boolean).join(" · ")),
    note ? el("p", {}, note) : null,
    el("ul.answer-sources", {}, changes.slice(0, LISTED).map(entryNode)),
    others > 0 ? el("p.faint", { words: ["directory_more", { n: others }] }) : null,
    undo && canUndo
      ? el(
          "button.small",
          { label, on: { click: () => undo(change) }, test: "directory-undo" },
          icon("back"),
          el("span", { words: "directory_undo" }),
        )
      : null,
  );
}

function entryNode({ section, entry, what, fields }) {
  const where = fields.length ? `: ${fields.map(fieldText).join(", ")}` : "";
  return el("li", {}, `${sectionText(section)}, ${entry} `, el("span", { words: `directory_what_${what}` }), where);
}
