/** Saves every answer of a file of JSON Lines, one request each, so that one that is refused stops no other. */

import { json, Refusal } from "../api.js";
import { say } from "../words.js";

const QUESTIONS = ["question", "questions", "vraag", "vragen", "domanda", "domande", "variants"];
const TEXTS = ["answer", "text", "antwoord", "réponse", "risposta"];
const KEPT = ["language", "audience", "owner", "valid_from", "valid_until", "not_phi"];

/** What became of a file: how many were `saved` and `unchanged`, and each that was `refused` with its line and why. */
export async function importAnswers(file) {
  const told = { saved: 0, unchanged: 0, refused: [] };
  const lines = (await file.text()).replace(/^\uFEFF/, "").split("\n");
  for (const [at, line] of lines.entries()) {
    if (!line.trim()) continue;
    try {
      const { unchanged } = await save(line);
      told[unchanged ? "unchanged" : "saved"] += 1;
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof SyntaxError)) throw error;
      told.refused.push({ line: at + 1, message: error.problem?.message ?? error.message });
    }
  }
  return told;
}

async function save(line) {
  const record = JSON.parse(line);
  if (record === null || typeof record !== "object" || Array.isArray(record))
    throw new SyntaxError(say("answers_no_record"));
  const body = JSON.stringify({
    ...Object.fromEntries(KEPT.filter((name) => record[name] != null).map((name) => [name, record[name]])),
    questions: QUESTIONS.flatMap((name) => record[name] ?? []),
    text: TEXTS.map((name) => record[name]).find(Boolean) ?? "",
    sources: [record.sources ?? []].flat(),
  });
  return json(["answers"], { method: "POST", headers: { "Content-Type": "application/json" }, body });
}
