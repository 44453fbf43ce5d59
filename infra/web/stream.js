/** Server-sent events over fetch: reads a byte stream cut anywhere, and tells a finished turn from a cut one. */

import { request } from "./api.js";

/** Milliseconds without a byte after which the stream counts as cut. */
export const SILENCE = 60_000;
/** Milliseconds a stream that has told everything may take to end by itself; cancelling it closes its connection. */
const ENDING = 1000;

/** The stream ended without `done` or `error`; `silent` when the server went quiet. */
export class StreamCut extends Error {
  constructor(silent = false) {
    super("the stream ended before the turn did");
    this.silent = silent;
  }
}

/**
 * Ask a question and yield `{name, data}` for each event of the turn.
 *
 * Raises: Refusal when the turn was refused before it began, StreamCut when it broke off, AbortError when stopped.
 */
export async function* ask(question, signal) {
  const response = await request(["query"], {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(question),
    signal,
  });
  for await (const event of readEvents(response.body)) {
    yield event;
    if (event.name === "done" || event.name === "error") return;
  }
  throw new StreamCut();
}

/** The events of a byte stream; an event without its closing blank line is not one, as the standard says. */
export async function* readEvents(body) {
  let name = "";
  let data = [];
  for await (const line of readLines(body)) {
    if (line === "") {
      if (data.length) yield { name: name || "message", data: parse(data.join("\n")) };
      name = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
}

async function* readLines(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await nextChunk(reader);
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line end whose second half is in the next chunk.
      const held = !done && rest.endsWith("\r") ? "\r" : "";
      const lines = rest.slice(0, rest.length - held.length).split(/\r\n|\n|\r/);
      rest = lines.pop() + held;
      yield* lines;
      if (done) return;
    }
  } finally {
    drain(reader);
  }
}

/** Read on without looking until the stream has ended, or its time to do so has. */
async function drain(reader) {
  const timer = setTimeout(() => reader.cancel().catch(() => {}), ENDING);
  try {
    while (!(await reader.read()).done);
  } catch {
    // It was stopped or has broken off; whoever was reading has been told.
  } finally {
    clearTimeout(timer);
  }
}

async function nextChunk(reader) {
  let timer;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new StreamCut(true)), SILENCE);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    if (error.name === "AbortError" || error instanceof StreamCut) throw error;
    throw new StreamCut();
  } finally {
    clearTimeout(timer);
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new StreamCut();
  }
}
