/** The list of one's own conversations, in a dialog: open one again, save it as a file, or delete it. */

import { json, Refusal } from "../api.js";
import { announce, el, icon } from "../element.js";
import { problemNode } from "../problem.js";
import { Rows } from "../renewal.js";
import { moment, say } from "../words.js";
import { asJson, asMarkdown, download } from "./export.js";
import { turnsOf } from "./restored.js";

const KINDS = [
  ["markdown", "md", "text/markdown", asMarkdown],
  ["json", "json", "application/json", asJson],
];

/**
 * Fill the dialog when it is opened.
 *
 * `current()` is `{id, turns}` of the conversation on the page; `open(conversation)` shows another one, `forgotten(id)`
 * hears that one is gone; `tenant()` is the hospital's name; `listed()` says whether whoever is here has a list.
 */
export class Conversations {
  #dialog;
  #actions;

  constructor(dialog, opener, actions) {
    this.#dialog = dialog;
    this.#actions = actions;
    opener.addEventListener("click", () => this.#open());
  }

  async #open() {
    const list = el("ul.conversation-list", { test: "conversation-list" });
    const rows = new Rows(list);
    const trouble = el("div.trouble");
    const close = el("button", { words: "close", on: { click: () => this.#dialog.close() } });
    this.#dialog.replaceChildren(
      el("h2", { words: "conversations", id: "conversations-title" }),
      el("p.faint", { words: this.#actions.listed() ? "conversations_note" : "conversations_here" }),
      this.#currentNode(),
      trouble,
      list,
      el("p.buttons", {}, close),
    );
    this.#dialog.showModal();
    if (this.#actions.listed()) await this.#fill(rows, trouble);
  }

  /** What is on the page, with what only the page has of it: sources and warnings. */
  #currentNode() {
    const { id, turns } = this.#actions.current();
    if (!turns.length) return el("p.empty", { words: "conversation_empty" });
    return el(
      "section.conversation",
      { test: "conversation-now" },
      el("p.conversation-first", { words: "conversation_now" }),
      el("p.buttons", {}, this.#copyButton(turns, id), this.#saveButtons(id, async () => turns)),
    );
  }

  async #fill(rows, trouble) {
    trouble.replaceChildren();
    try {
      const { conversations } = await json(["conversations"], { query: { limit: 100 } });
      const others = conversations.filter(({ conversation_id: id }) => id !== this.#actions.current().id);
      rows.show(others, ({ conversation_id: id }) => id, (one) => ({ node: this.#row(one, rows, trouble) }));
    } catch (error) {
      this.#tell(error, trouble, () => this.#fill(rows, trouble));
    }
  }

  #row(one, rows, trouble) {
    const { conversation_id: id } = one;
    const open = async () => {
      try {
        const conversation = await json(["conversations", id]);
        this.#dialog.close();
        this.#actions.open(conversation);
      } catch (error) {
        this.#tell(error, trouble, open);
      }
    };
    const forget = async () => {
      try {
        await json(["conversations", id], { method: "DELETE" });
        announce(say("conversation_deleted"));
        this.#actions.forgotten(id);
        await this.#fill(rows, trouble);
        this.#dialog.querySelector("button")?.focus();
      } catch (error) {
        this.#tell(error, trouble, forget);
      }
    };
    return el(
      "li.conversation",
      { test: "conversation" },
      el(
        "button.conversation-open",
        { on: { click: open }, test: "open-conversation" },
        el("span.conversation-first", one.first ? {} : { words: "conversation_untold" }, one.first),
      ),
      el("p.faint", {}, moment(one.last_active)),
      el(
        "p.buttons",
        {},
        this.#saveButtons(id, async () => turnsOf(await json(["conversations", id])), trouble),
        el(
          "button.small.quiet.danger",
          { on: { click: forget }, test: "delete-conversation", label: "delete_conversation", title: "delete_conversation" },
          icon("bin"),
        ),
      ),
    );
  }

  #copyButton(turns, id) {
    if (!navigator.clipboard) return null;
    const said = el("span", { words: "copy" });
    const copy = async () => {
      await navigator.clipboard.writeText(asMarkdown(turns, { id, tenant: this.#actions.tenant() }));
      said.replaceWith(el("span", { words: "copied", role: "status" }));
    };
    return el("button.small", { on: { click: () => copy().catch(() => {}) }, test: "copy-conversation" }, icon("copy"), said);
  }

  #saveButtons(id, turns, trouble = null) {
    const save = async (kind) => {
      const [, ending, type, write] = kind;
      try {
        const text = write(await turns(), { id, tenant: this.#actions.tenant() });
        download(`careline-${(id ?? "conversation").slice(0, 12)}.${ending}`, text, type);
      } catch (error) {
        this.#tell(error, trouble, () => save(kind));
      }
    };
    return KINDS.map((kind) =>
      el("button.small", { on: { click: () => save(kind) }, test: `save-${kind[0]}`, words: `save_${kind[0]}` }),
    );
  }

  #tell(error, trouble, again) {
    if (!(error instanceof Refusal) || !trouble) throw error;
    trouble.replaceChildren(problemNode(error.problem, again));
  }
}
