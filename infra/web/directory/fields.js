/**
 * Fields of a form, each made of the description of what it holds.
 *
 * A field has a `node`; `read()` gives what stands in it, undefined where that is nothing; `place(path)` the box in which
 * a problem with it is told, by the rest of the path that the server names it by.
 */

import { el } from "../element.js";
import { hasWords, languageName, say } from "../words.js";
import { chosen } from "./chosen.js";
import { choicesOf } from "./entries.js";
import { list } from "./list.js";
import { map } from "./map.js";
import { isWeek, week } from "./week.js";

/** Fields that name entries of another section. */
export const REFERENCES = {
  campus: "campuses",
  campuses: "campuses",
  department: "departments",
  departments: "departments",
  also_in: "departments",
  replaced_by: "doctors",
};
/** Characters from which a text has a box of several lines. */
const LONG = 300;
let made = 0;

/** The words of a field's name, or the name itself. */
export const nameWords = (name) => (hasWords(`directory_field_${name}`) ? `directory_field_${name}` : name);

/** A value as people read it. */
export function valueText(value) {
  if (hasWords(`directory_value_${value}`)) return say(`directory_value_${value}`);
  return /^[a-z]{2}$/.test(value) ? languageName(value) : value.replaceAll("_", " ");
}

/** What a field has to know, by what the server describes and what the directory holds. */
export const contextOf = (description, directory) => ({
  field,
  plain: (schema) => description.plain(schema),
  choices: (section) => choicesOf(directory, section),
});

/** The field of a name. `context`: `plain(schema)`, `choices(section)`, and `field`, which is this. */
function field(name, described, value, context) {
  const schema = context.plain(described);
  const own = { name, schema, value, required: described.isRequired ?? false, context };
  if (isWeek(schema)) return week(own);
  if (schema.propertyNames) return map(own);
  if (schema.type === "object") return group(own);
  if (schema.type === "array") return several(own);
  return single(own);
}

/** The fields of an object, in a frame with its name. */
export function group({ name, schema, value = {}, context, legend = true }) {
  const fields = fieldsOf(schema, value ?? {}, context);
  const inside = el("div.directory-fields", {}, ...Object.values(fields).map(({ node }) => node));
  const node = legend ? el("fieldset.directory-group", {}, el("legend", { words: nameWords(name) }), inside) : inside;
  return { node, ...together(fields, node) };
}

/** Fields by name of an object's properties. */
export function fieldsOf(schema, value, context, names = Object.keys(schema.properties)) {
  const isRequired = (name) => (schema.required ?? []).includes(name);
  const made = names.map((name) => {
    const described = { ...schema.properties[name], isRequired: isRequired(name) };
    return [name, context.field(name, described, value[name], context)];
  });
  return Object.fromEntries(made);
}

/** What several fields hold together, and where a problem of one of them is told. */
export function together(fields, node) {
  return {
    read: () => {
      const held = Object.entries(fields).map(([name, one]) => [name, one.read()]);
      const said = held.filter(([, value]) => value !== undefined);
      return said.length ? Object.fromEntries(said) : undefined;
    },
    place: ([name, ...rest]) => fields[name]?.place(rest) ?? node,
  };
}

function several(own) {
  const { name, schema, context } = own;
  const items = context.plain(schema.items);
  if (items.type === "object") return list({ ...own, items });
  const section = REFERENCES[name];
  if (section) return chosen({ ...own, options: context.choices(section) });
  if (items.enum) return chosen({ ...own, options: items.enum.map((one) => [one, valueText(one)]) });
  return lines(own);
}

function single(own) {
  const { name, schema, context } = own;
  if (schema.type === "boolean") return yesOrNo(own);
  if (schema.enum) return select(own, schema.enum.map((one) => [one, valueText(one)]));
  if (REFERENCES[name]) return select(own, context.choices(REFERENCES[name]));
  return text(own);
}

/** A control with its name above it. */
export function boxed(name, control, read, required = false) {
  made += 1;
  control.id = `directory-field-${made}`;
  if (required) control.setAttribute("aria-required", "true");
  control.dataset.field = name;
  const label = el("label", { for: control.id }, el("span", { words: nameWords(name) }), required ? " *" : null);
  const node = el("div.directory-field", {}, label, control);
  return { node, read, place: () => node };
}

function text({ name, schema, value, required }) {
  const types = schema.types ?? [schema.type];
  const isNumber = types.some((type) => ["integer", "number"].includes(type));
  const control =
    (schema.maxLength ?? 0) > LONG
      ? el("textarea", { rows: 2 })
      : el("input", {
          type: schema.format === "date" ? "date" : "text",
          inputmode: isNumber && !types.includes("string") ? "decimal" : null,
          placeholder: schema.pattern?.includes(":[0-5]") ? "08:30" : schema.default || null,
          maxlength: schema.maxLength ?? null,
          autocomplete: "off",
        });
  control.value = value ?? "";
  return boxed(name, control, () => asHeld(control.value.trim(), types, value), required);
}

/** A number where it is one; what may be either, such as the number of a floor, stays what it was. */
function asHeld(said, types, before) {
  if (!said) return undefined;
  if (typeof before === "string" && types.includes("string")) return types.includes("number") ? said.replace(",", ".") : said;
  const number = said.replace(",", ".");
  if (types.includes("integer") && /^-?\d{1,9}$/.test(said)) return Number(said);
  if (types.includes("number")) {
    if (types.includes("string")) return number;
    return Number.isNaN(Number(number)) ? said : Number(number);
  }
  return said;
}

/** One of several. What has no usual value begins empty, so that nobody saves the first of a list unseen. */
function select({ name, schema, value = schema.default, required }, options) {
  const known = options.some(([key]) => key === value);
  const control = el(
    "select",
    {},
    required && known ? null : el("option", { value: "" }),
    ...options.map(([key, shown]) => el("option", { value: key }, shown)),
    value && !known ? el("option", { value }, value) : null,
  );
  control.value = value ?? "";
  return boxed(name, control, () => control.value || undefined, required);
}

function yesOrNo({ name, value }) {
  const control = el(
    "select",
    {},
    el("option", { value: "", words: "directory_unsaid" }),
    el("option", { value: "true", words: "directory_yes" }),
    el("option", { value: "false", words: "directory_no" }),
  );
  control.value = value === undefined ? "" : String(value);
  return boxed(name, control, () => (control.value ? control.value === "true" : undefined));
}

/** Texts, one on each line. */
export function lines({ name, value = [] }) {
  const control = el("textarea", { rows: Math.min(6, Math.max(2, value.length)) });
  control.value = value.join("\n");
  return boxed(name, control, () => {
    const said = control.value.split("\n").map((line) => line.trim());
    const kept = said.filter(Boolean);
    return kept.length ? kept : undefined;
  });
}
