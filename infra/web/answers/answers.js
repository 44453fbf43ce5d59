/** The Answers tab: what people wrote in answer to questions, to be listed, added, edited and retired. */

import { json, Refusal } from "../api.js";
import { confirmed } from "../confirm.js";
import { announce, el, icon } from "../element.js";
import { matching } from "../filter.js";
import { problemNode } from "../problem.js";
import { Rows } from "../renewal.js";
import { onLanguage, say, word } from "../words.js";
import { writeAnswer } from "./form.js";
import { importAnswers } from "./import.js";
import { answerRow, titleOf } from "./row.js";

const PAGE = 200;
// Answers that are asked after in one round.
const AT_ONCE = 8;
const LOOK = 600;
const LOOK_SLOWEST = 10_000;

/** The tab in `leaf`; `open(document, from)` shows an answer's text as that of any document. */
export class Answers {
  #parts = build();
  #list = new Rows(this.#parts.list);
  #open;
  #answers = [];
  #loaded = false;
  #asked = 0;
  #timer = null;
  #wait = LOOK;

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

  /** Bring the list up to date, and look after answers that are on their way. */
  async refresh() {
    const { trouble, retired } = this.#parts;
    clearTimeout(this.#timer);
    this.#wait = LOOK;
    this.#asked += 1;
    const mine = this.#asked;
    trouble.replaceChildren();
    try {
      const found = await everyAnswer(retired.checked);
      if (mine !== this.#asked) return;
      this.#answers = found;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (mine === this.#asked) trouble.replaceChildren(problemNode(error.problem, () => this.refresh()));
      return;
    }
    this.#loaded = true;
    this.#show();
    this.#lookLater();
  }

  /** Ask after the answers that are on their way, less often while none arrives; one round at a time. */
  #lookLater() {
    const waiting = this.#answers.filter(({ state }) => state === "pending");
    if (!waiting.length) return;
    const mine = this.#asked;
    this.#timer = setTimeout(async () => {
      const looked = await Promise.all(waiting.slice(0, AT_ONCE).map(lookedAt));
      if (mine !== this.#asked) return;
      const now = new Map(looked.filter(Boolean).map((answer) => [answer.doc_key, answer]));
      const arrived = [...now.values()].some(({ state }) => state !== "pending");
      this.#answers = this.#answers.map((answer) => now.get(answer.doc_key) ?? answer);
      this.#wait = arrived ? LOOK : Math.min(this.#wait * 1.4, LOOK_SLOWEST);
      if (arrived) this.#show();
      this.#lookLater();
    }, this.#wait);
  }

  /** Ask for an answer, new or edited (`writeAnswer`); true when one was saved. */
  async write(begun) {
    const saved = await writeAnswer(begun);
    if (!saved) return false;
    announce(say(saved.unchanged ? "answer_unchanged" : "answer_saved"));
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
    const title = titleOf(answer);
    const act = () => json(["answers", answer.doc_key], { method: "DELETE" });
    const text = ["retire_text", { title }];
    if (!(await confirmed({ title: "retire_title", text, agree: "retire", test: "confirm-retire", act }))) return;
    announce(say("retired", { title }));
    this.#parts.filter.focus();
    await this.refresh();
  }

  async #import(input) {
    const { imported, choose } = this.#parts;
    const [file] = input.files;
    input.value = "";
    choose.disabled = true;
    const { saved, unchanged, refused } = await importAnswers(file).finally(() => (choose.disabled = false));
    imported.replaceChildren(
      el("p", { words: ["answers_imported", { saved, unchanged, refused: refused.length }], role: "status" }),
      el("ul.answer-sources", {}, refused.map(({ line, message }) => el("li", {}, `${line}: ${message}`))),
    );
    await this.refresh();
  }

  #show() {
    const { filter, nothing, count } = this.#parts;
    const shown = matching(this.#answers, filter.value, textsOf);
    const actions = {
      open: (answer, from) => this.#open({ ...answer, title: titleOf(answer) }, from),
      edit: (answer) => this.write({ answer }),
      retire: (answer) => this.#retire(answer),
    };
    this.#list.show(shown, ({ doc_key: key }) => key, (answer) => ({ node: answerRow(answer, actions) }));
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

/** An answer as it stands now; null where that cannot be had, and is asked for again at the next round. */
async function lookedAt({ doc_key: key }) {
  try {
    return await json(["answers", key]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
  }
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

const textsOf = ({ questions, text, doc_key: key, owner, language, state }) => [
  ...questions,
  text,
  key,
  owner,
  language,
  state,
];
