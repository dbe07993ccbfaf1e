import { type Parser, replacement, textOf } from '../edit.ts'

/** Replaces each line that begins with the match by the value; nothing is added. */
export const editFile: Parser = (text, edits) =>
  text
    .split('\n')
    .map((row) => {
      const end = row.endsWith('\r') ? '\r' : ''
      let line = end === '' ? row : row.slice(0, -1)
      for (const edit of edits) {
        if (!line.startsWith(edit.match)) continue
        const value = replacement(edit, line.slice(edit.match.length))
        if (value !== undefined) line = textOf(value)
      }
      return line + end
    })
    .join('\n')
