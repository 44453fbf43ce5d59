/** Passages that were held back: where they stand, why, and what a person decides about each. */

import { json, Refusal } from "../api.js";
import { announce, el } from "../element.js";
import { problemNode } from "../problem.js";
import { Rows } from "../renewal.js";
import { say } from "../words.js";
import { heldPassage } from "./passage.js";

/** Passages whose text is shown without being asked for; a long list would load them all. */
const OPEN = 5;

/**
 * The list of passages held back. `onDecided()` is called when it is settled what is told of one; `open(document, from)`
 * shows a document's text.
 */
export class Quarantine {
  node = el("section.quarantine", { test: "quarantine", "aria-labelledby": "quarantine-title" });
  #actions;
  #list = el("ul.held-list");
  // A row that is being read stays as it is, with what was opened in it.
  #rows = new Rows(this.#list, { isKept: true });
  #trouble = el("div.trouble");

  constructor({ onDecided, open }) {
    this.#actions = { onDecided, open };
    this.node.hidden = true;
    this.node.append(
      el("h3", { words: "quarantine", id: "quarantine-title", tabindex: "-1" }),
      el("p.faint", { words: "quarantine_note" }),
      this.#trouble,
      this.#list,
    );
  }

  /** Bring the list up to date; it takes no room while nothing is held back. */
  async refresh() {
    try {
      const { held_back: held } = await json(["admin", "quarantine"]);
      this.#trouble.replaceChildren();
      this.#rows.show(held, ({ passage_id: id }) => id, (one, at) => this.#row(one, at < OPEN));
      this.node.hidden = !held.length;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.node.hidden = false;
      this.#trouble.replaceChildren(problemNode(error.problem, () => this.refresh()));
    }
  }

  /** Lead to the first of these passages that still waits; one that was decided about is announced as such. */
  async lead(names) {
    await this.refresh();
    const row = names.map((name) => this.#rows.get(name)).find(Boolean);
    if (row) row.enter();
    else announce(say("held_all_decided"));
  }

  #row(held, open) {
    return heldPassage(held, { open, show: this.#actions.open, decided: (made) => this.#decided(made) });
  }

  async #decided(made) {
    announce(say(made.settled ? `held_${made.decision}` : "held_part_decided"));
    if (!made.settled) return;
    await this.refresh();
    // The row is gone with its buttons; the keyboard goes on from the list, or from the page where that is gone too.
    const at = this.node.hidden ? this.node.closest('[role="tabpanel"]') : document.getElementById("quarantine-title");
    at?.focus({ preventScroll: true });
    this.#actions.onDecided();
  }
}
