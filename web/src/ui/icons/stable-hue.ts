/** How many chart colours distinguish people and things. */
export const HUES = 8

/** A colour derived from a text, the same on every page and every day (FNV-1a). */
export function stableHue(text: string): number {
  let hash = 0x811c9dc5
  for (const sign of text.trim().toLowerCase())
    hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0) % HUES
}

/** One or two letters for a name or an e-mail address. */
export function initialsOf(text: string): string {
  const words = (text.split('@')[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const [first, ...rest] = words
  if (first === undefined) return '?'
  const last = rest.at(-1)
  const letters = last === undefined ? [...first].slice(0, 2) : [[...first][0], [...last][0]]
  return letters.join('').toUpperCase()
}
