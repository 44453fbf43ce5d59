/** The questions that the first screen offers: those that the hospital's own documents answer, in the page's language. */

import { json, Refusal } from "./api.js";
import { el } from "./element.js";
import { Rows } from "./renewal.js";
import { spoken } from "./words.js";

/** Keeps the first screen in line with the chosen pack, the language, and the documents that there are. */
export class Suggestions {
  #chips;
  #pack;
  #run;
  #asked = 0;

  /** `pack()` is the chosen one; `run(text, language)` asks a question that was chosen. */
  constructor(place, { pack, run }) {
    this.#chips = new Rows(place);
    this.#pack = pack;
    this.#run = run;
  }

  /** Ask the server what can be asked; until it has said so, and where it knows nothing, nothing is offered. */
  async refresh() {
    this.#asked += 1;
    const mine = this.#asked;
    const language = spoken();
    try {
      const { questions } = await json(["suggestions"], { query: { pack: this.#pack(), language } });
      if (mine === this.#asked) this.#show(questions, language);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // A first screen without suggestions is one that can be asked all the same.
      if (mine === this.#asked) this.#show([], language);
    }
  }

  #show(questions, language) {
    const chip = (text) => ({
      node: el("button.chip", { lang: language, on: { click: () => this.#run(text, language) }, test: "suggestion" }, text),
    });
    this.#chips.show(questions, (text) => text, chip);
  }
}
