/** The Directory tab: what people have confirmed of the hospital, to be searched, added, edited, removed and imported. */

import { json, Refusal, request } from "../api.js";
import { confirmed } from "../confirm.js";
import { announce, el, icon } from "../element.js";
import { matching } from "../filter.js";
import { problemNode } from "../problem.js";
import { Rows } from "../renewal.js";
import { may } from "../session.js";
import { onLanguage, say, spoken, word } from "../words.js";
import { showHistory } from "./changes.js";
import { SECTIONS } from "./description.js";
import { entriesOf, textsOf } from "./entries.js";
import { FORMS, importFile, save, saveTemplate } from "./files.js";
import { writeEntry } from "./form.js";
import { entryRow } from "./row.js";

const PLACE = ["admin", "directory"];
/** Rows that are shown at once. */
const SHOWN = 200;
const MERGE_PATCH = { "Content-Type": "application/merge-patch+json" };

/** The tab in `leaf`. */
export class Directory {
  #parts = build();
  #list = new Rows(this.#parts.list);
  #directory = {};
  #entries = [];
  #warnings = new Map();
  #edition = null;
  #section = "departments";
  #asked = 0;

  constructor(leaf) {
    const { nodes, add, choose, input, search, history, template, forms, sections } = this.#parts;
    leaf.replaceChildren(...nodes);
    sections.append(...SECTIONS.map((section) => this.#sectionButton(section)));
    add.addEventListener("click", () => this.#write(this.#section, null));
    choose.addEventListener("click", () => input.click());
    input.addEventListener("change", () => this.#import(input));
    search.addEventListener("input", () => this.#show());
    history.addEventListener("click", () => showHistory({ mayUndo: may("admin"), changed: () => this.refresh() }));
    template.addEventListener("click", () => this.#attempt(() => saveTemplate(spoken())));
    for (const [form, button] of Object.entries(forms)) {
      button.addEventListener("click", () => this.#attempt(() => save(form)));
    }
    onLanguage(() => this.#edition !== null && this.#show());
  }

  /** Bring the directory up to date. */
  async refresh() {
    this.#asked += 1;
    const mine = this.#asked;
    await this.#attempt(async () => {
      const [response, { problems }] = await Promise.all([request(PLACE), json([...PLACE, "check"])]);
      const directory = await response.json();
      if (mine !== this.#asked) return;
      this.#directory = directory;
      this.#edition = Number((response.headers.get("etag") ?? "").replace(/\D/g, ""));
      this.#warnings = grouped(problems);
      this.#show();
    });
  }

  #sectionButton(section) {
    const press = () => {
      this.#section = section;
      this.#parts.search.value = "";
      this.#show();
    };
    const name = el("span", { words: `directory_section_${section}` });
    const properties = { "data-section": section, on: { click: press }, test: `directory-section-${section}` };
    return el("li", {}, el("button.small", properties, name, el("span.count")));
  }

  #show() {
    const { sections, search, count, nothing, edition, add } = this.#parts;
    this.#entries = entriesOf(this.#directory);
    const wanted = search.value.trim();
    const those = this.#entries.filter(({ section }) => wanted || section === this.#section);
    const found = wanted ? matching(those, wanted, textsOf) : those;
    const actions = may("admin")
      ? {
          edit: ({ section, name }) => this.#write(section, name),
          remove: (entry) => this.#remove(entry),
          confirm: (entry) => this.#confirm(entry),
        }
      : {};
    const rowOf = (one) => ({ node: entryRow(one, this.#warnings.get(keyOf(one)) ?? [], actions, wanted) });
    this.#list.show(found.slice(0, SHOWN), keyOf, rowOf);
    for (const button of sections.querySelectorAll("button")) {
      const { section } = button.dataset;
      button.setAttribute("aria-pressed", String(!wanted && section === this.#section));
      button.querySelector(".count").textContent = this.#entries.filter((one) => one.section === section).length;
    }
    if (found.length > SHOWN) word(count, "directory_first", { n: SHOWN });
    else word(count, "directory_n", { n: found.length });
    word(edition, "directory_edition", { n: this.#edition });
    nothing.hidden = found.length > 0;
    word(nothing, this.#edition ? (wanted ? "directory_nothing" : "directory_empty") : "directory_none");
    for (const node of this.#parts.changing) node.hidden = !may("admin");
    add.hidden ||= this.#section === "hospital";
  }

  #write(section, name) {
    return this.#attempt(async () => {
      const saved = await writeEntry({ section, name, directory: this.#directory });
      if (!saved) return;
      announce(say(saved.changes.length ? "directory_saved" : "directory_unchanged"));
      await this.refresh();
      this.#row(section, name ?? saved.changes[0]?.entry).focus();
    });
  }

  #row(section, name) {
    return this.#list.get(keyOf({ section, name }))?.node.querySelector("button") ?? this.#parts.search;
  }

  async #remove({ section, name, title }) {
    const act = () => json([...PLACE, section, name], { method: "DELETE" });
    const text = ["directory_remove_text", { title }];
    const asked = { title: "directory_remove_title", text, agree: "directory_remove", test: "confirm-directory-remove", act };
    if (!(await confirmed(asked))) return;
    announce(say("directory_removed", { title }));
    this.#parts.search.focus();
    await this.refresh();
  }

  #confirm({ section, name, title }) {
    return this.#attempt(async () => {
      const now = new Date();
      const pad = (number) => String(number).padStart(2, "0");
      const today = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
      const body = JSON.stringify({ confirmed_on: today });
      await json([...PLACE, section, name], { method: "PATCH", headers: MERGE_PATCH, body });
      announce(say("directory_confirmed", { title }));
      await this.refresh();
      this.#row(section, name).focus();
    });
  }

  async #import(input) {
    const [file] = input.files;
    input.value = "";
    if (await importFile(file)) await this.refresh();
  }

  async #attempt(work) {
    const { trouble } = this.#parts;
    trouble.replaceChildren();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      trouble.replaceChildren(problemNode(error.problem, () => this.refresh()));
    }
  }
}

const keyOf = ({ section, entry, name }) => `${section}/${entry ?? name}`;

function grouped(problems) {
  const found = new Map();
  for (const one of problems) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return found;
}

function build() {
  const add = el("button.primary", { test: "directory-add" }, el("span", { words: "directory_add" }));
  const accept = ".yaml,.yml,.xlsx,.json";
  const input = el("input", { type: "file", accept, test: "directory-file-input", hidden: true });
  const choose = el("button", { test: "directory-import" }, icon("upload"), el("span", { words: "directory_import" }));
  const history = el("button", { test: "directory-history-open" }, icon("history"), el("span", { words: "directory_history" }));
  const template = el("button.small.quiet", { words: "directory_template", test: "directory-template" });
  const button = ([form, name]) => [form, el("button.small.quiet", { test: `directory-save-${form}` }, name)];
  const forms = Object.fromEntries(Object.entries(FORMS).map(button));
  const search = el("input", {
    type: "search",
    placeholder: "directory_search",
    label: "directory_search",
    autocomplete: "off",
    test: "directory-search",
  });
  const sections = el("ul.directory-sections", { label: "directory_sections" });
  const edition = el("span.faint", {});
  const count = el("p.faint", { role: "status" });
  const trouble = el("div.trouble");
  const nothing = el("p.empty", { hidden: true });
  const list = el("ul.documents");
  const nodes = [
    el("p.faint", { words: "directory_about" }),
    el("p.buttons.answers-add", {}, add, choose, input, history),
    el("p.directory-files", {}, el("span.faint", { words: "directory_export" }), ...Object.values(forms), template, edition),
    sections,
    el("div.filter-row", {}, search, count),
    trouble,
    nothing,
    list,
  ];
  const changing = [add, choose];
  return { nodes, add, choose, input, history, template, forms, search, sections, edition, count, trouble, nothing, list, changing };
}
