/** The list of proposals: what documents say for the directory, and what a person decides about it, row by row or several at once. */

import { json, Refusal } from "../api.js";
import { announce, el } from "../element.js";
import { matching } from "../filter.js";
import { problemNode } from "../problem.js";
import { renew, Rows } from "../renewal.js";
import { onLanguage, say, word } from "../words.js";
import { correct } from "./correct.js";
import { decide, decideAll, listed } from "./decisions.js";
import { proposalRow, titleOfProposal } from "./row.js";

/** Rows that are shown at once; as many can be decided about together. */
const SHOWN = 100;
const STATES = ["open", "confirmed", "rejected"];

/** The list in `box`; `open(document, from)` shows a passage, `changed()` hears of each decision. */
export class Proposals {
  #parts = build();
  #actions;
  #found = [];
  #more = 0;
  #directory = null;
  #list = new Rows(this.#parts.list);
  #rows = [];
  #asked = 0;

  constructor(box, { open, changed }) {
    const { nodes, search, documents, sections, state, all, confirm, reject } = this.#parts;
    this.#actions = {
      open,
      changed,
      confirm: (one) => this.#decide(one, "confirm"),
      reject: (one) => this.#decide(one, "reject"),
      reopen: (one) => this.#decide(one, "reopen"),
      correct: (one) => this.#correct(one),
      chosen: () => this.#count(),
    };
    box.replaceChildren(...nodes);
    search.addEventListener("input", () => this.#show());
    for (const one of [documents, sections]) one.addEventListener("change", () => this.#show());
    state.addEventListener("change", () => this.refresh());
    all.addEventListener("change", () => {
      for (const { box: each } of this.#rows) each.checked = all.checked;
      this.#count();
    });
    confirm.addEventListener("click", () => this.#decideChosen("confirm"));
    reject.addEventListener("click", () => this.#decideChosen("reject"));
    onLanguage(() => this.#directory && this.#show());
  }

  /** Bring the list up to date. */
  async refresh() {
    this.#asked += 1;
    const mine = this.#asked;
    const { trouble, state } = this.#parts;
    trouble.replaceChildren();
    try {
      const [{ proposals, more }, directory] = await Promise.all([listed(state.value), json(["admin", "directory"])]);
      if (mine !== this.#asked) return;
      this.#found = proposals;
      this.#more = more;
      this.#directory = directory;
      this.#show();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (mine === this.#asked) trouble.replaceChildren(problemNode(error.problem, () => this.refresh()));
    }
  }

  #show() {
    const { search, documents, sections, count, nothing, bulk, state } = this.#parts;
    const named = new Map(this.#found.map(({ source }) => [source.doc_key, source.title || source.doc_key]));
    offer(documents, [...named].sort(([, one], [, other]) => one.localeCompare(other)));
    const of = [...new Set(this.#found.map(({ section }) => section))];
    offer(sections, of.map((one) => [one, say(`directory_section_${one}`)]));
    const those = this.#found.filter(
      ({ section, source }) =>
        [section, ""].includes(sections.value) && [source.doc_key, ""].includes(documents.value),
    );
    const wanted = search.value.trim();
    const found = wanted ? matching(those, wanted, (one) => this.#textsOf(one)) : those;
    this.#rows = this.#list.show(
      found.slice(0, SHOWN),
      (one) => one.proposal_id,
      (one) => proposalRow(one, this.#directory, this.#actions),
    );
    if (found.length > SHOWN || this.#more) word(count, "proposals_first", { n: found.length + this.#more, shown: this.#rows.length });
    else word(count, "proposals_n", { n: found.length });
    nothing.hidden = found.length > 0;
    word(nothing, this.#found.length ? "proposals_no_match" : `proposals_none_${state.value}`);
    bulk.hidden = state.value !== "open" || !found.length;
    this.#count();
  }

  #textsOf(one) {
    const { source, entry } = one;
    return [titleOfProposal(one, this.#directory), source.title, source.text, JSON.stringify(entry)];
  }

  /** Say of how many rows that are chosen something can be decided. */
  #count() {
    const { all, confirm, reject, note } = this.#parts;
    const chosen = this.#rows.filter(({ box }) => box?.checked);
    const whole = chosen.filter(({ proposal }) => !proposal.missing.length);
    all.checked = chosen.length > 0 && chosen.length === this.#rows.length;
    all.indeterminate = chosen.length > 0 && chosen.length < this.#rows.length;
    word(confirm, "proposals_confirm", { n: whole.length });
    word(reject, "proposals_reject", { n: chosen.length });
    confirm.hidden = !whole.length;
    reject.hidden = !chosen.length;
    note.hidden = whole.length === chosen.length;
    word(note, "proposals_incomplete", { n: chosen.length - whole.length });
  }

  /** Where the row of a proposal is, whichever list it was drawn with. */
  #placeOf({ proposal_id: id }) {
    return this.#rows.findIndex(({ proposal }) => proposal.proposal_id === id);
  }

  async #decide(proposal, decision) {
    const place = this.#placeOf(proposal);
    this.#rows[place]?.tell(null);
    try {
      await decide(proposal.proposal_id, decision);
      await this.#done(say(`proposal_done_${decision}`, { title: titleOfProposal(proposal, this.#directory) }), place);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#rows[this.#placeOf(proposal)]?.tell(error.problem);
    }
  }

  async #correct(proposal) {
    const place = this.#placeOf(proposal);
    this.#rows[place]?.tell(null);
    try {
      if (!(await correct(proposal, this.#directory))) return;
      await this.#done(say("proposal_done_confirm", { title: titleOfProposal(proposal, this.#directory) }), place);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#rows[this.#placeOf(proposal)]?.tell(error.problem);
    }
  }

  async #decideChosen(decision) {
    const chosen = this.#rows.filter(({ box }) => box?.checked);
    const those = decision === "confirm" ? chosen.filter(({ proposal }) => !proposal.missing.length) : chosen;
    const { trouble, confirm, reject } = this.#parts;
    const place = this.#rows.indexOf(those[0]);
    trouble.replaceChildren();
    for (const row of this.#rows) row.tell(null);
    for (const button of [confirm, reject]) button.disabled = true;
    try {
      await decideAll(those.map(({ proposal }) => proposal.proposal_id), decision);
      await this.#done(say(`proposals_done_${decision}`, { n: those.length }), place);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await this.#refuse(error.problem, those);
    } finally {
      for (const button of [confirm, reject]) button.disabled = false;
      this.#count();
    }
  }

  /** Tell what is wrong with each of several rows at that row, and what is of none of them above. */
  async #refuse(problem, rows) {
    const { trouble } = this.#parts;
    const wrong = (problem.problems ?? []).filter(({ warning }) => !warning);
    const left = new Set(wrong);
    let first = null;
    for (const row of rows) {
      const { section, target, entry } = row.proposal;
      const own = wrong.filter((one) => one.section === section && one.entry === (target ?? entry.id));
      if (!own.length) continue;
      row.tell({ problems: own });
      first ??= row;
      own.forEach((one) => left.delete(one));
    }
    const nothing = el("p.job-reason", { words: "proposals_refused" });
    if (first) (first.box ?? first.node).focus();
    // What is wrong with none of the rows is mostly that somebody else was there meanwhile: what is asked now says it.
    else if (problem.status >= 400 && problem.status < 500) await this.refresh();
    if (first && !left.size) trouble.replaceChildren(nothing);
    else trouble.replaceChildren(nothing, problemNode(problem, () => this.refresh()));
  }

  /** A row is gone with its buttons; the keyboard goes on from the one that stands in its place. */
  async #done(text, place) {
    announce(text);
    await this.refresh();
    const next = this.#rows[Math.min(Math.max(place, 0), this.#rows.length - 1)];
    (next?.node.querySelector("input, button") ?? this.#parts.count).focus();
    this.#actions.changed();
  }
}

/** Fill a choice with pairs of value and text below its first, which is all; what was chosen stays chosen. */
function offer(choice, pairs) {
  const { value } = choice;
  const [every] = choice.options;
  renew(choice, every, ...pairs.map(([key, text]) => el("option", { value: key }, text)));
  choice.value = pairs.some(([key]) => key === value) ? value : "";
}

function build() {
  const search = el("input", {
    type: "search",
    placeholder: "proposals_search",
    label: "proposals_search",
    autocomplete: "off",
    test: "proposals-search",
  });
  const every = (words) => el("option", { value: "", words });
  const documents = el("select", { label: "proposals_document", test: "proposals-document" }, every("proposals_every_document"));
  const sections = el("select", { label: "directory_section", test: "proposals-section" }, every("proposals_every_section"));
  const state = el(
    "select",
    { label: "proposals_state", test: "proposals-state" },
    ...STATES.map((one) => el("option", { value: one, words: `proposals_state_${one}` })),
  );
  const count = el("p.faint", { role: "status", tabindex: "-1" });
  const all = el("input", { type: "checkbox", test: "proposals-all" });
  const confirm = el("button.small.primary", { test: "proposals-confirm" });
  const reject = el("button.small.danger", { test: "proposals-reject" });
  const note = el("span.faint", { role: "status" });
  const bulk = el(
    "p.proposals-bulk",
    {},
    el("label", {}, all, el("span", { words: "proposals_all" })),
    confirm,
    reject,
    note,
  );
  const trouble = el("div.trouble", { role: "alert" });
  const nothing = el("p.empty", { hidden: true });
  const list = el("ul.documents", { test: "proposals" });
  const nodes = [
    el("p.faint", { words: "proposals_about" }),
    el("div.filter-row.proposals-filter", {}, search, documents, sections, state, count),
    bulk,
    trouble,
    nothing,
    list,
  ];
  return { nodes, search, documents, sections, state, all, confirm, reject, note, bulk, count, trouble, nothing, list };
}
