/**
 * JSON merge patches (RFC 7396) between plain documents, with one addition: a list whose items have
 * names is patched item by item, `{"variables": {"MODE": {"secret": true}}}`, so that a patch never
 * repeats what it does not change.
 */

export type PlainObject = Readonly<Record<string, unknown>>

export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export type NamedItems = ReadonlyMap<string, PlainObject>

/** The field that names an item in each list. */
const ITEM_NAMES: Readonly<Record<string, string>> = {
  variables: 'env',
  images: 'name',
  commands: 'name',
  configFiles: 'path',
}

/** Equal as JSON: the order of keys and undefined fields do not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => same(item, b[index]))
    )
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  return [...keysOf(a, b)].every((key) => same(own(a, key), own(b, key)))
}

/** Every key of the objects, in their order. */
export const keysOf = (...objects: readonly PlainObject[]): Set<string> =>
  new Set(objects.flatMap((object) => Object.keys(object)))

/** An own property, never an inherited one. */
export const own = (object: PlainObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** The items of a list behind `key` by their names; undefined unless it is a list of uniquely named items. */
export function namedItems(key: string, list: unknown): NamedItems | undefined {
  const field = Object.hasOwn(ITEM_NAMES, key) ? ITEM_NAMES[key] : undefined
  if (field === undefined || !Array.isArray(list)) return undefined
  const items = new Map<string, PlainObject>()
  for (const item of list) {
    const name = isPlainObject(item) ? own(item, field) : undefined
    if (typeof name !== 'string' || items.has(name)) return undefined
    items.set(name, item)
  }
  return items
}

/** The patch that turns `from` into `to`; undefined when they are the same. `key` is their field. */
export function patchBetween(from: unknown, to: unknown, key = ''): unknown {
  if (same(from, to)) return undefined
  const before = namedItems(key, from)
  const after = namedItems(key, to)
  if (before && after && inSameOrder(before, after)) {
    const names = [...before.keys()]
    const renamed = [...after.values()].map((item, index) => [names[index], item])
    return fieldPatches(Object.fromEntries(before), Object.fromEntries(renamed))
  }
  return isPlainObject(from) && isPlainObject(to) ? fieldPatches(from, to) : to
}

/** Whether the items are the same ones in the same order, possibly renamed. */
function inSameOrder(before: NamedItems, after: NamedItems): boolean {
  const names = [...after.keys()]
  return (
    before.size === after.size &&
    [...before.keys()].every((name, index) => names[index] === name || !after.has(name))
  )
}

function fieldPatches(from: PlainObject, to: PlainObject): unknown {
  const patches: [string, unknown][] = []
  for (const key of keysOf(from, to)) {
    const [before, after] = [own(from, key), own(to, key)]
    if (after === undefined) {
      if (before !== undefined) patches.push([key, null])
      continue
    }
    const patch = patchBetween(before, after, key)
    if (patch !== undefined) patches.push([key, patch])
  }
  return Object.fromEntries(patches)
}

/** `target` with the patch applied; neither is modified. Ignores patches of named items that are gone. */
export function applyPatch(target: unknown, patch: unknown, key = ''): unknown {
  if (!isPlainObject(patch)) return patch
  const items = namedItems(key, target)
  if (items) {
    return [...items].map(([name, item]) => {
      const change = own(patch, name)
      return change === undefined ? item : applyPatch(item, change)
    })
  }
  const entries = new Map(isPlainObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) entries.delete(key)
    else entries.set(key, applyPatch(entries.get(key), value, key))
  }
  return Object.fromEntries(entries)
}
