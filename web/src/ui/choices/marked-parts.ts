interface MarkedPart {
  readonly part: string
  readonly found: boolean
  /** Offset of its first character in the text. */
  readonly at: number
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Splits a text into parts and marks those that match the typed words, case-insensitive and in any
 * order.
 */
export function markedParts(text: string, typed: string): readonly MarkedPart[] {
  const words = typed.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return [{ part: text, found: false, at: 0 }]
  let at = 0
  return text
    .split(new RegExp(`(${words.map(escaped).join('|')})`, 'i'))
    .map((part, index) => {
      const marked = { part, found: index % 2 === 1, at }
      at += part.length
      return marked
    })
    .filter(({ part }) => part !== '')
}
