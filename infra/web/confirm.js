/** Asks before something is taken away, and takes it away; the dialog stays open, with the reason, when that fails. */

import { Refusal } from "./api.js";
import { el, icon } from "./element.js";
import { problemNode } from "./problem.js";

/**
 * Ask, and call `act()` when the person agrees; true when it is done. `title`, `text` and `agree`, what the button says,
 * are words as `el` takes them; `test` is the button's name for tests.
 */
export function confirmed({ title, text, agree, test, act }) {
  const dialog = document.getElementById("confirm");
  const trouble = el("div");
  const yes = el("button.danger.full", { test }, icon("bin"), el("span", { words: agree }));
  const no = el("button", { words: "cancel", autofocus: true, on: { click: () => dialog.close() } });
  dialog.replaceChildren(
    el("h2", { words: title, id: "confirm-title" }),
    el("p", { words: text }),
    trouble,
    el("p.buttons", {}, no, yes),
  );
  return new Promise((resolve) => {
    let done = false;
    const go = async () => {
      yes.disabled = true;
      try {
        await act();
        done = true;
        dialog.close();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        trouble.replaceChildren(problemNode(error.problem, go));
      } finally {
        yes.disabled = false;
      }
    };
    yes.addEventListener("click", go);
    dialog.addEventListener("close", () => resolve(done), { once: true });
    dialog.showModal();
  });
}
