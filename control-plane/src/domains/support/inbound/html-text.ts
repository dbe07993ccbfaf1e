import sanitizeHtml from 'sanitize-html'
import { unescapeHtml } from '../../../http/escape-html.ts'

/** Elements after which a new line begins. */
const BLOCKS = /<\/(?:p|div|tr|li|h[1-6]|blockquote|table)>|<br\s{0,4}\/?>/gi
/** Mark where a quote begins and ends until the tags are gone; no mail has them (Unicode, 23.7). */
const [QUOTE, UNQUOTE] = ['\ufdd0', '\ufdd1']
/** Deeper quotes look like these. */
const MOST_DEEP = 10

/** The text of a mail that has no plain one. Quotes of mail programs are marked as in plain text. */
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

/** The lines of quotes begin as they do in plain text; the marks are gone. */
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
