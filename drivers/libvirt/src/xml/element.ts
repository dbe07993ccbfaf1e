import { DriverError } from '@lodge/driver/driver.ts'

/** An XML element; text is escaped on output, never before. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly children: readonly (Element | string)[]
}

type Child = Element | string | number | null | false

/** Omits undefined attributes and children that are null or false. */
export function element(
  name: string,
  attributes: Element['attributes'] = {},
  ...children: readonly Child[]
): Element {
  return {
    name,
    attributes,
    children: children.flatMap((child) =>
      child === null || child === false ? [] : [typeof child === 'number' ? String(child) : child],
    ),
  }
}

/** Serializes the document. Throws `invalid_spec` for characters that XML cannot represent. */
export function write({ name, attributes, children }: Element): string {
  const head = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('')
  if (children.length === 0) return `<${name}${head}/>`
  const body = children
    .map((child) => (typeof child === 'string' ? escaped(child) : write(child)))
    .join('')
  return `<${name}${head}>${body}</${name}>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** XML 1.0, production 2: all other characters cannot be represented. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

function escaped(text: string): string {
  if (IMPOSSIBLE.test(text))
    throw new DriverError(
      'invalid_spec',
      'The machine has a name or a value with control characters.',
    )
  // Whitespace as references: in attributes a parser would turn it into spaces.
  return text.replaceAll(
    /[&<>"'\t\n\r]/g,
    (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`,
  )
}
