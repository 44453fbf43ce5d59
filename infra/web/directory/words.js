/** Texts of the Directory tab by language: its own, and the names of fields and of what a field may say. */

import en from "./words/en.js";
import fr from "./words/fr.js";
import it from "./words/it.js";
import nl from "./words/nl.js";

const prefixed = (prefix, texts) => Object.fromEntries(Object.entries(texts).map(([key, text]) => [prefix + key, text]));

const flat = ({ texts, fields, values }) => ({
  ...texts,
  ...prefixed("directory_field_", fields),
  ...prefixed("directory_value_", values),
});

export default { nl: flat(nl), en: flat(en), fr: flat(fr), it: flat(it) };
