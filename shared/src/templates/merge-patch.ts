/** JSON merge patch (RFC 7396) over plain values: what turns one document into another, and its use. */

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The patch that makes `to` of `from`; undefined when they are the same. */
export function patchBetween(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return same(from, to) ? undefined : to
  const entries: [string, unknown][] = []
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && to[key] === undefined) entries.push([key, null])
  }
  for (const [key, value] of Object.entries(to)) {
    if (value === undefined) continue
    const patch = from[key] === undefined ? value : patchBetween(from[key], value)
    if (patch !== undefined) entries.push([key, patch])
  }
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** `target` with the patch laid over it; neither is changed. */
export function applyPatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const entries = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) entries.delete(key)
    else entries.set(key, applyPatch(entries.get(key), value))
  }
  return Object.fromEntries(entries)
}
