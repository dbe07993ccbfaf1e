import { jsonLanguage } from '@codemirror/lang-json'
import type { Path } from './draft.ts'

type Node = NonNullable<ReturnType<typeof jsonLanguage.parser.parse>['topNode']['firstChild']>

export interface Place {
  readonly from: number
  readonly to: number
}

const VALUE = /^(Object|Array|String|Number|True|False|Null)$/
const OBJECT = /^Object$/
const ARRAY = /^Array$/
const PROPERTY = /^Property$/

const children = (node: Node): readonly Node[] => {
  const found: Node[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child)
  return found
}

function propertyOf(node: Node, name: string, text: string): Node | undefined {
  return children(node).find((child) => {
    const key = PROPERTY.test(child.name) ? child.firstChild : null
    return key !== null && text.slice(key.from, key.to) === JSON.stringify(name)
  })
}

/** The location of each of these values in a text; for a missing one, that of its parent. */
export function placesOf(text: string, paths: readonly Path[]): readonly Place[] {
  const top = jsonLanguage.parser.parse(text).topNode.firstChild
  return paths.map((path) => {
    let node = top
    // The name of the last field, so that the mark is on one line rather than the whole value.
    let shown: Place = { from: 0, to: Math.min(1, text.length) }
    for (const step of path) {
      if (!node) break
      const property =
        OBJECT.test(node.name) && typeof step === 'string'
          ? propertyOf(node, step, text)
          : undefined
      const entry =
        ARRAY.test(node.name) && typeof step === 'number'
          ? children(node).filter(({ name }) => VALUE.test(name))[step]
          : undefined
      const next: Node | null = property?.lastChild ?? entry ?? null
      if (!next) break
      const name = property?.firstChild
      const isShort = !OBJECT.test(next.name) && !ARRAY.test(next.name)
      if (isShort) shown = { from: next.from, to: next.to }
      else shown = name ? { from: name.from, to: name.to } : { from: next.from, to: next.from + 1 }
      node = next
    }
    return shown
  })
}

/** Where a text stops being valid JSON; undefined when it is valid. */
export function syntaxFault(text: string): Place | undefined {
  let found: Place | undefined
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) found ??= { from, to: Math.max(to, from + 1) }
    },
  })
  return found
}

/** The line of a position, counted from 1. */
export const lineOf = (text: string, position: number): number =>
  text.slice(0, position).split('\n').length
