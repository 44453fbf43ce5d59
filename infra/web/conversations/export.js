/** Writes a conversation down for a person (Markdown) or a program (JSON) and hands it over as a file. */

import { plainText } from "../render.js";
import { languageName, say } from "../words.js";

/** The conversation as Markdown: each question, its answer as it was said, and the sources it names. */
export function asMarkdown(turns, { id, tenant }) {
  const head = [`# ${say("conversation")}`, [tenant, id].filter(Boolean).join(" · ")];
  const body = turns.flatMap((turn) => [
    `## ${turn.question.replace(/\s+/g, " ").trim()}`,
    turn.text || `*${say(turn.state === "done" ? "no_answer_kept" : `verdict_${turn.state}`)}*`,
    ...turn.warnings.map(({ message }) => `> ${message}`),
    [...turn.citations.values()].map(sourceLine).join("\n"),
  ]);
  return `${[...head, ...body].filter(Boolean).join("\n\n")}\n`;
}

/** The conversation as JSON: what was asked and answered, with the sources, and nothing of how it was made. */
export function asJson(turns, { id, tenant }) {
  const told = turns.map((turn) => ({
    turn_id: turn.answer?.id ?? null,
    question: turn.question,
    answer: turn.text,
    language: turn.answer?.language ?? null,
    disposition: turn.answer?.disposition ?? turn.state,
    citations: [...turn.citations.values()],
    warnings: turn.warnings,
  }));
  return `${JSON.stringify({ conversation_id: id ?? null, hospital: tenant || null, turns: told }, null, 2)}\n`;
}

/** One answer as text to paste, with its sources below. */
export function asText(turn) {
  return [plainText(turn.text), ...[...turn.citations.values()].map(sourceLine)].filter(Boolean).join("\n\n");
}

/** Hand a text over as a file. */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function sourceLine({ number, title, section, page, doc_key: key, version, language }) {
  const place = [section, page ? say("page", { n: page }) : null, languageName(language)].filter(Boolean).join(", ");
  return `[${number}] ${title}${place ? `, ${place}` : ""} (${key}, ${say("version", { n: version })})`;
}
