/** Fields by key: one for each language, or one for each purpose that is used. */

import { el } from "../element.js";
import { languageName, say, word } from "../words.js";
import { nameWords, valueText } from "./fields.js";

/** So many keys have their fields at once; of more, those that are used, and a choice of the others. */
const FEW = 4;
const isLanguage = (key) => /^[a-z]{2}$/.test(key);

/** The field of an object whose keys are known and not its values. */
export function map({ name, schema, value = {}, context }) {
  const keys = schema.propertyNames.enum;
  const fields = {};
  const inside = el("div.directory-fields", {});
  const choice = el("select", { label: ["directory_more_of", { name: say(nameWords(name)) }] });
  const add = el("button.small", { words: "directory_put", on: { click: () => put(choice.value, true) } });
  const more = el("div.directory-more", {}, choice, add);

  const offer = () => {
    const left = keys.filter((key) => !fields[key]);
    choice.replaceChildren(...left.map((key) => el("option", { value: key }, valueText(key))));
    more.hidden = !left.length;
  };
  const put = (key, focus = false) => {
    if (!key || fields[key]) return;
    fields[key] = named(key, context.field(key, schema.additionalProperties, value[key], context));
    inside.append(fields[key].node);
    offer();
    if (focus) fields[key].node.querySelector("input, textarea, select")?.focus();
  };
  for (const key of keys.length <= FEW ? keys : keys.filter((one) => value[one] !== undefined)) put(key);
  offer();
  const node = el("fieldset.directory-group", { "data-field": name }, el("legend", { words: nameWords(name) }), inside, more);
  return {
    node,
    read: () => {
      const held = keys.filter((key) => fields[key]).map((key) => [key, fields[key].read()]);
      const said = held.filter(([, one]) => one !== undefined);
      return said.length ? Object.fromEntries(said) : undefined;
    },
    place: ([key, ...rest]) => fields[key]?.place(rest) ?? node,
  };
}

/** The same field, whose name is its key: a language by its own name, a purpose by its words. */
function named(key, one) {
  const label = one.node.querySelector("label > span, legend");
  for (const place of Object.keys(label.dataset)) delete label.dataset[place];
  if (!isLanguage(key)) word(label, `directory_value_${key}`);
  else {
    label.textContent = languageName(key);
    one.node.querySelector("input, textarea")?.setAttribute("lang", key);
  }
  return one;
}
