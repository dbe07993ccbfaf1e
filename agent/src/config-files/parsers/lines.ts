/** A text as lines without their ends, and the way back with the ends it had. */
export interface Lines {
  readonly lines: string[]
  join(): string
}

export function linesOf(text: string): Lines {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
  return { lines, join: () => (lines.length === 0 ? '' : lines.join(end) + end) }
}
