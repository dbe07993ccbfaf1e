import { escapeHtml } from './escape-html.ts'

/** HTML in which everything is escaped that has to be. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Part = string | number | Markup | null | undefined | readonly Part[]

function written(part: Part): string {
  if (part === null || part === undefined) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return escapeHtml(String(part))
}

/** Writes HTML; what stands in it is escaped unless it is `html` itself. For elements and quoted attributes. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.map((text, at) => text + written(parts[at])).join(''))
