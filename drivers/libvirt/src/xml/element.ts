import { DriverError } from '@lodge/driver/driver.ts'

/** An element of an XML document; text is escaped when it is written, never before. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly children: readonly (Element | string)[]
}

type Child = Element | string | number | null | false

/** Attributes that are undefined and children that are null or false are left out. */
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

/** Writes the document. Throws `invalid_spec` for characters that XML cannot carry at all. */
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
/** XML 1.0, production 2: everything else has no way of being written. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

function escaped(text: string): string {
  if (IMPOSSIBLE.test(text))
    throw new DriverError(
      'invalid_spec',
      'The machine has a name or a value with control characters.',
    )
  // White space as references: a parser would make spaces of it in attributes.
  return text.replaceAll(
    /[&<>"'\t\n\r]/g,
    (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`,
  )
}
