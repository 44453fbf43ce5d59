/** Passages that were held back: where they stand, why, and what a person decides about each. */

import { json, Refusal } from "./api.js";
import { el } from "./element.js";
import { problemNode } from "./problem.js";
import { hasWords } from "./words.js";

/** The list of passages held back; `onDecided()` is called when one was released or discarded. */
export class Quarantine {
  node = el("section.quarantine", { test: "quarantine" });
  #onDecided;

  constructor({ onDecided }) {
    this.#onDecided = onDecided;
  }

  /** Bring the list up to date; it takes no room while nothing is held back. */
  async refresh() {
    try {
      const { held_back: held } = await json(["admin", "quarantine"]);
      this.node.hidden = !held.length;
      this.node.replaceChildren(el("h3", { words: "quarantine" }), el("ul.jobs", {}, ...held.map((one) => this.#row(one))));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.node.hidden = false;
      this.node.replaceChildren(problemNode(error.problem, () => this.refresh()));
    }
  }

  #row(held) {
    const trouble = el("div.trouble");
    const decide = (verb) => () => this.#decide(held.passage_id, verb, trouble);
    return el(
      "li.job",
      { test: "held-back" },
      el("div.job-head", {}, el("span.job-name", {}, held.title), el("span", { words: ["page", { n: held.page }] })),
      el("p.job-reason", {}, ...held.reasons.map((reason) => reasonNode(reason))),
      el("blockquote", {}, held.excerpt),
      el("button.small", { on: { click: decide("release") }, test: "release", words: "release" }),
      el("button.small", { on: { click: decide("discard") }, test: "discard", words: "discard" }),
      trouble,
    );
  }

  async #decide(passage, verb, trouble) {
    trouble.replaceChildren();
    try {
      await json(["admin", "quarantine", passage, verb], { method: "POST" });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      trouble.replaceChildren(problemNode(error.problem));
      return;
    }
    await this.refresh();
    this.#onDecided();
  }
}

function reasonNode(reason) {
  const words = `held_${reason}`;
  return hasWords(words) ? el("span", { words }) : el("code", {}, reason);
}
