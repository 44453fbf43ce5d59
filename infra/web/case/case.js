/** The patient of a clinician's conversation: a form above the composer, sent with each question and kept by the server. */

import { el } from "../element.js";
import { onLanguage, say } from "../words.js";

const NUMBERS = {
  age: { min: 0, max: 130, step: 1 },
  weight_kg: { min: 0.3, max: 500, step: "any" },
  egfr: { min: 0, max: 250, step: "any" },
  creatinine_umol_l: { min: 5, max: 5000, step: "any" },
};
const CHOICES = { sex: ["female", "male", "other"], pregnant: ["true", "false"] };
const LISTS = ["history", "medications", "allergies"];
const MOST_TEXT = 500;
const MOST_ITEM = 200;
const MOST_ITEMS = 50;

/** What is known of the patient. `value` is what a question is sent with: null where nothing was ever said. */
export class Case {
  #fields;
  #place;
  #said = false;
  #summary = el("span.case-said", { test: "case-said" });

  constructor(place) {
    this.#place = place;
    this.#fields = { ...made(NUMBERS, number), ...made(CHOICES, choice), chief_complaint: complaint() };
    for (const name of LISTS) this.#fields[name] = list(name);
    const clear = el("button.quiet.small", { words: "case_clear", test: "case-clear" });
    clear.addEventListener("click", () => this.fill({}));
    const form = el("form.case-form", { label: "case" }, ...this.#labelled(), el("p.case-end", {}, clear));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => this.#changed());
    place.replaceChildren(el("summary", {}, el("span", { words: "case" }), " ", this.#summary), form);
    onLanguage(() => this.#show());
  }

  /** Shown where the assistant is for clinicians. */
  offer(is) {
    this.#place.hidden = !is;
  }

  get value() {
    if (this.#place.hidden || !this.#said) return null;
    return Object.fromEntries(Object.entries(this.#known()).filter(([, value]) => value !== null));
  }

  /** Show a case that was kept; `{}` empties the form, which empties the case with the next question. */
  fill(held) {
    for (const [name, field] of Object.entries(this.#fields)) field.write(held?.[name] ?? null);
    this.#changed();
  }

  /** Another conversation, another patient. */
  forget() {
    this.fill({});
    this.#said = false;
    this.#place.open = false;
  }

  #known() {
    return Object.fromEntries(Object.entries(this.#fields).map(([name, field]) => [name, field.read()]));
  }

  #changed() {
    this.#said = true;
    this.#show();
  }

  #show() {
    const known = Object.entries(this.#known()).filter(([, value]) => value !== null);
    this.#summary.textContent = known.length
      ? known.map(([name, value]) => `${say(`case_${name}`)}: ${shown(name, value)}`).join(" · ")
      : say("case_nothing");
  }

  #labelled() {
    return Object.entries(this.#fields).map(([name, { node }]) => {
      const caption = el("span", { words: `case_${name}` });
      return el(LISTS.includes(name) || name === "chief_complaint" ? "label.wide" : "label", {}, caption, node);
    });
  }
}

const made = (kinds, make) =>
  Object.fromEntries(Object.entries(kinds).map(([name, said]) => [name, make(name, said)]));

function shown(name, value) {
  if (CHOICES[name]) return say(`case_${name}_${value}`);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function number(name, limits) {
  const node = el("input", { type: "number", inputmode: "decimal", test: `case-${name}`, ...limits, autocomplete: "off" });
  return {
    node,
    read: () => (node.value !== "" && node.validity.valid ? Number(node.value) : null),
    write: (value) => (node.value = value ?? ""),
  };
}

function choice(name, values) {
  const options = values.map((value) => el("option", { value, words: `case_${name}_${value}` }));
  const node = el("select", { test: `case-${name}` }, el("option", { value: "", words: "case_unknown" }), options);
  const read = { true: true, false: false };
  return {
    node,
    read: () => (node.value === "" ? null : (read[node.value] ?? node.value)),
    write: (value) => (node.value = value === null ? "" : String(value)),
  };
}

function complaint() {
  const node = el("input", { type: "text", maxlength: MOST_TEXT, test: "case-chief_complaint", autocomplete: "off" });
  return { node, read: () => node.value.trim() || null, write: (value) => (node.value = value ?? "") };
}

function list(name) {
  const node = el("textarea", { rows: 2, test: `case-${name}`, placeholder: "case_one_a_line" });
  const items = () =>
    node.value
      .split("\n")
      .map((item) => item.trim().slice(0, MOST_ITEM))
      .filter(Boolean)
      .slice(0, MOST_ITEMS);
  return {
    node,
    read: () => (items().length ? items() : null),
    write: (value) => (node.value = (value ?? []).join("\n")),
  };
}
