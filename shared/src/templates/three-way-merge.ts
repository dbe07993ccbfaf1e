import { isPlainObject, keysOf, type NamedItems, namedItems, own, same } from './merge-patch.ts'

/**
 * Merges two changes of one document: `kept` adds what we know to `base`, `edited` is a person's
 * change. Where both changed the same place the person's change wins; objects merge by field, lists
 * of named items by item, any other value is one place.
 */
export function threeWayMerge(base: unknown, kept: unknown, edited: unknown, key = ''): unknown {
  if (same(edited, base)) return kept
  if (same(kept, base) || same(kept, edited)) return edited
  if (isPlainObject(base) && isPlainObject(kept) && isPlainObject(edited)) {
    // Another kind has other fields; a mix of both would be invalid.
    if (!same(base.kind, kept.kind) || !same(base.kind, edited.kind)) return edited
    const merged = [...keysOf(kept, edited)].map((field) => [
      field,
      threeWayMerge(own(base, field), own(kept, field), own(edited, field), field),
    ])
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
  }
  return mergeLists(base, kept, edited, key)
}

function mergeLists(base: unknown, kept: unknown, edited: unknown, key: string): unknown {
  const before = namedItems(key, base)
  const ours = namedItems(key, kept)
  const theirs = namedItems(key, edited)
  if (!before || !ours || !theirs) return edited
  const partners = partnersOf(before, ours)
  const [onlyBefore] = before.keys()
  // The only item of a list stays the same item when it is renamed.
  const renamed = before.size === 1 && theirs.size === 1
  const result = new Map<string, unknown>()
  for (const [name, item] of theirs) {
    const origin = renamed ? (onlyBefore ?? name) : name
    const known = partners.get(origin)
    const merged = threeWayMerge(before.get(origin), ours.get(known ?? ''), item)
    if (merged !== undefined) result.set(known ?? name, merged)
  }
  const paired = new Set(partners.values())
  for (const [name, item] of ours) {
    if (!paired.has(name) && !result.has(name)) result.set(name, item)
  }
  if (!renamed && !same([...theirs.keys()], [...before.keys()])) return [...result.values()]
  const order = [...new Set([...ours.keys(), ...result.keys()])]
  return order.filter((name) => result.has(name)).map((name) => result.get(name))
}

/**
 * Which of our items each base item corresponds to: the one with its name, else the one at its
 * position. In a format that has only one, it is our first.
 */
function partnersOf(before: NamedItems, ours: NamedItems): ReadonlyMap<string, string> {
  const names = [...ours.keys()]
  const partners = new Map<string, string>()
  for (const [index, name] of [...before.keys()].entries()) {
    const inPlace = names[index]
    const named = before.size > 1 && ours.has(name) ? name : undefined
    const partner =
      named ??
      (inPlace !== undefined && (before.size === 1 || !before.has(inPlace)) ? inPlace : undefined)
    if (partner !== undefined) partners.set(name, partner)
  }
  return partners
}
