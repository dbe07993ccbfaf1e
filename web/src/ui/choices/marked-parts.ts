interface MarkedPart {
  readonly part: string
  readonly found: boolean
  /** Its first character in the text. */
  readonly at: number
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A text in parts, of which those are found that were typed, in any case and order. */
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
