/** A quiet line while the server loads what it serves without at first: the models, then documents. */

import { health } from "./api.js";
import { announce, el } from "./element.js";
import { say, word } from "./words.js";

const EVERY_MS = 1000;
const COUNTED = /^loading (\d+) of (\d+)$/;

/** Show in `line` how far loading is, until it has ended; then call `ended()`. Read aloud are its begin and its end. */
export async function showLoading(line, ended) {
  let found = await health();
  if (found.status !== "loading") return;
  const text = el("span");
  const bar = el("progress", { label: "loading_label", test: "loading-bar" });
  line.replaceChildren(text, bar);
  line.hidden = false;
  announce(say("loading_begun"));
  while (found.status === "loading") {
    update(found.parts ?? {}, text, bar);
    await new Promise((done) => setTimeout(done, EVERY_MS));
    found = await health();
  }
  line.hidden = found.status === "ok" || !found.status;
  bar.remove();
  if (!line.hidden) word(text, "loading_failed");
  if (found.status) announce(say(line.hidden ? "loading_ended" : "loading_failed"), { urgent: !line.hidden });
  ended();
}

function update({ models, documents }, text, bar) {
  const [, done, total] = (models === "ok" && COUNTED.exec(documents ?? "")) || [];
  if (total === undefined) {
    bar.removeAttribute("value");
    word(text, documents === undefined || models !== "ok" ? "loading_models" : "loading_begun");
    return;
  }
  bar.max = Number(total);
  bar.value = Number(done);
  word(text, "loading_documents", { done, total });
}
