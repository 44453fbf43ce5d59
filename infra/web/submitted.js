/** Shows a form in a dialog until what is written in it was taken, or somebody leaves it. */

import { Refusal } from "./api.js";
import { el } from "./element.js";

/**
 * What such a form ends with: the place of what is wrong with it, its button `save`, which `words` are on, and the row of
 * both buttons. `name` is what tests call them.
 */
export function ending(id, name, words) {
  const trouble = el("div", { role: "alert", test: `${name}-trouble` });
  const save = el("button.primary", { test: `${name}-save`, words });
  save.type = "submit";
  const cancel = el("button", { words: "cancel", on: { click: () => document.getElementById(id).close() } });
  return { trouble, save, buttons: el("p.buttons", {}, cancel, save) };
}

/**
 * Show a form in the dialog of an id and `send()` what is written; resolves to what was made of it, or null where it was
 * left. A form has its `node`, the button `save`, `clear()` and `tell(problem)` of what is wrong with it, and `focus()`.
 */
export function submitted(id, { node, save, clear, tell, focus }, send) {
  const dialog = document.getElementById(id);
  dialog.replaceChildren(node);
  return new Promise((resolve) => {
    let made = null;
    node.addEventListener("submit", async (event) => {
      event.preventDefault();
      save.disabled = true;
      clear();
      try {
        made = await send();
        dialog.close();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        tell(error.problem);
      } finally {
        save.disabled = false;
      }
    });
    dialog.addEventListener("close", () => resolve(made), { once: true });
    dialog.showModal();
    focus();
  });
}
