/** The Documents tab: uploads by drop or button, the list with its filter, versions, and deletion. */

import { json, Refusal } from "./api.js";
import { confirmDeletion } from "./deletion.js";
import { documentRow } from "./document.js";
import { announce, el, icon } from "./element.js";
import { problemNode } from "./problem.js";
import { Quarantine } from "./quarantine.js";
import { Uploads } from "./uploads.js";
import { onLanguage, say, word } from "./words.js";

const PAGE = 100;
const ACCEPTED = ".pdf,.docx,.html,.htm,.md,.markdown,.txt,.jsonl";

/** The tab in `leaf`; `open(document, from)` shows a document's text. */
export class Documents {
  #parts = build();
  #open;
  #uploads;
  #quarantine;
  #documents = [];
  #next = null;
  #loaded = false;
  #asked = 0;
  #filling = false;

  constructor(leaf, { open }) {
    const { nodes, fields, jobs, choose, input, filter, more } = this.#parts;
    this.#open = open;
    this.#uploads = new Uploads(jobs, { fields, onIndexed: () => this.#reload(), onCount: countJobs });
    this.#quarantine = new Quarantine({ onDecided: () => this.#reload() });
    leaf.replaceChildren(...nodes, this.#quarantine.node);
    choose.addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      this.#uploads.add([...input.files]);
      input.value = "";
    });
    filter.addEventListener("input", () => {
      this.#show();
      this.#fill();
    });
    more.addEventListener("click", () => this.#load(this.#next, this.#documents));
    acceptDrops(leaf, (files) => this.#uploads.add(files));
    onLanguage(() => this.#show());
  }

  /** Bring documents and jobs up to date. */
  async refresh() {
    const jobs = this.#loadJobs();
    await this.#reload();
    await jobs;
    // When neither could be had it is one trouble, and trying again brings both.
    const { trouble, jobsTrouble } = this.#parts;
    if (trouble.hasChildNodes()) jobsTrouble.replaceChildren();
  }

  async #loadJobs() {
    const { jobsTrouble } = this.#parts;
    jobsTrouble.replaceChildren();
    try {
      await this.#uploads.load();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      jobsTrouble.replaceChildren(problemNode(error.problem, () => this.#loadJobs()));
    }
  }

  async #reload() {
    await this.#load(null, []);
    // One trouble is told once.
    if (!this.#parts.trouble.hasChildNodes()) await this.#quarantine.refresh();
    await this.#fill();
  }

  async #load(after, kept) {
    const { trouble } = this.#parts;
    this.#asked += 1;
    const mine = this.#asked;
    trouble.replaceChildren();
    try {
      const { documents, next } = await json(["documents"], { query: { limit: PAGE, after } });
      if (mine !== this.#asked) return;
      this.#documents = [...kept, ...documents];
      this.#next = next;
      this.#loaded = true;
      this.#show();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const again = () => (after ? this.#load(after, kept) : this.refresh());
      if (mine === this.#asked) trouble.replaceChildren(problemNode(error.problem, again));
    }
  }

  /** A filter looks at every document, so the pages not loaded yet are fetched. */
  async #fill() {
    if (this.#filling) return;
    this.#filling = true;
    const { filter, trouble } = this.#parts;
    while (filter.value && this.#next && !trouble.hasChildNodes()) await this.#load(this.#next, this.#documents);
    this.#filling = false;
  }

  #show() {
    const { filter, list, more } = this.#parts;
    const wanted = fold(filter.value);
    const shown = this.#documents.filter((document) => matches(document, wanted));
    const remove = (document) => this.#remove(document);
    list.replaceChildren(...shown.map((document) => documentRow(document, { open: this.#open, remove })));
    more.hidden = !this.#next || wanted !== "";
    if (this.#loaded) this.#count(shown.length, wanted);
  }

  #count(shown, wanted) {
    const { count, nothing } = this.#parts;
    const total = this.#documents.length;
    if (this.#next && !wanted) word(count, "documents_first", { n: total });
    else if (shown === total) word(count, "documents_n", { n: total });
    else word(count, "documents_some", { n: shown, total });
    nothing.hidden = shown > 0;
    word(nothing, total ? "documents_no_match" : "documents_none");
  }

  async #remove(document) {
    const title = document.title || document.file_name;
    if (!(await confirmDeletion(document))) return;
    announce(say("deleted", { title }));
    this.#parts.filter.focus();
    await this.#reload();
  }
}

function build() {
  const input = el("input", { type: "file", multiple: true, accept: ACCEPTED, test: "file-input", hidden: true });
  const choose = el("button", {}, icon("upload"), el("span", { words: "choose_files" }));
  const details = uploadDetails();
  const jobs = el("ul.jobs", { label: "jobs" });
  const filter = el("input", {
    type: "search",
    placeholder: "filter",
    label: "filter",
    autocomplete: "off",
    test: "filter",
  });
  const count = el("p.faint", { role: "status" });
  const filterRow = el("div.filter-row", {}, filter, count);
  const trouble = el("div.trouble");
  const jobsTrouble = el("div.trouble");
  const nothing = el("p.empty", { hidden: true });
  const list = el("ul.documents");
  const more = el("button.small", { words: "more", hidden: true });
  const zone = el(
    "div.zone",
    {},
    input,
    el("p.zone-words", {}, el("span.at-rest", { words: "drop_here" }), el("span.on-drop", { words: "drop_now" })),
    choose,
  );
  const nodes = [zone, details.node, jobsTrouble, jobs, filterRow, trouble, nothing, list, more];
  const { fields } = details;
  return { nodes, input, choose, fields, jobsTrouble, jobs, filter, count, trouble, nothing, list, more };
}

function uploadDetails() {
  const option = (value, words) => el("option", { value, words });
  const audience = el(
    "select",
    {},
    option("", "audience_default"),
    option("public", "audience_public"),
    option("clinician", "audience_clinician"),
  );
  const names = { nl: "Nederlands", en: "English", fr: "Français", it: "Italiano" };
  const language = el(
    "select",
    {},
    option("", "document_language_auto"),
    Object.entries(names).map(([value, name]) => el("option", { value, lang: value }, name)),
  );
  const type = el("input", { type: "text", placeholder: "source_type_hint", autocomplete: "off", maxlength: "64" });
  const field = (words, control) => el("label", {}, el("span", { words }), control);
  const node = el(
    "details.upload-details",
    {},
    el("summary", { words: "upload_options" }),
    el("div.fields", {}, field("audience", audience), field("document_language", language), field("source_type", type)),
  );
  return {
    node,
    fields: () => ({ audience: audience.value, language: language.value, source_type: type.value.trim() }),
  };
}

function acceptDrops(leaf, add) {
  let depth = 0;
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  const mark = (change) => {
    depth = Math.max(0, depth + change);
    leaf.classList.toggle("dropping", depth > 0);
  };
  leaf.addEventListener("dragenter", (event) => holdsFiles(event) && mark(1));
  leaf.addEventListener("dragleave", (event) => holdsFiles(event) && mark(-1));
  leaf.addEventListener("drop", (event) => {
    mark(-depth);
    add([...event.dataTransfer.files]);
  });
  // A file let go beside the tab would replace the whole page and the conversation with it.
  for (const name of ["dragover", "drop"])
    window.addEventListener(name, (event) => holdsFiles(event) && event.preventDefault());
}

function countJobs(open) {
  const badge = document.getElementById("jobs-count");
  badge.hidden = open === 0;
  badge.textContent = String(open);
}

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

function matches(document, wanted) {
  const said = [
    document.title,
    document.doc_key,
    document.file_name,
    document.language,
    document.source_type,
    document.state,
    document.audience,
  ];
  const text = fold(said.filter(Boolean).join(" "));
  return wanted.split(/\s+/).every((part) => text.includes(part));
}
