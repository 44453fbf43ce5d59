/** Finds what is typed into the filter of a list, whatever its accents and capitals. */

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** The entries of which `said(entry)`, a list of texts or nothing, has every word that is wanted. */
export function matching(entries, wanted, said) {
  const words = fold(wanted).split(/\s+/);
  return entries.filter((entry) => {
    const text = fold(said(entry).filter(Boolean).join(" "));
    return words.every((word) => text.includes(word));
  });
}
