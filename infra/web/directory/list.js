/** Fields that are there several times, such as the places of a department. */

import { el, icon } from "../element.js";
import { say } from "../words.js";
import { group, nameWords } from "./fields.js";

/** The field of a list of objects. Those in which nothing stands are left out. */
export function list({ name, value = [], items, context }) {
  let held = [];
  let told = [];
  const inside = el("div.directory-list", {});
  const add = el("button.small", { words: ["directory_more_of", { name: say(nameWords(name)) }], test: `add-${name}` });

  const put = (one, focus = false) => {
    const fields = group({ name, schema: items, value: one, context, legend: false });
    const label = ["directory_take", { name: say(nameWords(name)) }];
    const drop = el("button.small.quiet.danger", { label }, icon("bin"));
    const made = { ...fields, node: el("div.directory-item", {}, fields.node, drop) };
    drop.addEventListener("click", () => {
      held = held.filter((each) => each !== made);
      made.node.remove();
      add.focus();
    });
    held.push(made);
    inside.append(made.node);
    if (focus) made.node.querySelector("input, select, textarea")?.focus();
  };
  add.addEventListener("click", () => put({}, true));
  value.forEach((one) => put(one));
  const node = el("fieldset.directory-group", { "data-field": name }, el("legend", { words: nameWords(name) }), inside, add);
  return {
    node,
    read: () => {
      // What the server says of an item names it by its place among those that were sent.
      told = held.filter((one) => one.read() !== undefined);
      return told.length ? told.map((one) => one.read()) : undefined;
    },
    place: ([at, ...rest]) => told[Number(at)]?.place(rest) ?? node,
  };
}
