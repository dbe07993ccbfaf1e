import { parseBoundedYaml } from '@lodge/shared/templates/bounded-yaml.ts'
import { type Document, isAlias, isCollection, isMap, isScalar, stringify } from 'yaml'
import type { Parser } from '../edit.ts'
import { applyEdit, type Change, isTree } from '../path.ts'

/** YAML: keeps comments, order and quoting of everything that does not change. */
export const editYaml: Parser = (text, edits) => {
  const document = parseBoundedYaml(text, { strict: false })
  const read: unknown = document.toJS()
  const empty = read === null || read === undefined
  const root: unknown = empty ? {} : read
  if (!isTree(root)) throw new Error('The document is neither a map nor a list')
  if (empty) document.contents = document.createNode({}) as typeof document.contents
  let changed = false
  let whole = true
  for (const edit of edits) {
    for (const change of applyEdit(root, edit)) {
      changed = true
      whole = whole && setIn(document, change)
    }
  }
  if (!changed) return text
  const options = { lineWidth: 0 }
  return whole ? document.toString(options) : stringify(root, options)
}

/** False when an alias shares the place, so that the document has to be reserialized. */
function setIn(document: Document.Parsed, change: Change): boolean {
  const place: unknown[] = []
  let node: unknown = document.contents
  for (const key of change.place) {
    if (isAlias(node)) return false
    const pair = isMap(node)
      ? node.items.findLast(
          (item) => String(isScalar(item.key) ? item.key.value : item.key) === String(key),
        )
      : undefined
    place.push(pair && isScalar(pair.key) ? pair.key.value : key)
    node = pair ? pair.value : isCollection(node) ? node.get(key, true) : undefined
  }
  if (isAlias(node)) return false
  document.setIn(place, change.value)
  return true
}
