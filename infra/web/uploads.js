/** Sends files with real progress and follows their indexing jobs until they have completed or failed. */

import { address, authorization, changeHeaders, json, offline, problemOf, Refusal } from "./api.js";
import { jobRow } from "./job.js";
import { LARGE, putLarge } from "./put_upload.js";
import { handling } from "./renewal.js";

const POLL = 400;
const POLL_SLOWEST = 8000;
const AT_ONCE = 2;
// While others are still on their way, the list of documents is not loaded anew for each one that has arrived.
const BETWEEN = 5000;
// A file that was put into the storage has its job as soon as the storage has told of it.
const ANNOUNCED = 60_000;
const OPEN = ["pending", "running"];
const UNFINISHED = ["queued", "uploading", ...OPEN];
const WORTH_REPEATING = [0, 408, 409, 429];

/** The uploads and indexing jobs shown in one list. */
export class Uploads {
  #place;
  #hooks;
  #rows = new Set();
  #queue = [];
  #dismissed = new Set();
  #sending = 0;
  #timer = null;
  #wait = POLL;
  #ended = false;
  #told = 0;

  /**
   * `fields()` gives the extra form fields of an upload; `onIndexed()` is called when all jobs have ended, and
   * now and then before, where some have;
   * `onCount(n)` hears how many uploads and jobs are still open; `onHeld(job)` leads to what a job held back.
   */
  constructor(place, { fields, onIndexed, onCount, onHeld }) {
    this.#place = place;
    this.#hooks = { fields, onIndexed, onCount, onHeld };
  }

  /** Send files, a few at a time, and follow what becomes of them. */
  add(files) {
    const extra = this.#hooks.fields();
    for (const file of files)
      this.#queue.push({ file, extra, row: this.#put({ file_name: file.name, state: "queued" }) });
    this.#next();
  }

  /** Jobs the server knows of that are still open or have failed; those already on the list stay as they are. */
  async load() {
    const { jobs } = await json(["jobs"], { query: { limit: 50 } });
    const known = new Set([...this.#rows].map(({ job }) => job.job_id));
    for (const id of this.#dismissed) known.add(id);
    const wanted = jobs.filter((job) => [...OPEN, "failed"].includes(job.state) && !known.has(job.job_id));
    wanted.reverse().forEach((job) => this.#put(job));
    this.#poll();
  }

  /** Run a failed job again, on the list or not. */
  retry(job) {
    const known = [...this.#rows].find((row) => row.job.job_id === job.job_id);
    this.#retry(known ?? this.#put(job));
  }

  #next() {
    while (this.#sending < AT_ONCE && this.#queue.length) {
      this.#sending += 1;
      this.#send(this.#queue.shift()).finally(() => {
        this.#sending -= 1;
        this.#next();
        this.#tell();
      });
    }
  }

  async #send(upload) {
    const { file, extra, row } = upload;
    try {
      const told = (share) => this.#change(row, { state: "uploading", share });
      const large = file.size > LARGE;
      const answer = large ? { job: await putLarge(file, extra, told) } : await post(file, extra, told);
      if (answer.unchanged) this.#change(row, { ...answer.document, file_name: file.name, state: "unchanged" });
      else this.#adopt(row, answer.job);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status } = error.problem;
      const worthwhile = status >= 500 || WORTH_REPEATING.includes(status);
      const again = worthwhile ? () => this.#sendAgain(upload) : null;
      this.#change(row, { state: "failed", problem: error.problem, again });
    }
  }

  #sendAgain(upload) {
    this.#change(upload.row, { problem: null, again: null, state: "queued", share: 0 });
    this.#queue.push(upload);
    this.#next();
  }

  #put(job) {
    const row = { job };
    const held = () => this.#hooks.onHeld(row.job);
    row.view = jobRow({ retry: () => this.#retry(row), dismiss: () => this.#drop(row), held });
    this.#rows.add(row);
    this.#place.prepend(row.view.node);
    this.#change(row, {});
    return row;
  }

  #change(row, values) {
    row.job = { ...row.job, ...values };
    row.view.update(row.job);
    this.#hooks.onCount([...this.#rows].filter(({ job }) => UNFINISHED.includes(job.state)).length);
  }

  #adopt(row, job) {
    // The server replaces a failed job of the same document, so the list does not keep it either.
    for (const other of this.#rows)
      if (other !== row && other.job.state === "failed" && other.job.doc_key === job.doc_key) this.#drop(other);
    this.#change(row, { ...job, problem: null, again: null });
    this.#wait = POLL;
    this.#poll();
  }

  #drop(row) {
    this.#rows.delete(row);
    this.#dismissed.add(row.job.job_id);
    handling(this.#place, () => row.view.node.remove());
    this.#change(row, {});
  }

  async #retry(row) {
    if (row.job.again) {
      row.job.again();
      return;
    }
    try {
      const answer = await json(["jobs", row.job.job_id, "retry"], { method: "POST" });
      this.#adopt(row, answer.job ?? answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#change(row, { problem: error.problem });
    }
  }

  /** Ask after the open jobs, less often while nothing moves. */
  #poll() {
    clearTimeout(this.#timer);
    const open = [...this.#rows].filter(({ job }) => job.job_id && OPEN.includes(job.state));
    if (!open.length) return;
    this.#timer = setTimeout(async () => {
      const moved = await Promise.all(open.map((row) => this.#look(row)));
      this.#wait = moved.some(Boolean) ? POLL : Math.min(this.#wait * 1.4, POLL_SLOWEST);
      this.#tell();
      this.#poll();
    }, this.#wait);
  }

  /** Tell that jobs have ended, once for all of them that did since. */
  #tell() {
    const isBusy = [...this.#rows].some(({ job }) => UNFINISHED.includes(job.state));
    if (!this.#ended || (isBusy && Date.now() - this.#told < BETWEEN)) return;
    this.#ended = false;
    this.#told = Date.now();
    this.#hooks.onIndexed();
  }

  /** Ask after one job; true when it has moved. A question that fails is asked again at the next round. */
  async #look(row) {
    try {
      const answer = await json(["jobs", row.job.job_id]);
      const job = answer.job ?? answer;
      const moved = ["state", "stage", "processed_chunks"].some((name) => job[name] !== row.job[name]);
      this.#change(row, { ...job, problem: null });
      if (moved && !OPEN.includes(job.state)) this.#ended = true;
      return moved;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.problem.status === 404 && Date.now() - (row.job.announced ?? 0) < ANNOUNCED) return false;
      const gone = error.problem.status === 404;
      this.#change(row, { problem: error.problem, state: gone ? "failed" : row.job.state });
      return false;
    }
  }
}

/** Post one file; the parsed answer. `onShare` hears the share sent, 0 to 1. Raises: Refusal. */
async function post(file, extra, onShare) {
  const headers = { ...(await changeHeaders()), ...(await authorization()) };
  const form = new FormData();
  for (const [name, value] of Object.entries(extra)) if (value) form.append(name, value);
  form.append("file", file, file.name);
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.upload.addEventListener("progress", (event) => event.lengthComputable && onShare(event.loaded / event.total));
    call.addEventListener("error", () => reject(new Refusal(offline())));
    call.addEventListener("load", () => {
      const good = call.status >= 200 && call.status < 300;
      const answer = good ? parsed(call.responseText) : null;
      if (answer) resolve(answer);
      else reject(new Refusal(problemOf(good ? "" : call.responseText, call.status)));
    });
    call.open("POST", address(["documents"]));
    call.setRequestHeader("Accept", "application/json");
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
    call.send(form);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
