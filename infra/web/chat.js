/** The conversation: sends questions, follows their streams, and says what became of each. */

import { Refusal } from "./api.js";
import { keepConversation } from "./conversations/kept.js";
import { turnsOf } from "./conversations/restored.js";
import { announce, el } from "./element.js";
import { messageView } from "./message.js";
import { plainText } from "./render.js";
import { ask, StreamCut } from "./stream.js";
import { newTurn, take } from "./turns.js";
import { kindOf } from "./verdict.js";
import { onLanguage, say, word } from "./words.js";

const MAX_QUESTION = 4000;
const NEAR = 80;

const at = (id) => document.getElementById(id);
const thread = () => at("thread");

/** The conversation on the page. One question is answered at a time; `stop` ends the one in hand. */
export class Chat {
  #preferences;
  #actions;
  #onTurn;
  #conversation = null;
  #turns = [];
  #running = null;
  #frame = 0;
  #views = new Map();
  #follow = true;

  /**
   * `preferences()` gives `{pack, language}` for the next question; `actions` are what a message can ask of the panel;
   * `onTurn(turn)` is called, at most once a frame, whenever the turn in hand has changed.
   */
  constructor({ preferences, actions, onTurn }) {
    this.#preferences = preferences;
    this.#actions = actions;
    this.#onTurn = onTurn;
    composer(at("question"), (text) => !this.#running && this.run(text));
    at("stop").addEventListener("click", () => this.stop());
    at("latest").addEventListener("click", () => thread().scrollTo({ top: thread().scrollHeight }));
    thread().addEventListener("scroll", () => this.#watchScroll());
  }

  get isRunning() {
    return this.#running !== null;
  }

  /** What is on the page: the name of the conversation, null before its first answer, and its turns that have ended. */
  get held() {
    return { id: this.#conversation, turns: this.#turns.filter(({ state }) => state !== "working") };
  }

  /** Show a conversation that the server kept, and go on with it. */
  restore(conversation) {
    this.restart();
    this.#become(conversation.conversation_id);
    for (const turn of turnsOf(conversation)) this.#open(turn);
    this.#onTurn(this.#turns.at(-1) ?? null);
  }

  /**
   * Ask a question and follow its answer to the end, whatever the end is. `language` is that of the question, `choice`
   * the id of what it takes of a question back.
   */
  async run(text, language = null, choice = null) {
    if (this.#running || !acceptable(text)) return;
    const preferences = this.#preferences();
    const spoken = { language: preferences.language ?? language };
    const request = withoutEmpty({ text, choice, conversation_id: this.#conversation, ...preferences, ...spoken });
    const running = { turn: newTurn(request), controller: new AbortController(), apart: false };
    this.#running = running;
    this.#open(running.turn);
    busy(true);
    try {
      await this.#listen(running);
    } catch (error) {
      fail(running.turn, error);
    }
    running.turn.endedAt = performance.now();
    if (this.#running === running) this.#close(running.turn);
  }

  stop() {
    this.#running?.controller.abort();
    at("question").focus();
  }

  /** Forget the conversation and show the welcome again. */
  restart() {
    const running = this.#running;
    this.#running = null;
    running?.controller.abort();
    this.#become(null);
    this.#turns = [];
    this.#views.clear();
    this.#follow = true;
    for (const node of thread().querySelectorAll(".message, .divider")) node.remove();
    at("welcome").hidden = false;
    at("latest").hidden = true;
    busy(false);
    this.#onTurn(null);
    at("question").focus();
  }

  /** What follows is a conversation of its own: another assistant does not hear what was said to this one. */
  separate(title) {
    this.#become(null);
    this.#turns = [];
    if (this.#running) this.#running.apart = true;
    if (this.#views.size) thread().append(el("p.divider", {}, el("span", {}, title)));
  }

  /** The explanation of a turn is there, or another one; its message may have something to say about it. */
  explained(turn, explanation) {
    this.#views.get(turn.id)?.explain(explanation);
  }

  async #listen(running) {
    const { turn, controller } = running;
    for await (const event of ask(turn.request, controller.signal)) {
      take(turn, event);
      const ours = this.#running === running && !running.apart;
      if (event.name === "meta" && ours) this.#become(event.data.conversation_id);
      this.#publish(turn);
    }
  }

  #become(conversation) {
    this.#conversation = conversation;
    keepConversation(conversation);
  }

  #open(turn) {
    at("welcome").hidden = true;
    this.#turns.push(turn);
    const again = () => this.run(turn.question);
    const message = messageView(turn, { ...this.#actions, again, choose: ({ id, text }) => this.run(text, null, id) });
    this.#views.set(turn.id, message);
    thread().append(...message.nodes);
    this.#follow = true;
    this.#show(turn);
  }

  #close(turn) {
    this.#running = null;
    busy(false);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#show(turn);
    tell(turn);
  }

  #publish(turn) {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#views.has(turn.id)) this.#show(turn);
    });
  }

  #show(turn) {
    this.#views.get(turn.id).update(turn);
    this.#onTurn(turn);
    if (this.#follow) thread().scrollTop = thread().scrollHeight;
  }

  #watchScroll() {
    const { scrollHeight, scrollTop, clientHeight } = thread();
    this.#follow = scrollHeight - scrollTop - clientHeight < NEAR;
    at("latest").hidden = this.#follow;
  }
}

function busy(is) {
  at("send").hidden = is;
  at("stop").hidden = !is;
  if (is) announce(say("working"));
}

function fail(turn, error) {
  if (error.name === "AbortError") turn.state = "stopped";
  else if (error instanceof Refusal) Object.assign(turn, { state: "failed", problem: error.problem });
  else Object.assign(turn, { state: "cut", silent: error instanceof StreamCut && error.silent });
  if (!["AbortError", "Error"].includes(error.name)) console.error(error);
}

function tell(turn) {
  const kind = kindOf(turn);
  const verdict = say(`verdict_${kind}`);
  const text = turn.problem?.message ?? (turn.answer ? plainText(turn.answer.text) : "");
  announce(`${verdict}. ${text}`, { urgent: ["emergency", "failed", "cut"].includes(kind) });
}

function composer(question, send) {
  const form = question.form;
  const note = at("composer-note");
  const look = () => {
    const length = [...question.value].length;
    question.setAttribute("aria-invalid", String(length > MAX_QUESTION));
    if (length > MAX_QUESTION) word(note, "too_long", { n: length, max: MAX_QUESTION });
    else word(note, "composer_note");
    question.style.height = "auto";
    question.style.height = `${question.scrollHeight}px`;
  };
  const submit = () => {
    const text = question.value.trim();
    if (!acceptable(text) || send(text) === false) return;
    question.value = "";
    look();
    // On a touch screen the keyboard would cover the answer.
    if (matchMedia("(pointer: coarse)").matches) question.blur();
    else question.focus();
  };
  question.addEventListener("input", look);
  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  onLanguage(look);
}

const acceptable = (text) => text.trim() !== "" && [...text].length <= MAX_QUESTION;

const withoutEmpty = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value));
