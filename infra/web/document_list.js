/** The list of documents: newest first, by words and state, those that were not taken in apart with why. */

import { documentRow, stateOf } from "./document.js";
import { el, icon } from "./element.js";
import { matching } from "./filter.js";
import { reasonNote } from "./job.js";
import { Rows } from "./renewal.js";
import { word } from "./words.js";

const SHOWN = 100;
const STATES = ["live", "upcoming", "expired", "pending"];

/** `nodes` are for the page; `show(documents, failedJobs)` fills them; `actions`: `open`, `remove` and `retry(job)`. */
export class DocumentList {
  #actions;
  #documents = null;
  #jobs = new Map();
  #most = SHOWN;
  #parts = build();
  #whole = new Rows(this.#parts.list);
  #broken = new Rows(this.#parts.failedList);

  constructor(actions) {
    this.#actions = actions;
    const { filter, state, more } = this.#parts;
    const again = () => {
      this.#most = SHOWN;
      this.#fill();
    };
    filter.addEventListener("input", again);
    state.addEventListener("change", again);
    more.addEventListener("click", () => {
      this.#most += SHOWN;
      this.#fill();
    });
  }

  get nodes() {
    const { row, failed, nothing, list, more } = this.#parts;
    return { row, rest: [nothing, list, more, failed] };
  }

  get filter() {
    return this.#parts.filter;
  }

  /** Show the first of the documents while the others are on their way, unless there are some on the page already. */
  begin(documents) {
    if (!this.#documents) this.show(documents, []);
  }

  /** Show these documents; `jobs` are those that failed. */
  show(documents, jobs) {
    this.#documents = [...documents].sort((one, other) => moment(other).localeCompare(moment(one)));
    this.#jobs = new Map(jobs.map((job) => [`${job.doc_key} ${job.version}`, job]));
    this.#fill();
  }

  /** Write the list again, as after a change of language. */
  again() {
    if (this.#documents) this.#fill();
  }

  #fill() {
    const { filter, state, more, nothing, count, failed, failedWords } = this.#parts;
    const wanted = matching(this.#documents, filter.value, textsOf);
    const [broken, whole] = [wanted.filter(isFailed), wanted.filter((document) => !isFailed(document))];
    const found = whole.filter((document) => !state.value || stateOf(document) === state.value);
    const keyOf = ({ document }) => document.doc_key;
    const most = found.slice(0, this.#most).map((document) => ({ document }));
    this.#whole.show(most, keyOf, ({ document }) => ({ node: documentRow(document, this.#actions) }));
    more.hidden = found.length <= this.#most;
    const total = this.#documents.filter((document) => !isFailed(document)).length;
    if (found.length === total) word(count, "documents_n", { n: total });
    else word(count, "documents_some", { n: found.length, total });
    nothing.hidden = found.length > 0;
    word(nothing, total ? "documents_no_match" : "documents_none");
    failed.hidden = broken.length === 0;
    word(failedWords, "failed_apart", { n: broken.length });
    const tried = broken.map((document) => ({ document, job: this.#jobs.get(`${document.doc_key} ${document.version}`) }));
    this.#broken.show(tried, keyOf, (one) => ({ node: this.#failedRow(one) }));
  }

  #failedRow({ document, job }) {
    const row = documentRow(document, this.#actions);
    if (!job) return row;
    const spent = job.retry_count >= job.max_retries;
    row.append(
      reasonNote(job),
      spent ? el("p.faint", { words: "retries_used" }) : this.#retryButton(job),
    );
    return row;
  }

  #retryButton(job) {
    const click = () => this.#actions.retry(job);
    return el("button.small", { on: { click }, test: "retry-failed" }, icon("again"), el("span", { words: "retry" }));
  }
}

function build() {
  const filter = el("input", {
    type: "search",
    placeholder: "filter",
    label: "filter",
    autocomplete: "off",
    test: "filter",
  });
  const state = el(
    "select",
    { label: "filter_state", test: "filter-state" },
    el("option", { value: "", words: "state_any" }),
    STATES.map((name) => el("option", { value: name, words: `state_${name}` })),
  );
  const count = el("p.faint", { role: "status" });
  const row = el("div.filter-row", {}, filter, state, count);
  const failedWords = el("summary");
  const failedList = el("ul.documents");
  const failed = el("details.failed-documents", { hidden: true, open: true, test: "failed" }, failedWords, failedList);
  const nothing = el("p.empty", { hidden: true });
  const list = el("ul.documents", { test: "documents" });
  const more = el("button.small", { words: "more", hidden: true });
  return { filter, state, count, row, failed, failedWords, failedList, nothing, list, more };
}

const isFailed = ({ state }) => state === "failed";

const moment = ({ activated_at: activated, created_at: created }) => activated ?? created;

const textsOf = (document) => [
  document.title,
  document.doc_key,
  document.file_name,
  document.language,
  document.source_type,
  stateOf(document),
  document.audience,
];
