/** How one upload or indexing job looks: its state in colour, icon and word, its progress, and what can be done. */

import { el, icon } from "./element.js";
import { problemNode } from "./problem.js";
import { renew } from "./renewal.js";
import { hasWords, word } from "./words.js";

const BUSY = ["queued", "uploading", "pending", "running"];

/** The node of a job and `update(job)`; `actions`: `retry()`, `dismiss()` and `held()`. */
export function jobRow(actions) {
  const parts = {
    name: el("span.job-name"),
    state: el("span.state"),
    dismiss: el(
      "button.small.quiet",
      { label: "dismiss", title: "dismiss", on: { click: actions.dismiss } },
      icon("cross"),
    ),
    progress: el("progress", { max: "1" }),
    note: el("div.job-note"),
  };
  const head = el("div.job-head", {}, icon("file"), parts.name, parts.state, parts.dismiss);
  const node = el("li.job", { test: "job" }, head, parts.progress, parts.note);
  return { node, update: (job) => update(job, node, parts, actions) };
}

function update(job, node, parts, actions) {
  node.dataset.state = job.state;
  parts.name.textContent = job.file_name;
  parts.name.title = job.file_name;
  word(parts.state, stateWord(job.state));
  parts.state.className = `state is-${job.state}`;
  parts.dismiss.hidden = BUSY.includes(job.state);
  showProgress(job, parts.progress);
  // A job that runs is asked after several times in a second.
  renew(parts.note, ...notes(job, actions).filter(Boolean));
}

const stateWord = (state) =>
  ({ queued: "state_pending", uploading: "uploading", unchanged: "state_completed" })[state] ?? `state_${state}`;

function showProgress(job, progress) {
  progress.hidden = !BUSY.includes(job.state);
  const share = shareOf(job);
  if (share === null) progress.removeAttribute("value");
  else progress.value = share;
  word(progress, stateWord(job.state), {}, "aria-label");
}

/** How far a job is, 0 to 1, or null while nobody can tell. */
function shareOf({ state, share = null, total_chunks: total, processed_chunks: done }) {
  if (state === "uploading") return share;
  return state === "running" && total ? done / total : null;
}

function notes(job, actions) {
  const failed = job.state === "failed";
  const spent = failed && job.max_retries !== undefined && job.retry_count >= job.max_retries;
  const retriable = failed && !spent && (job.again || job.job_id);
  return [
    job.state === "unchanged" ? el("p.faint", { words: "unchanged" }) : null,
    job.doc_key && job.state !== "unchanged" ? keyNote(job) : null,
    BUSY.includes(job.state) && job.stage ? stageNote(job) : null,
    failed && job.error_message ? reasonNote(job) : null,
    job.held_back ? heldButton(job, actions) : null,
    job.problem ? problemNode(job.problem) : null,
    failed && job.retry_count
      ? el("p.faint", { words: ["attempts", { n: job.retry_count, max: job.max_retries }] })
      : null,
    spent ? el("p.faint", { words: "retries_used" }) : null,
    retriable ? retryButton(actions) : null,
  ];
}

const keyNote = (job) =>
  el(
    "p.faint",
    {},
    el("code", {}, job.doc_key),
    " ",
    el("span", { words: ["version", { n: job.version }] }),
    job.version > 1 ? el("span", { words: ["takes_place", { n: job.version - 1 }] }) : null,
  );

/** The reason in the reader's language where it needs no figures; else as the server says it. */
export function reasonNote({ error_type: type, error_message: message }) {
  const words = `reason_${type}`;
  const said = hasWords(words) ? el("span", { words }) : message;
  return el("p.job-reason", {}, said, type ? el("code", {}, ` ${type}`) : null);
}

function stageNote(job) {
  const values = { done: job.processed_chunks, total: job.total_chunks };
  const counted = job.total_chunks ? el("span", { words: ["chunks_progress", values] }) : null;
  return el("p.faint", {}, job.stage.replaceAll("_", " "), counted ? " · " : null, counted);
}

const heldButton = (job, actions) =>
  el("button.small.held-link", { on: { click: actions.held }, test: "show-held" }, icon("warning"), el("span", { words: ["held_back", { n: job.held_back }] }));

const retryButton = (actions) =>
  el("button.small", { on: { click: actions.retry }, test: "retry" }, icon("again"), el("span", { words: "retry" }));
