const MOST_WORDS = 8
/** A word, or a number such as a port or an error code; longer ones might identify somebody. */
const PLAIN = /^(?:[\p{L}\p{M}]{2,30}(?:[-'’][\p{L}\p{M}]{1,30})?|\d{1,5})$/u
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/**
 * Normalizes a search, so that equal searches are counted together and none identifies a person:
 * addresses, links, keys and long numbers are left out. Empty if nothing else is left.
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
