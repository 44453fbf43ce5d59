/** The Directory tab's views: the entries, what documents propose for them, and where documents contradict them. */

import { Refusal } from "../api.js";
import { Directory } from "../directory/directory.js";
import { el } from "../element.js";
import { Contradictions } from "./contradictions.js";
import { listed } from "./decisions.js";
import { Proposals } from "./proposals.js";

const VIEWS = ["entries", "proposals", "contradictions"];

/** The tab in `leaf`; `open(document, from)` shows a passage, `count(n)` hears how many proposals wait. */
export class DirectoryViews {
  #view = VIEWS[0];
  #boxes = Object.fromEntries(VIEWS.map((name) => [name, el("div", { hidden: true })]));
  #buttons;
  #views;
  #count;

  constructor(leaf, { open, count }) {
    const changed = () => this.count();
    this.#count = count;
    this.#views = {
      entries: new Directory(this.#boxes.entries),
      proposals: new Proposals(this.#boxes.proposals, { open, changed }),
      contradictions: new Contradictions(this.#boxes.contradictions, { open, changed }),
    };
    this.#buttons = Object.fromEntries(VIEWS.map((name) => [name, this.#button(name)]));
    const items = VIEWS.map((name) => el("li", {}, this.#buttons[name]));
    leaf.replaceChildren(el("ul.directory-views", { label: "directory_views" }, items), ...Object.values(this.#boxes));
    this.#show();
  }

  /** Bring the view that is seen up to date, and the number of what waits. */
  async refresh() {
    await Promise.all([this.#views[this.#view].refresh(), this.count()]);
  }

  /** Bring the number of proposals that wait for a person up to date. */
  async count() {
    try {
      const { proposals, more } = await listed("open", 1);
      const waiting = proposals.length + more;
      const badge = this.#buttons.proposals.querySelector(".count");
      badge.textContent = String(waiting);
      badge.hidden = !waiting;
      this.#count(waiting);
    } catch (error) {
      // The view itself says what is wrong; a number that cannot be had is left as it was.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  #button(name) {
    const press = () => {
      this.#view = name;
      this.#show();
      this.refresh();
    };
    const properties = { on: { click: press }, test: `directory-view-${name}` };
    return el("button.small", properties, el("span", { words: `directory_view_${name}` }), el("span.count", { hidden: true }));
  }

  #show() {
    for (const name of VIEWS) {
      this.#boxes[name].hidden = name !== this.#view;
      this.#buttons[name].setAttribute("aria-pressed", String(name === this.#view));
    }
  }
}
