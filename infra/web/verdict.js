/** Says what kind of answer a turn gave: one word, one icon and one colour for each kind. */

import { el, icon } from "./element.js";

const ICONS = {
  emergency: "siren",
  refused: "hand",
  clarified: "question",
  handoff: "person",
  unknown: "search",
  failed: "cross",
  stopped: "square",
  cut: "broken",
};
const BY_DISPOSITION = { refused: "refused", clarified: "clarified", escalated: "handoff", failed: "failed" };
const NOTHING_FOUND = /^(UNKNOWN|UNANSWERED|NO_|NOT_FOUND|NOTHING)/;

/** The kind of a turn: one of the keys above, `working` or `plain`. */
export function kindOf(turn) {
  if (turn.state !== "done") return turn.state;
  const reason = (turn.answer.reason ?? "").toUpperCase();
  if (reason === "EMERGENCY") return "emergency";
  // Only of what was kept: whoever sees it as it is told has not left.
  if (reason === "CLIENT_LEFT") return "stopped";
  if (turn.answer.disposition !== "failed" && NOTHING_FOUND.test(reason)) return "unknown";
  return BY_DISPOSITION[turn.answer.disposition] ?? "plain";
}

/** The badge of a kind, or null for a plain answer, which needs none. */
export function badge(kind) {
  if (!ICONS[kind]) return null;
  return el(`p.verdict.kind-${kind}`, {}, icon(ICONS[kind]), el("span", { words: `verdict_${kind}` }));
}
