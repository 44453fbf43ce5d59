/** Asks before a document is deleted, and deletes it; the dialog stays open, with the reason, when that fails. */

import { json, Refusal } from "./api.js";
import { el, icon } from "./element.js";
import { problemNode } from "./problem.js";

/** Ask, and delete when the person agrees; true when the document is gone. */
export function confirmDeletion(document) {
  const dialog = window.document.getElementById("confirm");
  const trouble = el("div");
  const yes = el("button.danger.full", { test: "confirm-delete" }, icon("bin"), el("span", { words: "delete" }));
  const no = el("button", { words: "cancel", autofocus: true });
  dialog.replaceChildren(
    el("h2", { words: "delete_title", id: "confirm-title" }),
    el("p", { words: ["delete_text", { title: document.title || document.file_name, key: document.doc_key }] }),
    trouble,
    el("p.buttons", {}, no, yes),
  );
  return new Promise((resolve) => {
    let gone = false;
    const remove = async () => {
      yes.disabled = true;
      try {
        await json(["documents", document.doc_key], { method: "DELETE" });
        gone = true;
        dialog.close();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        trouble.replaceChildren(problemNode(error.problem, remove));
      } finally {
        yes.disabled = false;
      }
    };
    yes.addEventListener("click", remove);
    no.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => resolve(gone), { once: true });
    dialog.showModal();
  });
}
