/** Brings lists and boxes up to date under somebody's hands: what says the same stays, and the keyboard stays where it was. */

/** What the keyboard can go on from; the first of a row opens, chooses or puts away, and never decides. */
const CONTROLS = "input, button, a[href], summary";
/** What stands now where a node stood that says something else. */
const successors = new WeakMap();
/** What a box was filled with, before anybody did anything in it. */
const filled = new WeakMap();

/**
 * The rows of a list by their ids. A row has its `node`, and where it tells what was refused, `tell(problem)`.
 *
 * A row that says the same as before keeps its node, with what was opened, chosen and focused in it; of one that says
 * something else the new node takes that over. With `isKept` a row is never built again while it is in the list.
 */
export class Rows {
  #list;
  #isKept;
  #held = new Map();

  constructor(list, { isKept = false } = {}) {
    this.#list = list;
    this.#isKept = isKept;
  }

  /** The row of an id, where there is one. */
  get(id) {
    return this.#held.get(id)?.row;
  }

  /** Show a row for each of `things`, told apart by `idOf(one)` and built by `rowOf(one, at)`; the rows in their order. */
  show(things, idOf, rowOf) {
    const before = this.#held;
    const now = new Map();
    things.forEach((one, at) => {
      let id = idOf(one);
      // Two things of one id are two rows all the same.
      while (now.has(id)) id = `${id} again`;
      now.set(id, this.#renewed(before.get(id), one, () => rowOf(one, at)));
    });
    this.#held = now;
    const rows = [...now.values()].map(({ row }) => row);
    handling(this.#list, () => {
      for (const [id, { row }] of now) if (before.get(id)?.row === row) row.tell?.(null);
      arrange(this.#list, rows.map(({ node }) => node));
      for (const [id, { row }] of now) if (before.has(id)) carry(before.get(id).row.node, row.node);
    });
    return rows;
  }

  #renewed(held, one, build) {
    if (held && this.#isKept) return held;
    const row = build();
    // What it is built from is compared too: its buttons act on that, whether it is seen or not.
    const said = JSON.stringify(one) + row.node.outerHTML;
    return held?.said === said ? held : { row, said };
  }
}

/** Fill a box anew, unless it would say the same; what was opened in it stays open. */
export function renew(box, ...nodes) {
  const said = nodes.map((node) => node.outerHTML ?? node).join("");
  if (filled.get(box) === said) return;
  filled.set(box, said);
  handling(box, () => {
    const before = document.createElement("div");
    before.append(...box.childNodes);
    box.append(...nodes);
    carry(before, box);
  });
}

/** A control while it is on the page; else the one that stands in its place now, or null where there is none. */
export function standing(control) {
  if (!control || control.isConnected) return control ?? null;
  let gone = control;
  while (gone && !successors.has(gone)) gone = gone.parentElement;
  if (!gone) return null;
  const now = successors.get(gone);
  return standing(twin(control, gone, now) ?? now.querySelector(CONTROLS));
}

/** Put nodes into a list in their order; those that are in their place are not touched, as moving one takes the keyboard off it. */
function arrange(list, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...list.children]) if (!wanted.has(node)) node.remove();
  let at = list.firstElementChild;
  for (const node of nodes) {
    if (node === at) at = at.nextElementSibling;
    else list.insertBefore(node, at);
  }
}

/** What a person did in one node is done in the other, which takes its place. */
function carry(from, to) {
  if (from === to) return;
  successors.set(from, to);
  const each = (what, act) => {
    for (const one of from.querySelectorAll(what)) {
      const other = twin(one, from, to);
      if (other) act(one, other);
    }
  };
  each("details", (one, other) => (other.open = one.open));
  each("input[type=checkbox]", (one, other) => (other.checked = one.checked));
  // What a button opened is asked for again: it may say something else as well.
  each("[aria-expanded=true]", (_, other) => other.getAttribute("aria-expanded") === "false" && other.click());
}

/** Change what is in a box; the keyboard stays at the control where it was, or goes to the row that stands nearest. */
export function handling(box, change) {
  const at = document.activeElement;
  const rows = [...box.children];
  const place = rows.findIndex((row) => row.contains(at));
  change();
  if (place < 0 || document.activeElement === at) return;
  const nearest = [...rows.slice(place), ...rows.slice(0, place).reverse()].find((row) => row.isConnected);
  // Something that is hidden or out of use does not take it.
  for (const next of [standing(at), nearest?.querySelector(CONTROLS), box.closest('[role="tabpanel"], dialog')]) {
    next?.focus({ preventScroll: true });
    if (next && document.activeElement === next) return;
  }
}

/** The control of the same name in another node; of several, the one in the same place among them. */
function twin(control, from, to) {
  if (control.localName === "summary") return twin(control.parentElement, from, to)?.firstElementChild ?? null;
  const { testid } = control.dataset;
  const classes = [...control.classList].map((one) => `.${CSS.escape(one)}`).join("");
  const name = testid ? `[data-testid="${CSS.escape(testid)}"]` : control.localName + classes;
  return to.querySelectorAll(name)[[...from.querySelectorAll(name)].indexOf(control)] ?? null;
}
