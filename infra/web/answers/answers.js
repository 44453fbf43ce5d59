/** The Answers tab: what people wrote in answer to questions, to be listed, added, edited and retired. */

import { json, Refusal } from "../api.js";
import { announce, el, icon } from "../element.js";
import { problemNode } from "../problem.js";
import { onLanguage, say, word } from "../words.js";
import { confirmRetirement, writeAnswer } from "./form.js";
import { importAnswers } from "./import.js";
import { answerRow, titleOf } from "./row.js";

const PAGE = 200;
const SETTLING = 600;
const MOST_LOOKS = 50;

/** The tab in `leaf`; `open(document, from)` shows an answer's text as that of any document. */
export class Answers {
  #parts = build();
  #open;
  #answers = [];
  #loaded = false;
  #looks = 0;

  constructor(leaf, { open }) {
    const { nodes, add, choose, input, filter, retired } = this.#parts;
    this.#open = open;
    leaf.replaceChildren(...nodes);
    add.addEventListener("click", () => this.write({}));
    choose.addEventListener("click", () => input.click());
    input.addEventListener("change", () => this.#import(input));
    filter.addEventListener("input", () => this.#show());
    retired.addEventListener("change", () => this.refresh());
    onLanguage(() => this.#loaded && this.#show());
  }

  /** Bring the list up to date, and look again while an answer is on its way. */
  async refresh() {
    const { trouble, retired } = this.#parts;
    trouble.replaceChildren();
    try {
      this.#answers = await everyAnswer(retired.checked);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      trouble.replaceChildren(problemNode(error.problem, () => this.refresh()));
      return;
    }
    this.#loaded = true;
    this.#show();
    const isOnItsWay = this.#answers.some(({ state }) => state === "pending");
    this.#looks = isOnItsWay ? this.#looks + 1 : 0;
    if (isOnItsWay && this.#looks < MOST_LOOKS) setTimeout(() => this.refresh(), SETTLING);
  }

  /** Ask for an answer, new or edited (`writeAnswer`); true when one was saved. */
  async write(begun) {
    const saved = await writeAnswer(begun);
    if (!saved) return false;
    announce(say(saved.unchanged ? "answer_unchanged" : "answer_saved"));
    this.#looks = 0;
    await this.refresh();
    return true;
  }

  /** Ask for the answer to a turn's question, without the personal data that it holds. */
  async writeFor(turn) {
    const masked = Boolean(turn.answer?.phi);
    const question = masked ? await keptQuestion(turn) : turn.question;
    return this.write({ questions: question ? [question] : [], language: turn.answer?.language, masked });
  }

  async #retire(answer) {
    if (!(await confirmRetirement(answer))) return;
    announce(say("retired", { title: titleOf(answer) }));
    this.#parts.filter.focus();
    await this.refresh();
  }

  async #import(input) {
    const { imported, choose } = this.#parts;
    const [file] = input.files;
    input.value = "";
    choose.disabled = true;
    const { saved, unchanged, refused } = await importAnswers(file);
    choose.disabled = false;
    imported.replaceChildren(
      el("p", { words: ["answers_imported", { saved, unchanged, refused: refused.length }], role: "status" }),
      el("ul.answer-sources", {}, refused.map(({ line, message }) => el("li", {}, `${line}: ${message}`))),
    );
    this.#looks = 0;
    await this.refresh();
  }

  #show() {
    const { list, filter, nothing, count } = this.#parts;
    const wanted = fold(filter.value);
    const shown = this.#answers.filter((answer) => matches(answer, wanted));
    const actions = {
      open: (answer, from) => this.#open({ ...answer, title: titleOf(answer) }, from),
      edit: (answer) => this.write({ answer }),
      retire: (answer) => this.#retire(answer),
    };
    list.replaceChildren(...shown.map((answer) => answerRow(answer, actions)));
    word(count, "answers_n", { n: shown.length });
    nothing.hidden = shown.length > 0;
    word(nothing, this.#answers.length ? "answers_no_match" : "answers_none");
  }
}

async function everyAnswer(all) {
  const found = [];
  let after = "";
  do {
    const { answers, next } = await json(["answers"], { query: { limit: PAGE, after, all: all ? 1 : "" } });
    found.push(...answers);
    after = next;
  } while (after);
  return found;
}

/** The question as it was recorded; nothing where it is not there yet or was not kept. */
async function keptQuestion(turn) {
  try {
    return (await json(["turns", turn.answer.id])).question_redacted ?? "";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return "";
  }
}

function build() {
  const add = el("button.primary", { test: "answer-new" }, icon("question"), el("span", { words: "add_answer" }));
  const input = el("input", { type: "file", accept: ".jsonl,.ndjson", test: "answers-file", hidden: true });
  const choose = el("button", {}, icon("upload"), el("span", { words: "answers_import" }));
  const imported = el("div", { test: "answers-imported" });
  const filter = el("input", {
    type: "search",
    placeholder: "answers_filter",
    label: "answers_filter",
    autocomplete: "off",
    test: "answers-filter",
  });
  const retired = el("input", { type: "checkbox", test: "answers-retired" });
  const count = el("p.faint", { role: "status" });
  const trouble = el("div.trouble");
  const nothing = el("p.empty", { hidden: true });
  const list = el("ul.documents");
  const nodes = [
    el("p.faint", { words: "answers_about" }),
    el("p.buttons.answers-add", {}, add, choose, input),
    imported,
    el("div.filter-row", {}, filter, count),
    el("label.answer-check", {}, retired, el("span", { words: "answers_retired" })),
    trouble,
    nothing,
    list,
  ];
  return { nodes, add, choose, input, imported, filter, retired, count, trouble, nothing, list };
}

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

function matches(answer, wanted) {
  const said = [...answer.questions, answer.text, answer.doc_key, answer.owner, answer.language, answer.state];
  const text = fold(said.filter(Boolean).join(" "));
  return wanted.split(/\s+/).every((part) => text.includes(part));
}
