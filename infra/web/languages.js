/** The languages that a text of the hospital may be in, to be chosen by their own names. */

import { el } from "./element.js";

const NAMES = { nl: "Nederlands", en: "English", fr: "Français", it: "Italiano" };

/** The options of a choice of language; first that it is told from the words. */
export const languageOptions = () => [
  el("option", { value: "", words: "document_language_auto" }),
  ...Object.entries(NAMES).map(([value, name]) => el("option", { value, lang: value }, name)),
];
