/** Where documents say something else than the directory: both values, and whose is taken. */

import { json, Refusal } from "../api.js";
import { announce, el } from "../element.js";
import { problemNode } from "../problem.js";
import { Rows } from "../renewal.js";
import { moment, onLanguage, say, word } from "../words.js";
import { decide } from "./decisions.js";
import { fieldText, nameOf, textOf } from "./said.js";
import { sourceNodes } from "./source.js";

/** The list in `box`; `open(document, from)` shows a passage, `changed()` hears of each decision. */
export class Contradictions {
  #parts = build();
  #list = new Rows(this.#parts.list);
  #actions;
  #found = [];
  #directory = null;
  #asked = 0;

  constructor(box, actions) {
    this.#actions = actions;
    box.replaceChildren(...this.#parts.nodes);
    onLanguage(() => this.#directory && this.#show());
  }

  /** Bring the list up to date. */
  async refresh() {
    this.#asked += 1;
    const mine = this.#asked;
    const { trouble } = this.#parts;
    trouble.replaceChildren();
    try {
      const [{ contradictions }, directory] = await Promise.all([
        json(["admin", "contradictions"]),
        json(["admin", "directory"]),
      ]);
      if (mine !== this.#asked) return;
      this.#found = grouped(contradictions);
      this.#directory = directory;
      this.#show();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (mine === this.#asked) trouble.replaceChildren(problemNode(error.problem, () => this.refresh()));
    }
  }

  #show() {
    const { count, nothing } = this.#parts;
    this.#list.show(this.#found, ([{ proposal_id: id }]) => id, (one) => this.#row(one));
    nothing.hidden = this.#found.length > 0;
    word(count, "contradictions_n", { n: this.#found.length });
  }

  #row(fields) {
    const [{ section, entry, source, state, by, at, proposal_id: id }] = fields;
    const title = nameOf(this.#directory, section, entry);
    const trouble = el("div.trouble", { role: "alert" });
    const tell = (problem) => trouble.replaceChildren(...(problem ? [problemNode(problem, () => this.refresh())] : []));
    const press = (decision) => ({ on: { click: () => this.#decide(id, decision, title) } });
    const button = (spec, decision, words) =>
      el(spec, { ...press(decision), words, label: [`${words}_label`, { title }], test: `contradiction-${decision}` });
    const node = el(
      "li.document.proposal",
      { test: "contradiction", "data-proposal": id, "data-state": state },
      el("div.proposal-head", {}, el("h3.proposal-title", {}, title), el("span.tag", { words: `directory_section_${section}` })),
      table(fields, this.#directory),
      ...sourceNodes(source, this.#actions.open),
      state === "open"
        ? el(
            "p.buttons",
            {},
            button("button.small", "confirm", "contradiction_take"),
            button("button.small", "reject", "contradiction_leave"),
          )
        : el(
            "p.buttons",
            {},
            el("span.faint", { words: ["contradiction_left", { by, at: moment(at) }], test: "contradiction-left" }),
            button("button.small.quiet", "reopen", "proposal_reopen"),
          ),
      trouble,
    );
    return { node, tell };
  }

  async #decide(id, decision, title) {
    this.#list.get(id)?.tell(null);
    try {
      await decide(id, decision);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#list.get(id)?.tell(error.problem);
      return;
    }
    announce(say(`contradiction_done_${decision}`, { title }));
    await this.refresh();
    (this.#list.get(id)?.node.querySelector(".buttons button") ?? this.#parts.count).focus();
    this.#actions.changed();
  }
}

/** Fields of one row of a document stand together: they are decided about as one. */
function grouped(contradictions) {
  const found = new Map();
  for (const one of contradictions) found.set(one.proposal_id, [...(found.get(one.proposal_id) ?? []), one]);
  return [...found.values()];
}

function table(fields, directory) {
  const said = ({ field, directory: held, document: other }) => {
    const name = field.split(".").at(-1);
    const texts = [held, other].map((value) => textOf(name, value, directory));
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, fieldText(field, directory)),
      texts.map((text) => el("td", {}, text || say("contradiction_nothing"))),
    );
  };
  const heads = ["contradiction_directory", "contradiction_document"].map((words) => el("th", { scope: "col", words }));
  const first = el("td", {});
  const inside = el("table.directory-table.contradiction-table", {}, el("thead", {}, el("tr", {}, first, heads)), el("tbody", {}, fields.map(said)));
  return el("div.scroller", { tabindex: "0", role: "region", label: "table" }, inside);
}

function build() {
  const count = el("p.faint", { role: "status", tabindex: "-1" });
  const trouble = el("div.trouble", { role: "alert" });
  const nothing = el("p.empty", { hidden: true, words: "contradictions_none" });
  const list = el("ul.documents", { test: "contradictions" });
  return { nodes: [el("p.faint", { words: "contradictions_about" }), count, trouble, nothing, list], count, trouble, nothing, list };
}
