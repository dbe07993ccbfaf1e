import sanitizeHtml from 'sanitize-html'

/** Elements after which a new line begins. */
const BLOCKS = /<\/(?:p|div|tr|li|h[1-6]|blockquote|table)>|<br\s{0,4}\/?>/gi
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The text of a mail that has no plain one. Quotes of mail programs are marked as in plain text. */
export function textOfHtml(html: string): string {
  const lines = html.replaceAll('\n', ' ').replaceAll(BLOCKS, (tag) => `${tag}\n`)
  return sanitizeHtml(lines, {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: ['style', 'script', 'textarea', 'option', 'title', 'head'],
  })
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
