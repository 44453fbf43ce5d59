/** How one entry looks in the list: what it is called, how it is reached, how long it holds, what is to be looked at. */

import { el, icon } from "../element.js";
import { date } from "../words.js";
import { nameWords } from "./fields.js";

/** The row of an entry; `actions`: `edit(entry)`, `remove(entry)`, `confirm(entry)`, each absent where nobody may. */
export function entryRow(entry, warnings, actions, showsSection) {
  const { section, name, body, title } = entry;
  return el(
    "li.document",
    { test: "directory-row", "data-section": section, "data-entry": name },
    el(
      "div.document-head",
      {},
      actions.edit
        ? el("button.document-title", { on: { click: () => actions.edit(entry) }, test: "directory-open" }, title)
        : el("span.document-title", {}, title),
      showsSection ? el("span.tag", { words: `directory_section_${section}` }) : null,
    ),
    el("p.faint", {}, ...facts(entry)),
    warnings.length ? el("ul.document-warnings.answer-sources", {}, warnings.map(warningNode)) : null,
    actions.edit ? buttons(entry, actions, body) : null,
  );
}

function facts({ section, name, body }) {
  const said = [
    section === "hospital" ? null : el("code", {}, name),
    body.phone ?? body.phones?.main,
    section === "tariffs" ? `${body.amount} ${body.currency ?? "EUR"}` : null,
    body.valid_from ? el("span", { words: ["valid_from", { date: date(body.valid_from) }] }) : null,
    body.valid_until ? el("span", { words: ["valid_until", { date: date(body.valid_until) }] }) : null,
    body.owner,
    body.confirmed_on ? el("span", { words: ["directory_confirmed_on", { date: date(body.confirmed_on) }] }) : null,
  ];
  return said.filter(Boolean).flatMap((part, at) => (at ? [" · ", part] : [part]));
}

function warningNode({ field, message }) {
  return el("li", {}, el("span", { words: nameWords(field.split(".")[0]) }), `: ${message}`);
}

function buttons(entry, actions, body) {
  const small = "button.small.quiet";
  const press = (action) => ({ on: { click: () => action(entry) } });
  const label = ["directory_confirm_label", { title: entry.title }];
  return el(
    "p.buttons",
    {},
    el(small, { ...press(actions.edit), test: "directory-edit", words: "directory_edit" }),
    body.confirmed_on
      ? el(small, { ...press(actions.confirm), label, test: "directory-confirm" }, el("span", { words: "directory_confirm" }))
      : null,
    entry.section === "hospital"
      ? null
      : el(
          `${small}.danger`,
          { ...press(actions.remove), test: "directory-remove" },
          icon("bin"),
          el("span", { words: "directory_remove" }),
        ),
  );
}
