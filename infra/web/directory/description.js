/** What an entry of each section holds, as the server describes it: the form is made of that. */

import { description } from "../api.js";

export const SECTIONS = ["hospital", "campuses", "departments", "doctors", "tariffs", "contacts", "closures", "lay_words"];
/** Sections whose entries have an id of their own. */
export const WITH_ID = SECTIONS.slice(1, -1);
const HERE = "#/components/schemas/";
let asked = null;

/** What the server says of its directory; asked for once. Raises: Refusal. */
export function described() {
  asked ??= description().then(
    ({ components }) => new Description(components.schemas),
    (error) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

class Description {
  #schemas;

  constructor(schemas) {
    this.#schemas = schemas;
  }

  /** The schema itself, without what says that it may be left out. */
  plain(schema) {
    if (schema.$ref) return this.plain(this.#schemas[schema.$ref.replace(HERE, "")]);
    if (!schema.anyOf) return schema;
    const some = schema.anyOf.filter(({ type }) => type !== "null").map((one) => this.plain(one));
    return some.length === 1 ? some[0] : { types: some.map(({ type }) => type), ...some.at(-1) };
  }

  /** What an entry of a section holds. */
  entry(section) {
    const held = this.#schemas.Directory.properties[section];
    const entry = this.plain(held.items ?? held);
    if (section !== "lay_words") return entry;
    const { department, ...properties } = entry.properties;
    const words = { type: "array", items: { ...entry, properties } };
    return { type: "object", properties: { words }, required: ["words"] };
  }
}
