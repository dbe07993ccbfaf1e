const MOST_WORDS = 8
/** A word, or a number as of ports and errors: longer ones may be somebody's. */
const PLAIN = /^(?:[\p{L}\p{M}]{2,30}(?:[-'’][\p{L}\p{M}]{1,30})?|\d{1,5})$/u
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/**
 * What somebody searched for, so that the same search is counted as the same and says nothing of a
 * person: addresses, links, keys and long numbers are left out. Empty if nothing else is there.
 */
export const plainWords = (searched: string): string =>
  searched
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(AROUND, ''))
    .filter((word) => PLAIN.test(word))
    .slice(0, MOST_WORDS)
    .join(' ')
