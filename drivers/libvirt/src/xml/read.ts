import { XMLParser } from 'fast-xml-parser'

/** A parsed element. */
export interface Read {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Read[]
  readonly text: string
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: true,
  htmlEntities: true,
})

/** Parses XML from libvirt. Throws when it is not XML. */
export function readXml(text: string): Read {
  const nodes: unknown = parser.parse(text)
  const roots = Array.isArray(nodes) ? nodes.flatMap(asElement) : []
  const root = roots[0]
  if (!root) throw new Error('There is no element in this document.')
  return root
}

/** The first descendant on this path. */
export function child(from: Read | undefined, ...path: readonly string[]): Read | undefined {
  return path.reduce<Read | undefined>(
    (at, name) => at?.children.find((one) => one.name === name),
    from,
  )
}

function asElement(node: Record<string, unknown>): Read[] {
  const name = Object.keys(node).find((key) => key !== ':@')
  if (!name || name === '#text' || name.startsWith('?')) return []
  const inside = Array.isArray(node[name]) ? (node[name] as Record<string, unknown>[]) : []
  const attributes = Object.entries((node[':@'] ?? {}) as Record<string, unknown>)
  return [
    {
      name,
      attributes: Object.fromEntries(attributes.map(([key, value]) => [key, String(value)])),
      children: inside.flatMap(asElement),
      text: inside.map((one) => ('#text' in one ? String(one['#text']) : '')).join(''),
    },
  ]
}
