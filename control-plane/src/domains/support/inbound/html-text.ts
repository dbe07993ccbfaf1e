import sanitizeHtml from 'sanitize-html'
import { unescapeHtml } from '../../../http/escape-html.ts'

/** Elements that end a line. */
const BLOCKS = /<\/(?:p|div|tr|li|h[1-6]|blockquote|table)>|<br\s{0,4}\/?>/gi
/**
 * Mark the ends of a quote until the tags are removed; noncharacters, which no mail contains
 * (Unicode, 23.7).
 */
const [QUOTE, UNQUOTE] = ['\ufdd0', '\ufdd1']
/** Deeper quotes are rendered at this depth. */
const MOST_DEEP = 10

/** The text of a mail without a plain text part. Quotes are marked as in plain text. */
export function textOfHtml(html: string): string {
  const lines = html
    .replaceAll(/[\ufdd0\ufdd1]/g, '')
    .replaceAll('\n', ' ')
    .replaceAll(BLOCKS, (tag) => `${tag}\n`)
    .replaceAll(/<blockquote\b[^>]{0,2000}>/gi, `\n${QUOTE}\n`)
    .replaceAll(/<\/blockquote>/gi, `\n${UNQUOTE}\n`)
  const bare = sanitizeHtml(lines, {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: ['style', 'script', 'textarea', 'option', 'title', 'head'],
  })
  const text = unescapeHtml(bare)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trim())
  return quotedIn(text)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Prefixes the lines of quotes as in plain text, and removes the marks. */
function quotedIn(lines: readonly string[]): readonly string[] {
  let depth = 0
  return lines.flatMap((line) => {
    if (line === QUOTE) depth++
    else if (line === UNQUOTE) depth = Math.max(0, depth - 1)
    else
      return depth === 0 || line === '' ? line : `${'>'.repeat(Math.min(depth, MOST_DEEP))} ${line}`
    return []
  })
}
