import { isQuoteHead } from './quote-heads.ts'

/** The separator in every mail about a ticket; people answer above it. */
export const REPLY_ABOVE = '-- Reply above this line --'

/** How many lines the head of a quote may span. */
const HEAD_LINES = 10

/**
 * The new text of an answer, without the quote below it. Answers between the lines of a quote keep
 * the quote.
 */
export function cutQuote(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const quoted = startOfLastQuote(lines)
  const end = lines.findIndex(
    (line, at) =>
      at === quoted ||
      line.includes(REPLY_ABOVE) ||
      isQuoteHead(line, lines.slice(at + 1, at + 1 + HEAD_LINES)),
  )
  if (end < 0 || isAnsweredBelow(lines.slice(end))) return text.trim()
  const kept = lines.slice(0, end).join('\n')
  // A mail that consists only of a quote keeps it: an empty answer would hide what was sent.
  return kept.trim() === '' ? text.trim() : kept.trim()
}

/** The signature separator of mail programs (RFC 3676, 4.3). */
const SIGNATURE = /^-- ?$/
const isQuoted = (line: string): boolean => line.startsWith('>')
const isBlank = (line: string): boolean => line.trim() === ''

/** Whether there is text between or below the quoted lines other than a signature. */
function isAnsweredBelow(lines: readonly string[]): boolean {
  const first = lines.findIndex(isQuoted)
  if (first < 0) return false
  const signature = lines.findIndex((line, at) => at > first && SIGNATURE.test(line))
  const below = lines.slice(first, signature < 0 ? undefined : signature)
  return below.some((line) => !isQuoted(line) && !isBlank(line))
}

/** The first line of the quote that extends to the end, or to the signature. */
function startOfLastQuote(lines: readonly string[]): number {
  const signature = lines.findLastIndex((line) => SIGNATURE.test(line))
  const isBelow = signature > lines.findLastIndex(isQuoted)
  const above = isBelow ? lines.slice(0, signature) : lines
  const last = above.findLastIndex((line) => !isBlank(line) && !isQuoted(line))
  return above.findIndex((line, at) => at > last && isQuoted(line))
}
