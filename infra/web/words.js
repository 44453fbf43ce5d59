/** The texts of the interface in the chosen language; nodes keep their key, so a switch rewrites them in place. */

import answers from "./answers/words.js";
import directory from "./directory/words.js";
import proposals from "./proposals/words.js";
import en from "./words/en.js";
import fr from "./words/fr.js";
import it from "./words/it.js";
import nl from "./words/nl.js";

const TEXTS = Object.fromEntries(
  Object.entries({ nl, en, fr, it }).map(([code, texts]) => {
    const all = { ...texts, ...answers[code], ...directory[code], ...proposals[code] };
    return [code, all];
  }),
);
const PLACES = { text: "words", "aria-label": "wordsLabel", placeholder: "wordsPlaceholder", title: "wordsTitle" };
const given = new WeakMap();
const listeners = new Set();
let language = "en";

export const LANGUAGES = Object.keys(TEXTS);

/** The language the interface speaks now. */
export const spoken = () => language;

/** The text for a key; `{name}` is filled from `values`, and `values.n` chooses between one and many. */
export function say(key, values = {}) {
  let text = TEXTS[language][key] ?? TEXTS.en[key] ?? key;
  if (text.other) text = text[new Intl.PluralRules(language).select(values.n)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** True when the texts hold this key. */
export const hasWords = (key) => key in TEXTS.en;

/** Give a node (or one of its attributes) a text that follows the language. */
export function word(node, key, values = {}, place = "text") {
  node.dataset[PLACES[place]] = key;
  given.set(node, { ...given.get(node), [place]: values });
  write(node, place);
  return node;
}

/** Call `listener` whenever the language has changed. */
export function onLanguage(listener) {
  listeners.add(listener);
}

/** Switch the interface to another language. */
export function setLanguage(next) {
  language = LANGUAGES.includes(next) ? next : "en";
  document.documentElement.lang = language;
  const everything = "[data-words],[data-words-label],[data-words-placeholder],[data-words-title]";
  for (const node of document.querySelectorAll(everything)) {
    for (const place of Object.keys(PLACES)) if (PLACES[place] in node.dataset) write(node, place);
  }
  for (const listener of listeners) listener(language);
}

/** The first of the reader's own languages that the interface speaks. */
export function preferredLanguage() {
  const wanted = (navigator.languages ?? []).map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

/** A date as the chosen language writes it; an unreadable one stays as it came. */
export function date(iso) {
  const when = new Date(iso);
  return Number.isNaN(when.valueOf()) ? String(iso) : when.toLocaleDateString(language, { dateStyle: "medium" });
}

/** A day and the time of it as the chosen language writes them; an unreadable one stays as it came. */
export function moment(iso) {
  const when = new Date(iso);
  const style = { dateStyle: "medium", timeStyle: "short" };
  return Number.isNaN(when.valueOf()) ? String(iso) : when.toLocaleString(language, style);
}

/** A duration in milliseconds, or in seconds from one second on. */
export function duration(ms) {
  const digits = ms < 10 ? 1 : 0;
  const number = (value, most) => value.toLocaleString(language, { maximumFractionDigits: most });
  return ms < 1000 ? `${number(ms, digits)} ms` : `${number(ms / 1000, 2)} s`;
}

/** The name of a language in the chosen language. */
export function languageName(code) {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

function write(node, place) {
  const text = say(node.dataset[PLACES[place]], given.get(node)?.[place]);
  // What says the same is not written again: a screen reader would read it again, and a selection in it would be lost.
  if (place !== "text") node.setAttribute(place, text);
  else if (node.textContent !== text) node.textContent = text;
}
