/** Mails have some hundred lines; unfolding takes quadratic time. */
const MOST_LINES = 3000
/** The limit of the parser; the verifier of signatures has none of its own. */
const MOST_BYTES = 256 * 1024
/**
 * Consecutive blanks, across folded lines: parsers with regular expressions take quadratic time on
 * them.
 */
const MOST_BLANKS = 200

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a

/**
 * What is wrong with the header of a mail; null if nothing is. All readers must agree on where it
 * ends: at a bare carriage return, which RFC 5322 (2.3) forbids, some end the header where others
 * continue, so that a signature would cover another text than the one that people read.
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
