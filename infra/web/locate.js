/** Finds a cited excerpt in a document's text, word by word, whatever happened to spaces, hyphens and punctuation. */

const WINDOWS = [8, 5, 3];
const STARTS = 12;
const SLIP = 3;

/** The words of a text, lower case, each with where it stands. */
export function wordsOf(text) {
  return [...text.normalize("NFC").matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    word: match[0].toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/**
 * Where `excerpt` stands in `blocks` (`{text, page}`), or null.
 *
 * The first words are looked for on pages `first` to `last`, then anywhere; the place is then followed to the end of
 * the excerpt. Gives `{first: {block, from}, last: {block, to}}`: indexes of blocks and of characters in their NFC text.
 */
export function locate(blocks, excerpt, first = null, last = first) {
  const wanted = wordsOf(excerpt).map((token) => token.word);
  const there = blocks.flatMap((block, at) =>
    wordsOf(block.text).map((token) => ({ ...token, block: at, page: block.page })),
  );
  const cited = (token) => token.page >= first && token.page <= last;
  const found = (first !== null && find(there, wanted, cited)) || find(there, wanted, () => true);
  if (!found) return null;
  const end = follow(there, wanted, found);
  const { block, from } = there[found.at];
  const ending = there[end];
  const to = ending.to + closing(blocks[ending.block].text, ending.to);
  return { first: { block, from }, last: { block: ending.block, to } };
}

/** How many characters after a word still belong to its sentence: what stands against it up to the next space. */
const closing = (text, at) => /^[^\s\p{L}\p{N}]*/u.exec(text.normalize("NFC").slice(at))[0].length;

function find(there, wanted, allowed) {
  for (const window of WINDOWS) {
    const size = Math.min(window, wanted.length);
    if (!size) return null;
    for (let skip = 0; skip <= STARTS && skip + size <= wanted.length; skip += 1) {
      const at = there.findIndex((token, index) => allowed(token) && matches(there, index, wanted, skip, size));
      if (at >= 0) return { at, skip };
    }
  }
  return null;
}

function matches(there, index, wanted, skip, size) {
  for (let step = 0; step < size; step += 1) if (there[index + step]?.word !== wanted[skip + step]) return false;
  return true;
}

/** The last word of the excerpt that still agrees, allowing a few words to be missing or extra on either side. */
function follow(there, wanted, { at, skip }) {
  let here = at;
  let end = at;
  let next = skip;
  while (next < wanted.length && here < there.length) {
    const slip = there[here].word === wanted[next] ? [0, 0] : nearest(there, here, wanted, next);
    if (!slip) break;
    here += slip[0];
    next += slip[1];
    end = here;
    here += 1;
    next += 1;
  }
  return end;
}

function nearest(there, here, wanted, next) {
  for (let sum = 1; sum <= SLIP * 2; sum += 1) {
    for (let extra = Math.max(0, sum - SLIP); extra <= Math.min(sum, SLIP); extra += 1) {
      const missing = sum - extra;
      const word = there[here + extra]?.word;
      if (word && word === wanted[next + missing]) return [extra, missing];
    }
  }
  return null;
}
