import { type ESTree, parseSync } from 'vite'

/** Attributes and properties with text for people. */
const READ =
  /^(aria-label|alt|description|empty|header|label|lead|legend|message|name|placeholder|question|submitText|summary|text|title|verb)$/
/** Two words, or one that begins like a sentence. */
const SENTENCE = /[A-Za-z’'][,:.]* +[A-Za-z“]|^[A-Z][a-z]+(…|$)/
const WORD = /[A-Za-z]{2}/
/**
 * Text for programs: paths of the API, commands, selectors, markup, keys, messages about misused
 * hooks.
 */
const NOT_READ =
  /^(GET|POST|PUT|PATCH|DELETE|curl|npm|-H) |^[a-z]+:\/\/|^[./#"[:<]|^[A-Z][a-z]+(Left|Right|Up|Down)$|^(Alt|Ctrl) \+|^\d|^use[A-Z]/
/** The same in every language. */
const PRODUCT = 'Lodge'
const KEYS = ['Backspace', 'Delete', 'Enter', 'Escape', 'Tab', 'Windows', 'Space', 'Key'].concat([
  'Backquote',
  'Minus',
  'Equal',
  'Backslash',
  'Semicolon',
  'Quote',
  'Comma',
  'Period',
  'Slash',
])
/** Properties whose values are identifiers, such as an action of the audit record. */
const NAMES = ['action', 'className', 'section']

type Node = { readonly type: string; readonly start: number } & Record<string, unknown>
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Texts for people in this source that should be in a catalogue, by line: `12: Name`. */
export function literalTexts(source: string, file: string): string[] {
  const found: string[] = []
  const report = (node: Node, text: string): void => {
    found.push(`${source.slice(0, node.start).split('\n').length}: ${text.trim()}`)
  }
  const visit = (node: Node, above: readonly Node[]): void => {
    if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') return
    const text = textOf(node)
    if (text !== undefined && isRead(node, text, above)) report(node, text)
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit(child, [node, ...above])
  }
  visit(parseSync(file, source).program as ESTree.Program & Node, [])
  return found
}

function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText') return String(node.value)
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateElement') return String((node.value as { cooked: string }).cooked)
  return undefined
}

function isRead(node: Node, text: string, above: readonly Node[]): boolean {
  if (text.trim() === PRODUCT) return false
  if (node.type === 'JSXText') return WORD.test(text)
  const [parent, grandparent] = above
  if (NOT_READ.test(text) || KEYS.includes(text) || !WORD.test(text)) return false
  if (parent?.type === 'Property' && parent.key === node) return false
  const name = nameOf(parent) ?? nameOf(grandparent)
  if (parent?.type === 'JSXAttribute') return READ.test(name ?? '')
  return !NAMES.includes(name ?? '') && SENTENCE.test(text)
}

/** The name of an attribute or a property. */
function nameOf(node: Node | undefined): string | undefined {
  if (node?.type !== 'JSXAttribute' && node?.type !== 'Property') return undefined
  const key = (node.type === 'Property' ? node.key : node.name) as { name?: unknown }
  return typeof key.name === 'string' ? key.name : undefined
}
