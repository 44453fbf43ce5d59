/** The Turn tab: how the answer came to be, in facts and in time. */

import { el } from "./element.js";
import { isExplained } from "./explanations.js";
import { phiWords } from "./personal.js";
import { copyButton } from "./problem.js";
import { renew } from "./renewal.js";
import { badge, kindOf } from "./verdict.js";
import { waterfallNode } from "./waterfall.js";
import { fillWhy, whyNode } from "./why.js";
import { duration, hasWords, languageName, spoken } from "./words.js";

/** Fill `leaf` with what is known of a turn; null empties it. `again` is called to try its explanation again. */
export function showTurnFacts(leaf, turn, explanation = null, again = () => {}) {
  showFacts(leaf, turn);
  if (leaf.why) fillWhy(leaf.why, explanation, again);
}

function showFacts(leaf, turn) {
  const key = turn && [turn.id, turn.state, turn.stages.length, turn.endedAt, turn.meta?.trace_id, spoken()].join("|");
  if (key && leaf.shows === key) return;
  leaf.shows = key;
  // What was opened is carried over within a turn, and not from one to another.
  if (leaf.of !== turn?.id) renew(leaf);
  leaf.of = turn?.id;
  leaf.why = null;
  if (!turn) {
    renew(leaf, el("p.empty", { words: "no_turn" }));
    return;
  }
  const kind = kindOf(turn);
  renew(
    leaf,
    ...[
      el("p.asked-line", {}, turn.question),
      kind === "working" ? el("p.verdict.kind-working", { words: "working" }) : badge(kind),
      isExplained(turn) ? whyNode() : null,
      turn.answer && !turn.keptAt ? answerFacts(turn.answer) : null,
      turn.stages.length ? stagesNode(turn) : null,
      traceFacts(turn),
    ].filter(Boolean),
  );
  leaf.why = leaf.querySelector("[data-testid=why]");
}

function stagesNode(turn) {
  const wall = turn.endedAt === null ? null : turn.endedAt - turn.startedAt;
  return el(
    "details.block.stages-block",
    { test: "stages" },
    el("summary", { words: "waterfall" }),
    waterfallNode(turn.stages),
    wall === null ? null : el("p.faint", { words: ["waterfall_total", { wall: duration(wall) }] }),
  );
}

function answerFacts(answer) {
  const { tokens } = answer;
  const known = `disposition_${answer.disposition}`;
  return el(
    "dl.facts",
    {},
    fact("model", answer.model ? [answer.model] : [el("span.none", { words: "no_model" })]),
    fact("disposition", [hasWords(known) ? el("span", { words: known }) : answer.disposition]),
    answer.reason ? fact("reason", [el("code", {}, answer.reason)]) : null,
    fact("intent", [el("code", {}, answer.intent)]),
    fact("answer_language", [languageName(answer.language)]),
    fact("pack", [el("code", {}, answer.pack)]),
    fact("cost", [money(answer.cost)]),
    fact("tokens", [el("span", { words: ["tokens_line", tokens] })]),
    answer.phi === null ? null : fact("phi", [el("span", { words: phiWords(answer) })]),
    answer.sources_searched.length ? fact("searched", [answer.sources_searched.join(", ")]) : null,
  );
}

function traceFacts(turn) {
  const trace = turn.answer?.trace_id ?? turn.problem?.trace_id ?? turn.meta?.trace_id;
  if (!trace) return null;
  const conversation = turn.answer?.conversation_id ?? turn.meta?.conversation_id;
  return el(
    "dl.facts",
    {},
    fact("trace", [el("code", {}, trace), " ", copyButton(trace)]),
    conversation ? fact("conversation", [el("code", {}, conversation)]) : null,
  );
}

const fact = (name, value) => el("div", {}, el("dt", { words: name }), el("dd", {}, value));

const money = (euros) =>
  euros.toLocaleString(spoken(), {
    style: "currency",
    currency: "EUR",
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  });
