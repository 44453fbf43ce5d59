/** Puts a large file straight into the storage: announced first, then its parts at signed addresses, then all said. */

import { json, offline, problemOf, Refusal } from "./api.js";

/** Bytes from which on a file goes this way; a request through a gateway carries little more (docs/operations). */
export const LARGE = 4_000_000;
// A browser sets these itself, and refuses to be told.
const BY_BROWSER = ["content-length", "host"];

/** Put a file; its job, which the storage tells of within seconds. `onShare` hears the share sent. Raises: Refusal. */
export async function putLarge(file, facts, onShare) {
  const offer = await announce(file, facts);
  const etags = [];
  let sent = 0;
  for (const { size, url, headers } of offer.puts) {
    etags.push(await put(file.slice(sent, sent + size), url, headers, (bytes) => onShare((sent + bytes) / file.size)));
    sent += size;
  }
  if (offer.complete) await say(offer.complete, { etags });
  return { job_id: offer.job_id, file_name: file.name, state: "pending", announced: Date.now() };
}

function announce(file, facts) {
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value));
  const kind = file.type || "application/octet-stream";
  return say("/v1/documents/uploads", { file_name: file.name, size: file.size, media_type: kind, facts: given });
}

function say(path, body) {
  const headers = { "Content-Type": "application/json" };
  return json(path.split("/").slice(2), { method: "POST", headers, body: JSON.stringify(body) });
}

function put(part, url, headers, onSent) {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.upload.addEventListener("progress", (event) => onSent(event.loaded));
    call.addEventListener("error", () => reject(new Refusal(offline())));
    call.addEventListener("load", () => {
      if (call.status >= 200 && call.status < 300) resolve(call.getResponseHeader("ETag"));
      else reject(new Refusal(problemOf(call.responseText, call.status)));
    });
    call.open("PUT", url);
    for (const [name, value] of Object.entries(headers))
      if (!BY_BROWSER.includes(name.toLowerCase())) call.setRequestHeader(name, value);
    call.send(part);
  });
}
