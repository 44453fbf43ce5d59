/** The Documents tab: uploads by drop or button, the list of documents, and deletion. */

import { json, Refusal } from "./api.js";
import { confirmed } from "./confirm.js";
import { DocumentList } from "./document_list.js";
import { announce, el, icon } from "./element.js";
import { languageOptions } from "./languages.js";
import { problemNode } from "./problem.js";
import { Quarantine } from "./quarantine/quarantine.js";
import { Uploads } from "./uploads.js";
import { onLanguage, say } from "./words.js";

const PAGE = 1000;
const ACCEPTED = ".pdf,.docx,.docm,.dotx,.html,.htm,.md,.markdown,.txt,.jsonl";

/** The tab in `leaf`; `open(document, from)` shows a document's text, `changed()` hears that other things can be told. */
export class Documents {
  #parts = build();
  #changed;
  #uploads;
  #quarantine;
  #list;
  #asked = 0;

  constructor(leaf, { open, changed }) {
    const { upload, fields, jobs, jobsTrouble, trouble, choose, input } = this.#parts;
    this.#changed = changed;
    this.#quarantine = new Quarantine({ onDecided: () => this.#renew(), open });
    const onHeld = (job) => this.#quarantine.lead(job.held.map((one) => one.passage_id));
    this.#uploads = new Uploads(jobs, { fields, onIndexed: () => this.#renew(), onCount: countJobs, onHeld });
    const retry = (job) => this.#uploads.retry(job);
    this.#list = new DocumentList({ open, remove: (document) => this.#remove(document), retry });
    const { row, rest } = this.#list.nodes;
    leaf.replaceChildren(...upload, jobsTrouble, jobs, row, trouble, ...rest, this.#quarantine.node);
    choose.addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      this.#uploads.add([...input.files]);
      input.value = "";
    });
    acceptDrops(leaf, (files) => this.#uploads.add(files));
    onLanguage(() => this.#list.again());
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

  /** What can be told has become another thing. */
  #renew() {
    this.#changed();
    return this.#reload();
  }

  async #reload() {
    await this.#load();
    // One trouble is told once.
    if (!this.#parts.trouble.hasChildNodes()) await this.#quarantine.refresh();
  }

  async #load() {
    const { trouble } = this.#parts;
    this.#asked += 1;
    const mine = this.#asked;
    trouble.replaceChildren();
    try {
      const [documents, { jobs }] = await Promise.all([
        everyDocument((some) => mine === this.#asked && this.#list.begin(some)),
        json(["jobs"], { query: { state: "failed", limit: PAGE } }),
      ]);
      if (mine === this.#asked) this.#list.show(documents, jobs);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (mine === this.#asked) trouble.replaceChildren(problemNode(error.problem, () => this.refresh()));
    }
  }

  async #remove(document) {
    const title = document.title || document.file_name;
    const act = () => json(["documents", document.doc_key], { method: "DELETE" });
    const text = ["delete_text", { title, key: document.doc_key }];
    if (!(await confirmed({ title: "delete_title", text, agree: "delete", test: "confirm-delete", act }))) return;
    announce(say("deleted", { title }));
    this.#list.filter.focus();
    await this.#renew();
  }
}

/** Every document, page by page; `soon(documents)` hears of the first page where there are more. */
async function everyDocument(soon) {
  const found = [];
  let after = null;
  do {
    const { documents, next } = await json(["documents"], { query: { limit: PAGE, after } });
    found.push(...documents);
    if (next && !after) soon(found);
    after = next;
  } while (after);
  return found;
}

function build() {
  const input = el("input", { type: "file", multiple: true, accept: ACCEPTED, test: "file-input", hidden: true });
  const choose = el("button", {}, icon("upload"), el("span", { words: "choose_files" }));
  const details = uploadDetails();
  const jobs = el("ul.jobs", { label: "jobs" });
  const trouble = el("div.trouble");
  const jobsTrouble = el("div.trouble");
  const zone = el(
    "div.zone",
    {},
    input,
    el("p.zone-words", {}, el("span.at-rest", { words: "drop_here" }), el("span.on-drop", { words: "drop_now" })),
    choose,
  );
  return { upload: [zone, details.node], input, choose, fields: details.fields, jobsTrouble, jobs, trouble };
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
  const language = el("select", {}, languageOptions());
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
