import { Marked } from 'marked'
import sanitizeHtml from 'sanitize-html'
import { escapeHtml, unescapeHtml } from './http/escape-html.ts'

const markdown = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    // Pages load nothing from elsewhere: who reads an article is nobody else's business.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
  },
})

/** The page that shows it has the title as its first heading. */
const LOWER = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' } as const

const SAFE: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code'],
    ...['ul', 'ol', 'li', 'strong', 'em', 'del', 'a'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'], th: ['align'], td: ['align'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: {
    ...LOWER,
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener nofollow' } }),
  },
}

/** Markdown as HTML that nothing in it can turn into a script or a request to elsewhere. */
export const renderMarkdown = (source: string): string =>
  sanitizeHtml(markdown.parse(source, { async: false }), SAFE)

/** The words of a text in Markdown. */
export const plainText = (source: string): string =>
  unescapeHtml(
    sanitizeHtml(markdown.parse(source, { async: false }), {
      allowedTags: [],
      allowedAttributes: {},
    }),
  )
    .replaceAll(/\s+/g, ' ')
    .trim()
