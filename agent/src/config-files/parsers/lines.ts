/** Text split into lines without terminators; `join` restores the original line ending. */
export interface Lines {
  readonly lines: string[]
  join(): string
}

export function linesOf(text: string): Lines {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
  return { lines, join: () => (lines.length === 0 ? '' : lines.join(end) + end) }
}
