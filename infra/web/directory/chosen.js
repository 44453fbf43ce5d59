/** Several of what there is to choose from, such as the campuses of a department. */

import { el, icon } from "../element.js";
import { say } from "../words.js";
import { nameWords } from "./fields.js";

/** The field of a list of which each is one of `options`: pairs of what is held and how it is called. */
export function chosen({ name, value = [], options }) {
  const titles = new Map(options);
  let held = [...value];
  const chips = el("ul.directory-chips", {});
  const choice = el("select", { label: ["directory_more_of", { name: say(nameWords(name)) }] });
  const add = el("button.small", { words: "directory_put" });
  const more = el("div.directory-more", {}, choice, add);

  const show = () => {
    chips.replaceChildren(...held.map(chip));
    const left = options.filter(([key]) => !held.includes(key));
    choice.replaceChildren(...left.map(([key, title]) => el("option", { value: key }, title)));
    more.hidden = !left.length;
  };
  const chip = (key) => {
    const title = titles.get(key) ?? key;
    const drop = () => {
      held = held.filter((one) => one !== key);
      show();
      (more.hidden ? chips.querySelector("button") : choice)?.focus();
    };
    const off = el("button.small.quiet", { label: ["directory_take", { name: title }], on: { click: drop } }, icon("cross"));
    return el("li", {}, title, off);
  };
  add.addEventListener("click", () => {
    if (!choice.value) return;
    held = [...held, choice.value];
    show();
    choice.focus();
  });
  show();
  const node = el("fieldset.directory-group", { "data-field": name }, el("legend", { words: nameWords(name) }), chips, more);
  return { node, read: () => (held.length ? held : undefined), place: () => node };
}
