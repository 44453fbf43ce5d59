/** Sends what a person decided about proposals. */

import { json } from "../api.js";

const PLACE = ["admin", "proposals"];
const JSON_TYPE = { "Content-Type": "application/json" };

/** Decide about one: `confirm` (with `corrections`), `reject` or `reopen`. Raises: Refusal. */
export const decide = (id, decision, corrections = {}) =>
  json([...PLACE, id, "decision"], { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ decision, corrections }) });

/** Decide about several at once, all or none. Raises: Refusal. */
export const decideAll = (ids, decision) =>
  json([...PLACE, "decisions"], { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ decision, proposal_ids: ids }) });

/** Proposals in a state, with how many more there are. Raises: Refusal. */
export const listed = (state, limit = 1000) => json(PLACE, { query: { state, limit } });
