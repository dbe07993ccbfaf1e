import { type ESTree, parseSync } from 'vite'
import { visit } from './refusal-texts.ts'

/** Attributes with text for people. */
const READ = /\b(?:aria-label|alt|title|placeholder)="([^"]*)"/g
/** Stands for an interpolated value. */
const VALUE = '\u0000'
const WORD = /\p{L}{2}/u
/** A URL, or the beginning of one. */
const ADDRESS = /^[a-z]+:\S*$/

/**
 * Texts for people in the markup of a page (`html` templates) that should be in a catalogue, by line:
 * `12: Terms`.
 */
export function markupTexts(source: string, file: string): string[] {
  const found: string[] = []
  visit(parseSync(file, source).program as ESTree.Program, (node) => {
    if (node.type !== 'TaggedTemplateExpression') return
    if (node.tag.type !== 'Identifier' || node.tag.name !== 'html') return
    const line = source.slice(0, node.start).split('\n').length
    const markup = node.quasi.quasis.map(({ value }) => value.cooked).join(VALUE)
    const attributes = [...markup.matchAll(READ)].map(([, text = '']) => text)
    const between = markup.replaceAll(/<[^>]*>/g, VALUE).split(VALUE)
    for (const text of [...attributes, ...between])
      if (WORD.test(text) && !ADDRESS.test(text)) found.push(`${line}: ${text.trim()}`)
  })
  return found
}
