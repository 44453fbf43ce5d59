/** The form in which an answer is written: its questions, its text, and what is known of both. */

import { json } from "../api.js";
import { el } from "../element.js";
import { languageOptions } from "../languages.js";
import { problemNode } from "../problem.js";
import { ending, submitted } from "../submitted.js";
import { word } from "../words.js";

const MOST = 1000;
const FORM = "answer-form";

/**
 * Ask for an answer and save it; resolves to what was saved, or null.
 *
 * `answer` is one that is edited, or null; `questions` and `language` begin a new one, `masked` says that personal data
 * was taken out of its question.
 */
export function writeAnswer({ answer = null, questions = [], language = "", masked = false }) {
  const fields = fieldsOf(answer ?? { questions, language });
  const { trouble, save, buttons } = ending(FORM, "answer", "answer_save");
  const node = el(
    "form.answer-form",
    { novalidate: true },
    el("h2", { words: answer ? "answer_edit" : "answer_new", id: "answer-form-title" }),
    masked ? el("p.note", { words: "answer_masked", test: "answer-masked" }) : null,
    ...fields.nodes,
    trouble,
    buttons,
  );
  const tell = (problem) => {
    if (problem.status === 422) fields.offerNotPhi();
    trouble.replaceChildren(problemNode(problem));
  };
  const form = { node, save, clear: () => trouble.replaceChildren(), tell, focus: fields.focus };
  return submitted(FORM, form, () => send(answer, fields.read()));
}

function send(answer, said) {
  const path = answer ? ["answers", answer.doc_key] : ["answers"];
  const body = JSON.stringify(answer ? { ...said, version: answer.version || null } : said);
  return json(path, { method: answer ? "PUT" : "POST", headers: { "Content-Type": "application/json" }, body });
}

function fieldsOf(held) {
  const questions = area("answer-questions", 3, (held.questions ?? []).join("\n"));
  const text = area("answer-text", 5, held.text ?? "");
  const count = el("span.faint", { role: "status" });
  const look = () => word(count, "answer_text_left", { n: [...text.value].length, max: MOST });
  text.addEventListener("input", look);
  look();
  const language = chosen(held.language, ...languageOptions());
  const audience = chosen(
    held.audience ?? "public",
    option("public", "audience_public"),
    option("clinician", "audience_clinician"),
  );
  const owner = el("input", { type: "text", maxlength: "200", autocomplete: "off", test: "answer-owner" });
  owner.value = held.owner ?? "";
  const from = day(held.valid_from, "answer-valid-from");
  const until = day(held.valid_until, "answer-valid-until");
  const sources = area("answer-sources", 2, (held.sources ?? []).join("\n"));
  const notPhi = area("answer-not-phi", 2, (held.not_phi ?? []).join("\n"));
  const permitted = field("answer_not_phi", notPhi);
  permitted.hidden = !notPhi.value;
  const nodes = [
    field("answer_questions", questions),
    field("answer_text", text, count),
    el("div.fields", {}, field("document_language", language), field("answer_owner", owner)),
    el(
      "details.upload-details",
      { open: Boolean(held.valid_from || held.valid_until || held.sources?.length) },
      el("summary", { words: "answer_more" }),
      el(
        "div.fields",
        {},
        field("audience", audience),
        field("answer_valid_from", from),
        field("answer_valid_until", until),
      ),
      field("answer_sources", sources),
    ),
    permitted,
  ];
  return {
    nodes,
    focus: () => (questions.value ? text : questions).focus(),
    offerNotPhi: () => (permitted.hidden = false),
    read: () => ({
      questions: linesOf(questions),
      text: text.value.trim(),
      language: language.value || null,
      audience: audience.value,
      owner: owner.value.trim() || null,
      valid_from: from.value || null,
      valid_until: until.value || null,
      sources: linesOf(sources),
      not_phi: linesOf(notPhi),
    }),
  };
}

function area(test, rows, value) {
  const node = el("textarea", { rows, test });
  node.value = value;
  return node;
}

function day(value, test) {
  const node = el("input", { type: "date", test });
  node.value = value ?? "";
  return node;
}

function chosen(value, ...options) {
  const node = el("select", {}, ...options);
  node.value = value ?? "";
  if (node.selectedIndex < 0) node.selectedIndex = 0;
  return node;
}

const option = (value, words) => el("option", { value, words });
const field = (words, control, ...more) => el("label.answer-field", {}, el("span", { words }), control, ...more);
const linesOf = (node) =>
  node.value
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
