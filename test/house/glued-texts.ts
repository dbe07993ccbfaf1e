import { parseSync } from 'vite'

/** A message that is only part of a sentence: it begins or ends in the middle. */
export const isFragment = (message: string): boolean => /^[\s,;:]|[\s,;]$/.test(message)

type Node = { readonly type: string; readonly start: number } & Record<string, unknown>
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Where a source of the panel concatenates messages of a catalogue, by line: `12: t.percent`. */
export function gluedTexts(source: string, file: string): string[] {
  const found: string[] = []
  const visit = (node: Node): void => {
    for (const part of gluedIn(node)) {
      const line = source.slice(0, part.start).split('\n').length
      found.push(`${line}: ${messageIn(part)}`)
    }
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child)
  }
  visit(parseSync(file, source).program as unknown as Node)
  return found
}

/** The messages that this expression concatenates with other text or puts into another message. */
function gluedIn(node: Node): Node[] {
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return [node.left, node.right].filter(isNode).filter(isMessage)
  if (node.type === 'TemplateLiteral') {
    const between = (node.quasis as Node[]).map((part) => (part.value as { cooked: string }).cooked)
    // Messages joined as lines of a file are not one sentence.
    return between.every((text) => /^\n*$/.test(text))
      ? []
      : (node.expressions as Node[]).filter(isMessage)
  }
  if (node.type !== 'CallExpression' || !isMessage(node)) return []
  const [values] = node.arguments as Node[]
  const given = values?.type === 'ObjectExpression' ? (values.properties as Node[]) : []
  return given
    .map(({ value }) => value)
    .filter(isNode)
    .filter(isMessage)
}

const isMessage = (node: Node): boolean => messageIn(node) !== undefined

/** `t.key` of `t.key` and of `t.key({…})`; `length` is a list's. */
function messageIn(node: Node): string | undefined {
  if (node.type === 'CallExpression') return messageIn(node.callee as Node)
  if (node.type !== 'MemberExpression') return undefined
  const [of, key] = [node.object as Node, node.property as Node]
  const isCatalogue = of.type === 'Identifier' && (of.name === 't' || of.name === 'names')
  return isCatalogue && key.name !== 'length' ? `${of.name}.${key.name}` : undefined
}
