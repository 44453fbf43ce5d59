/** Asks why a turn went the way it did, once for each turn; the record may be there a moment after the answer. */

import { json, Refusal } from "./api.js";
import { may } from "./session.js";

const SETTLING = 700;
const WAITS = [600, 1200];

/** Loads explanations; a turn's is `{state}`: `loading`, `failed` (with the `status`) or `there` (with what was `told`). */
export class Explanations {
  #onChange;
  #asked = new WeakMap();

  /** `onChange(turn)` is called whenever the explanation of a turn has become another one. */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** The explanation of a turn as far as it is known; null before anybody wanted it. */
  of(turn) {
    return this.#asked.get(turn) ?? null;
  }

  /** Load the explanation of an answered turn, unless that was done before. */
  want(turn) {
    if (!isExplained(turn) || this.#asked.has(turn)) return;
    const since = performance.now() - (turn.endedAt ?? performance.now());
    this.#load(turn, Math.max(0, SETTLING - since));
  }

  /** Load it again after it failed. */
  again(turn) {
    if (this.of(turn)?.state === "failed") this.#load(turn, 0);
  }

  async #load(turn, pause) {
    this.#become(turn, { state: "loading" });
    await wait(pause);
    try {
      this.#become(turn, { state: "there", told: await patiently(turn.answer.id) });
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error);
      this.#become(turn, { state: "failed", status: error.problem?.status ?? 0 });
    }
  }

  #become(turn, explanation) {
    this.#asked.set(turn, explanation);
    this.#onChange(turn);
  }
}

/** True for a turn that has an explanation: one with an answer that was taken down, for those who may read it. */
export const isExplained = (turn) =>
  may("manager") && turn?.state === "done" && Boolean(turn.answer?.id) && !turn.answer.warnings.some(isUnrecorded);

const isUnrecorded = ({ code }) => code === "NOT_RECORDED";

async function patiently(id) {
  for (const pause of [...WAITS, null]) {
    try {
      const told = await json(["turns", id, "explanation"]);
      if (told?.turn_id !== id) throw new Refusal({ status: 200, title: "another turn" });
      return told;
    } catch (error) {
      if (pause === null || error.problem?.status !== 404) throw error;
      await wait(pause);
    }
  }
  return null;
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
