/** Makes turns of a conversation that the server kept. Their sources and times are not kept with the words. */

import { restoredTurn } from "../turns.js";

/** The turns of a conversation in order; a message without its counterpart is a turn with an empty one. */
export function turnsOf(conversation) {
  const turns = [];
  let question = null;
  for (const message of conversation.messages) {
    if (message.role === "user") {
      if (question) turns.push(made(question, null, conversation));
      question = message;
    } else {
      turns.push(made(question, message, conversation));
      question = null;
    }
  }
  if (question) turns.push(made(question, null, conversation));
  return turns;
}

const made = (question, answer, { conversation_id: id, language, pack }) =>
  restoredTurn({
    id: answer?.turn_id ?? question?.turn_id,
    question: question?.text ?? "",
    text: answer?.text ?? "",
    at: (answer ?? question).at,
    language,
    pack,
    conversation_id: id,
    disposition: answer?.disposition,
    reason: answer?.reason,
  });
