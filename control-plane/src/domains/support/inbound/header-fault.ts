/** Mails have some hundred lines; each one costs whoever folds them more than the one before. */
const MOST_LINES = 3000
/** As the parser of the text allows; the verifier of signatures has no limit of its own. */
const MOST_BYTES = 256 * 1024
/** Blanks in a row, folded lines included: readers look through each run again from each of its bytes. */
const MOST_BLANKS = 200

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a

/**
 * What is wrong with the header of a mail, up to the empty line; null if nothing is. Everybody who reads
 * the mail must see the same end of it: with a carriage return by itself, which RFC 5322 (2.3) forbids,
 * some end it where others go on, so that a signature would cover another text than the one that people
 * read.
 */
export function headerFault(raw: Buffer): string | null {
  let lines = 0
  let blanks = 0
  let lineFrom = 0
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at]
    if (at >= MOST_BYTES || lines > MOST_LINES) return 'Its header is too long'
    if (byte === CARRIAGE_RETURN && raw[at + 1] !== LINE_FEED)
      return 'Its header has a carriage return by itself'
    if (byte === LINE_FEED) {
      const isEmpty = at === lineFrom || (at === lineFrom + 1 && raw[lineFrom] === CARRIAGE_RETURN)
      if (isEmpty) return null
      lines++
      lineFrom = at + 1
    }
    blanks = isBlank(byte) ? blanks + 1 : 0
    if (blanks > MOST_BLANKS) return 'Its header has too many blanks in a row'
  }
  return null
}

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN || byte === LINE_FEED
