/** The line above which people answer, as every mail about a ticket has it. */
export const REPLY_ABOVE = '-- Reply above this line --'

/**
 * Where mail programs begin what they quote. Each is tested against one line, or against one line and
 * the next, which a program may have wrapped.
 */
const QUOTE_HEADS: readonly RegExp[] = [
  /^-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|message d'origine) ?-{2,}$/i,
  /^(?:on|am|le|el|il|op) .{4,200} (?:wrote|schrieb.{0,100}|a écrit|escribió|ha scritto|schreef.{0,100}) ?:$/i,
  /^_{20,}$/,
]

/** The new text of an answer, without what it quotes below. */
export function cutQuote(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const quoted = startOfLastQuote(lines)
  const end = lines.findIndex(
    (line, index) => index === quoted || isQuoteHead(line, lines[index + 1] ?? ''),
  )
  const kept = (end < 0 ? lines : lines.slice(0, end)).join('\n')
  // A mail that is nothing but a quote keeps it: an empty answer would hide what was sent.
  return kept.trim() === '' ? text.trim() : kept.trim()
}

function isQuoteHead(line: string, next: string): boolean {
  const bare = line.replace(/^[>\s]+/, '').trim()
  if (bare.includes(REPLY_ABOVE)) return true
  const joined = `${bare} ${next.trim()}`
  return QUOTE_HEADS.some((head) => head.test(bare) || head.test(joined))
}

/** Where the quote begins that goes on to the end. Answers below a quote keep what they answer. */
function startOfLastQuote(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => line.trim() !== '' && !line.startsWith('>'))
  return lines.findIndex((line, index) => index > last && line.startsWith('>'))
}
