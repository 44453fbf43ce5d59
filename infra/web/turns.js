/** One question and what came back for it, as plain data that grows event by event. */

let count = 0;

/** A turn that has just been asked; `request` is the body to send. */
export function newTurn(request, now = performance.now()) {
  count += 1;
  return {
    id: count,
    request,
    question: request.text,
    state: "working",
    startedAt: now,
    endedAt: null,
    meta: null,
    text: "",
    stages: [],
    citations: new Map(),
    warnings: [],
    answer: null,
    problem: null,
    silent: false,
    keptAt: null,
  };
}

/**
 * A turn that the server kept: its words and what kind of answer it was, without sources and times, which are not kept
 * with them. Of what an older server kept the kind is not known.
 */
export function restoredTurn({ id, question, text, at, language, pack, conversation_id, disposition, reason }) {
  const answer = {
    id,
    text,
    language: language ?? "",
    disposition: disposition ?? null,
    reason: reason ?? null,
    pack,
    conversation_id,
    citations: [],
    warnings: [],
    choices: [],
    spoken: null,
    phi: null,
  };
  const turn = newTurn({ text: question });
  // A marker without its source leads nowhere.
  const told = text.replace(/\s?\[\d{1,3}(?:\s*,\s*\d{1,3})*\]/g, "");
  return { ...turn, state: "done", endedAt: turn.startedAt, text: told, answer, keptAt: at };
}

const TAKE = {
  meta: (turn, data) => Object.assign(turn, { meta: data }),
  stage: (turn, data, at) => turn.stages.push({ stage: data.stage, ms: data.ms, at }),
  token: (turn, data) => Object.assign(turn, { text: turn.text + data.text }),
  citation: (turn, data) => turn.citations.set(data.citation.number, data.citation),
  warning: (turn, data) => warn(turn, data),
  done: (turn, data) => finish(turn, data.answer),
  error: (turn, data) => Object.assign(turn, { state: "failed", problem: data.problem }),
};

/** Take one event into the turn; events of a kind this console does not know are passed over. */
export function take(turn, { name, data }, now = performance.now()) {
  TAKE[name]?.(turn, data, now - turn.startedAt);
}

function warn(turn, { code, message }) {
  if (!turn.warnings.some((known) => known.code === code && known.message === message))
    turn.warnings.push({ code, message });
}

/** The answer is the truth: it replaces what was gathered from the stream. */
function finish(turn, answer) {
  turn.state = "done";
  turn.answer = answer;
  turn.text = answer.text;
  turn.citations = new Map(answer.citations.map((citation) => [citation.number, citation]));
  for (const warning of answer.warnings) warn(turn, warning);
  for (const { stage, ms } of answer.timings) {
    if (!turn.stages.some((known) => known.stage === stage)) turn.stages.push({ stage, ms, at: null });
  }
}
