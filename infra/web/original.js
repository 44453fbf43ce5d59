/** The way to a document's file as it came in. */

import { address, isTokenSent, request, Refusal } from "./api.js";
import { el } from "./element.js";
import { problemNode } from "./problem.js";

/** A link that holds these nodes. Where a token opens the API a plain link would be refused: then the file is fetched. */
export function originalLink({ doc_key: key, version, file_name: name }, options, ...content) {
  const path = ["documents", key, "original"];
  const link = el("a", { href: address(path, { version }), target: "_blank", rel: "noopener", ...options }, ...content);
  link.addEventListener("click", (event) => {
    if (!isTokenSent()) return;
    event.preventDefault();
    save(path, version, name ?? key).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      link.after(problemNode(error.problem));
    });
  });
  return link;
}

async function save(path, version, name) {
  const response = await request(path, { query: { version } });
  // Saved and never shown: a page among the documents would be one of our own origin.
  const file = new Blob([await response.arrayBuffer()], { type: "application/octet-stream" });
  const place = URL.createObjectURL(file);
  el("a", { href: place, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(place), 60_000);
}
